import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { linesOf } from '../../sdk/evidence/lines.ts'
import { printable } from '../core/printable.ts'
import { CliError } from '../core/run-cli.ts'

/** Reads rows of another database: CSV, or the output of `mysql --batch`, with column names. */

type Column = 'log_id' | 'source_id' | 'employee_id' | 'kind' | 'recorded_at' | 'status'

export interface SourceRow {
  /** The position of the row in the input. The row of the column names is 1. */
  line: number
  /**
   * Undefined if the number of cells differs from the number of column names, or if the line break
   * at the end of the input is missing, so that a value may be cut.
   */
  values?: Partial<Record<Column, string>>
  /** The first cell, which identifies the row in a report. */
  first: string
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', 0: '\0', '\\': '\\' }

/** In the output of MySQL, NULL is an empty value, and backslashes escape special characters. */
const mysqlCell = (cell: string): string =>
  cell === 'NULL' ? '' : cell.replace(/\\([nt0\\])/g, (_, escaped) => ESCAPED[escaped] ?? '')

const MYSQL = { delimiter: '\t', quote: false, record_delimiter: '\n', cast: mysqlCell }
const CSV = { relax_quotes: true }

/** The maximum characters of a row. Without it, a quote that never ends would fill the memory. */
const ROW_MAX = 1_000_000
const TOO_LONG = 'The input has a line that is too long for a row.'

const EMPTY = 'The input is empty, as after a query that failed.'

interface Expected {
  /** At least one of these columns must exist. It identifies each row. */
  ids: readonly Column[]
  /** The other required columns, `FACT_COLUMNS` by default. */
  facts?: readonly Column[]
  /** Whether the input may be empty: without rows, `mysql --batch` prints no column names. */
  allowEmpty?: boolean
}

export const FACT_COLUMNS = ['employee_id', 'kind', 'recorded_at'] as const

const requireColumns = (
  names: readonly string[],
  { ids, facts = FACT_COLUMNS }: Expected,
): void => {
  const isOnce = (column: string) => names.filter((name) => name === column).length === 1
  if (ids.some(isOnce) && facts.every(isOnce)) return
  const start = printable(names.join(' ').slice(0, 80))
  throw new CliError(`The input is not the rows: it begins with “${start}”.
Its first line must name ${ids.join(' or ')}, ${facts.join(', ')}, each once.`)
}

/** @throws CliError before the first row if the input begins with other text, such as an error. */
export async function* readSourceRows(
  input: Readable,
  expected: Expected,
): AsyncGenerator<SourceRow> {
  let isCut = false
  const chunks = async function* () {
    for await (const chunk of input.setEncoding('utf8')) {
      isCut = !chunk.endsWith('\n')
      yield chunk
    }
  }
  const lines = linesOf(chunks(), TOO_LONG)
  const head: string = ((await lines.next()).value ?? '').replace(/^\uFEFF/, '')
  const format = head.includes('\t') ? MYSQL : CSV
  // A return at the end of each line is a part of the line break of Windows. In CSV, a quoted value
  // can contain line breaks, and the parser finds out which line break ends the rows.
  const isWindows = format === MYSQL && head.endsWith('\r')
  const withBreak = (line: string) => `${isWindows ? line.replace(/\r$/, '') : line}\n`
  const text = async function* () {
    yield withBreak(head)
    for await (const line of lines) yield withBreak(line)
  }
  const parser = parse({
    ...format,
    ...{ relax_column_count: true, skip_empty_lines: true, max_record_size: ROW_MAX },
  })
  Readable.from(text())
    .on('error', (error) => parser.destroy(error))
    .pipe(parser)
  const rows: AsyncIterable<string[]> = parser
  let columns: string[] | undefined
  let line = 0
  /**
   * The newest row that was read. It is returned after the next one has been read, because only the
   * last row can be cut off.
   */
  let row: SourceRow | undefined
  for await (const cells of rows) {
    line++
    if (!columns) requireColumns(cells, expected)
    const names = columns ?? cells
    const values = Object.fromEntries(cells.map((cell, i) => [names[i], cell]))
    const isWhole = cells.length === names.length
    if (row) yield row
    if (columns) row = { line, first: cells[0] ?? '', ...(isWhole && { values }) }
    columns = names
  }
  if (row) yield isCut ? { line, first: row.first } : row
  else if (isCut || !expected.allowEmpty) throw new CliError(EMPTY)
}
