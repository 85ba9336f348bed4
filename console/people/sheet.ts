import { type FieldName, isDayField } from './person-fields.ts'
import { isNamePart, knownHeadings, type NamePart, type SheetField } from './sheet-columns.ts'
import { type DayOrder, dayFaultOf, isOrderInDoubt, toDay } from './sheet-days.ts'
import { damageIn, HEAD_ROWS_MAX, type Table } from './sheet-text.ts'
import { namesFirst } from './surnames.ts'

/** Reads the rows of a sheet, once it is known what its columns are. */

/**
 * Returns the index of the row with the headings. Of the first ten rows, it is the first with two
 * known headings or more. If there is none, it is 0 if row 0 has one known heading, or else -1.
 */
export const headRowOf = (table: Table): number => {
  const found = table.slice(0, HEAD_ROWS_MAX).findIndex((cells) => knownHeadings(cells) > 1)
  return found === -1 && knownHeadings(table[0] ?? []) > 0 ? 0 : found
}

/** `A`, `B` … `AA` */
export const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))

/** A spreadsheet's formatting around a text: `="00777"`, or a `'` before it. */
const FORMATTING = /^(?:="(.*)"|'(.+))$/s

const withoutFormatting = (cell: string): string => {
  const [, quoted, marked] = FORMATTING.exec(cell) ?? []
  return quoted ?? marked ?? cell
}

/**
 * Returns what is wrong with the cell of any column: the sheet has abbreviated a number, or shows
 * an error. Undefined if nothing is wrong.
 */
const faultOf = (cell: string): string | undefined => {
  if (/^\d([.,]\d+)?E\+\d+$/i.test(cell)) {
    return 'La hoja abrevió este número: pon su columna como texto y cópiala otra vez.'
  }
  if (/^#+$/.test(cell)) {
    return 'La columna era muy angosta y la hoja copió «####»: ensánchala y cópiala otra vez.'
  }
  if (/^#(N\/[AD]|¡?[\p{L}/0]+[!?])$/u.test(cell)) return 'Es un error de la hoja.'
  if (FORMATTING.test(cell)) return 'Trae formato de la hoja: di arriba si se quita.'
  const damage = damageIn(cell)
  if (!damage) return undefined
  return `Tiene letras dañadas${damage.probably && `. ¿Es «${damage.probably}»?`}`
}

export interface SheetRow {
  /** The row's number in the sheet, from 1. */
  line: number
  given: Partial<Record<FieldName, string>>
  faults: Partial<Record<FieldName, string>>
}

/** What the user has written in place of cells, by row number. */
export type Corrections = ReadonlyMap<number, Partial<Record<FieldName, string>>>

interface ReadOptions {
  columns: readonly (SheetField | undefined)[]
  /** The index of the row with the headings, or -1 if the sheet has no headings. */
  headRow: number
  /** Whether an empty cell erases the stored value. Otherwise the value stays. */
  blanksErase: boolean
  /** Whether a spreadsheet's formatting around a text is removed. */
  unformat?: boolean
  /** Whether full names begin with the surnames. They are then turned round. */
  surnamesFirst?: boolean
  /** By the index of a column. The default is the day before the month. */
  dayOrders?: Readonly<Record<number, DayOrder>>
  corrections?: Corrections
}

/** The cells of a column below the headings, without blanks at their ends. */
const cellsBelow = (table: Table, headRow: number, at: number): string[] =>
  table.slice(headRow + 1).map((cells) => (cells[at] ?? '').trim())

/** The indexes of the columns whose dates may have the month before the day. */
export const columnsInDoubt = (
  table: Table,
  { columns, headRow }: Pick<ReadOptions, 'columns' | 'headRow'>,
): number[] =>
  columns.flatMap((column, at) =>
    column && isDayField(column) && isOrderInDoubt(cellsBelow(table, headRow, at)) ? [at] : [],
  )

/** The first cell of a used column that has a spreadsheet's formatting. Undefined if none has. */
export const findFormatted = (
  table: Table,
  { columns, headRow }: Pick<ReadOptions, 'columns' | 'headRow'>,
): string | undefined =>
  columns
    .flatMap((column, at) => (column ? cellsBelow(table, headRow, at) : []))
    .find((cell) => FORMATTING.test(cell))

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** The number of rows that `readRows` returns. */
export const countRows = (table: Table, headRow: number): number =>
  table.slice(headRow + 1).filter((cells) => !isBlank(cells)).length

/** Returns a row for each person. Empty rows and columns without a field are left out. */
export const readRows = (table: Table, options: ReadOptions): SheetRow[] => {
  const { columns, headRow, blanksErase, unformat, surnamesFirst, dayOrders = {} } = options
  return table.flatMap((cells, index) => {
    if (index <= headRow || isBlank(cells)) return []
    const row: SheetRow = { line: index + 1, given: {}, faults: {} }
    const parts: Partial<Record<NamePart, string>> = {}
    const corrected = options.corrections?.get(row.line) ?? {}
    for (const [at, column] of columns.entries()) {
      const stored = (cells[at] ?? '').trim()
      const cell = unformat ? withoutFormatting(stored) : stored
      if (!column || (cell === '' && !blanksErase)) continue
      if (isNamePart(column)) parts[column] = cell
      const field = isNamePart(column) ? 'full_name' : column
      const order = dayOrders[at] ?? 'day-month'
      const text = column === 'full_name' && surnamesFirst ? namesFirst(cell) : cell
      const fault = faultOf(text) ?? (isDayField(field) ? dayFaultOf(cell, order) : undefined)
      if (fault) row.faults[field] = fault
      row.given[field] = isDayField(field) ? toDay(cell, order) : text
    }
    const { first_names = '', last_name = '', mother_last_name = '' } = parts
    const full_name = [first_names, last_name, mother_last_name].filter(Boolean).join(' ')
    if (full_name !== '') {
      row.given.full_name = full_name
      const isWhole = first_names !== '' && full_name !== first_names
      if (!isWhole) row.faults.full_name ??= 'Al nombre le falta el nombre o el apellido.'
    }
    for (const [name, text] of Object.entries(corrected)) {
      const field = name as FieldName
      // A day is written in the order of its column, as its fault asks for it.
      const order = dayOrders[columns.indexOf(field)] ?? 'day-month'
      const fault = isDayField(field) ? dayFaultOf(text, order) : undefined
      row.given[field] = isDayField(field) ? toDay(text, order) : text
      if (fault) row.faults[field] = fault
      else delete row.faults[field]
    }
    return [row]
  })
}
