import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { linesOf } from '../../sdk/evidence/lines.ts'

/** The rows of another database: what `mysql --batch` prints, or CSV, with the columns' names. */

export type Column = 'log_id' | 'source_id' | 'employee_id' | 'kind' | 'recorded_at' | 'status'

export interface SourceRow {
  /** In the input, from 1. */
  line: number
  /** Undefined where the row has more or fewer of them than the first one. */
  values?: Partial<Record<Column, string>>
  /** What stands first, for a report. */
  first: string
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', 0: '\0', '\\': '\\' }

/** A quote or a comma is data in what MySQL prints. */
const mysqlCell = (cell: string): string =>
  cell === 'NULL' ? '' : cell.replace(/\\([nt0\\])/g, (_, escaped) => ESCAPED[escaped] ?? '')

async function* mysqlRows(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  for await (const line of lines) if (line !== '') yield line.split('\t').map(mysqlCell)
}

const csvRows = (lines: AsyncIterable<string>): AsyncIterable<string[]> => {
  const text = async function* () {
    for await (const line of lines) yield `${line}\n`
  }
  return Readable.from(text()).pipe(
    parse({ relax_column_count: true, relax_quotes: true, skip_empty_lines: true }),
  )
}

async function* withFirst(first: string, others: AsyncIterator<string>): AsyncGenerator<string> {
  yield first
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value
}

export async function* readRows(input: Readable): AsyncGenerator<SourceRow> {
  const lines = linesOf(input.setEncoding('utf8'))[Symbol.asyncIterator]()
  const first: string = ((await lines.next()).value ?? '').replace(/^\uFEFF/, '')
  const allLines = withFirst(first, lines)
  let columns: string[] | undefined
  let line = 0
  for await (const cells of first.includes('\t') ? mysqlRows(allLines) : csvRows(allLines)) {
    line++
    if (!columns) {
      columns = cells
      continue
    }
    const names = columns
    const values = Object.fromEntries(cells.map((cell, i) => [names[i], cell]))
    yield {
      line,
      first: cells[0] ?? '',
      ...(cells.length === columns.length && { values }),
    }
  }
}
