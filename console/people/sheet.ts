import { withoutAccents } from '../ui/text.ts'
import { FIELD_NAMES, type FieldName, isDayField, isField } from './person-fields.ts'

/** Reads a pasted sheet or a CSV file. Every cell stays a text, so that leading zeros stay too. */

export type Table = string[][]

/** Decodes UTF-8, UTF-16LE with a byte order mark, or Windows-1252 (CSV of Excel in Mexico). */
export const decodeFile = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether a file is a workbook, which only a spreadsheet program can read. */
export const isWorkbook = ([first, second]: Uint8Array): boolean =>
  (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)

const countIn = (text: string, part: string): number => text.split(part).length - 1

/**
 * Returns the delimiter. It is a tab if the first line has one, as in copied cells. Otherwise it is
 * the comma or the semicolon, whichever is more frequent in the first line.
 */
const delimiterOf = (text: string): string => {
  const [head = ''] = text.split(/\r|\n/, 1)
  if (head.includes('\t')) return '\t'
  return countIn(head, ';') > countIn(head, ',') ? ';' : ','
}

/** Returns the cells of each row. Empty rows are kept, except at the end, to keep row numbers. */
export const parseTable = async (text: string): Promise<Table> => {
  const { default: papaparse } = await import('papaparse')
  const delimiter = delimiterOf(text)
  const parsed = papaparse.parse<string[]>(text, { delimiter })
  const isBroken = delimiter === '\t' && parsed.errors.some(({ type }) => type === 'Quotes')
  // Some spreadsheets do not escape a quote at the beginning of a copied cell. Then all quotes are
  // read as plain text.
  const { data } = isBroken
    ? papaparse.parse<string[]>(text, { delimiter, quoteChar: '\0' })
    : parsed
  while (data.length > 0 && data.at(-1)?.every((cell) => cell.trim() === '')) data.pop()
  return data
}

/** The parts of a full name. Many sheets have a column for each part. */
const NAME_PARTS = {
  first_names: 'Nombre(s)',
  last_name: 'Apellido paterno',
  mother_last_name: 'Apellido materno',
}

type NamePart = keyof typeof NAME_PARTS

/** The content of a column: a field of the record, or a part of the full name. */
export type SheetField = FieldName | NamePart

export const SHEET_FIELDS: Record<SheetField, string> = { ...FIELD_NAMES, ...NAME_PARTS }

export const isSheetField = (name: string): name is SheetField => Object.hasOwn(SHEET_FIELDS, name)

const isNamePart = (field: SheetField): field is NamePart => Object.hasOwn(NAME_PARTS, field)

/**
 * The headings that mean a field, besides the field's own name. They are written as `wordsOf`
 * returns them, with `|` between them.
 */
const HEADINGS: Record<SheetField, string> = {
  employee_id:
    'numero|no|num|id|clave|codigo|numero de empleado|no de empleado|no empleado|num empleado|numero empleado|id empleado|clave de empleado',
  full_name: 'nombre|nombre completo|empleado|persona|trabajador|colaborador|nombre del empleado',
  rfc: 'r f c',
  branch_office: 'sucursal|planta|tienda|centro de trabajo|oficina',
  department: 'departamento|depto|area',
  job_position: 'puesto|cargo',
  payroll_group: 'grupo de nomina|grupo|nomina|tipo de nomina',
  started_at: 'ingreso|fecha de ingreso|fecha ingreso|alta|fecha de alta|fecha alta',
  paid_from: 'se paga desde|pagar desde|primer dia que se paga',
  ended_at: 'ultimo dia|ultimo dia de trabajo|baja|fecha de baja|fecha baja',
  phone: 'telefono|tel|telefono fijo',
  cellphone: 'celular|cel|movil|telefono celular',
  profile_image: 'imagen|foto|fotografia',
  first_names: 'nombres|nombre s|nombre de pila',
  last_name: 'apellido paterno|paterno|primer apellido|ap paterno|apellidos|apellido',
  mother_last_name: 'apellido materno|materno|segundo apellido|ap materno',
}

const FIELD_OF_HEADING = new Map(
  Object.entries(HEADINGS).flatMap(([field, names]) =>
    names.split('|').map((name) => [name, field as SheetField] as const),
  ),
)

const wordsOf = (heading: string): string =>
  withoutAccents(heading)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/**
 * Returns the field that each heading names. It is undefined if the heading names no field, if an
 * earlier column has the field, or if it names a part of a name and another column has full names.
 */
export const columnsOf = (head: readonly string[]): (SheetField | undefined)[] => {
  const headings = head.map(wordsOf)
  const hasSurnames = headings.some((words) => FIELD_OF_HEADING.get(words) === 'last_name')
  const used = new Set<SheetField>()
  const columns = head.map((heading, i) => {
    const key = heading.trim().toLowerCase()
    const words = headings[i] ?? ''
    const named = isField(key) ? key : FIELD_OF_HEADING.get(words)
    // If other columns have the surnames, `Nombre` means only the first names.
    const field = hasSurnames && words === 'nombre' ? 'first_names' : named
    if (!field || used.has(field)) return undefined
    used.add(field)
    return field
  })
  const needsParts = !used.has('full_name')
  return columns.map((field) => (field && isNamePart(field) && !needsParts ? undefined : field))
}

/**
 * Returns a text about what the user must still choose before the rows can be read. It is empty if
 * the choice is complete.
 */
export const columnsProblem = (columns: readonly (SheetField | undefined)[]): string => {
  const has = (field: SheetField) => columns.includes(field)
  if (!has('employee_id')) return 'Elige qué columna es el número.'
  if (!columns.some((field) => field && isNamePart(field))) return ''
  if (has('full_name')) return 'Elige el nombre completo o sus partes, no los dos.'
  return has('first_names') && has('last_name')
    ? ''
    : 'Falta elegir el nombre o el apellido paterno. Si una columna trae todo, es el nombre completo.'
}

/** The number of rows at the top that may have the headings. A title may be above the headings. */
export const HEAD_ROWS_MAX = 10

/**
 * Returns the index of the row with the headings. Of the first ten rows, it is the first with two
 * known headings or more. If there is none, it is 0 if row 0 has one known heading, or else -1.
 */
export const headRowOf = (table: Table): number => {
  const known = (cells: readonly string[]) => columnsOf(cells).filter(Boolean).length
  const found = table.slice(0, HEAD_ROWS_MAX).findIndex((cells) => known(cells) > 1)
  return found === -1 && known(table[0] ?? []) > 0 ? 0 : found
}

/** `A`, `B` … `AA` */
export const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))

const MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ')

/** Completes a year of two digits to a year from 1930 to 2029, as Excel does. */
const yearOf = (digits: string): string =>
  digits.length > 2 ? digits : `${Number(digits) < 30 ? 20 : 19}${digits}`

/**
 * Returns `2025-12-31` for `31/12/2025`, `31-dic-25` or `2025-12-31 00:00`. If the text is not a
 * date, returns it unchanged.
 */
export const toDay = (cell: string): string => {
  const text = cell.replace(/[ T]0?0:00(:00)?(\.0+)?$/, '')
  const iso = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(text)
  const [, day = '', month = '', year = ''] = iso
    ? ['', iso[3], iso[2], iso[1]]
    : (/^(\d\d?)[-/. ](\d\d?|[a-zA-Z]{3,})\.?[-/. ](\d{4}|\d\d)$/.exec(text) ?? [])
  const named = MONTHS.indexOf(month.toLowerCase().slice(0, 3)) + 1
  if (!day || (/\D/.test(month) && named === 0)) return cell
  const number = named || month
  return `${yearOf(year)}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}

const isDay = (text: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Returns what is wrong with the cell of a day. Undefined if nothing is wrong. */
const dayFaultOf = (cell: string): string | undefined => {
  if (cell === '' || isDay(toDay(cell))) return undefined
  if (/^\d{5}$/.test(cell)) {
    return 'Es un número de Excel: dale formato de fecha a su columna y cópiala otra vez.'
  }
  const swapped = cell.replace(/^(\d\d?)([-/. ])(\d\d?)(?=\2)/, '$3$2$1')
  return isDay(toDay(swapped))
    ? 'No existe ese día. ¿Está en mes/día/año? Escribe día/mes/año.'
    : 'No existe ese día: escribe día/mes/año.'
}

/**
 * Returns what is wrong with the cell of any column: the sheet has abbreviated a number, or shows
 * an error. Undefined if nothing is wrong.
 */
const faultOf = (cell: string): string | undefined => {
  if (/^\d([.,]\d+)?E\+\d+$/i.test(cell)) {
    return 'La hoja abrevió este número: pon su columna como texto y cópiala otra vez.'
  }
  return /^#(N\/[AD]|¡?[\p{L}/0]+[!?])$/u.test(cell) ? 'Es un error de la hoja.' : undefined
}

export interface SheetRow {
  /** The row's number in the sheet, from 1. */
  line: number
  given: Partial<Record<FieldName, string>>
  faults: Partial<Record<FieldName, string>>
}

interface ReadOptions {
  columns: readonly (SheetField | undefined)[]
  /** The index of the row with the headings, or -1 if the sheet has no headings. */
  headRow: number
  /** Whether an empty cell erases the stored value. Otherwise the value stays. */
  blanksErase: boolean
}

/** Returns a row for each person. Empty rows and columns without a field are left out. */
export const readRows = (
  table: Table,
  { columns, headRow, blanksErase }: ReadOptions,
): SheetRow[] =>
  table.flatMap((cells, index) => {
    if (index <= headRow || cells.every((cell) => cell.trim() === '')) return []
    const row: SheetRow = { line: index + 1, given: {}, faults: {} }
    const parts: Partial<Record<NamePart, string>> = {}
    for (const [at, column] of columns.entries()) {
      const cell = (cells[at] ?? '').trim()
      if (!column || (cell === '' && !blanksErase)) continue
      if (isNamePart(column)) parts[column] = cell
      const field = isNamePart(column) ? 'full_name' : column
      const fault = faultOf(cell) ?? (isDayField(field) ? dayFaultOf(cell) : undefined)
      if (fault) row.faults[field] = fault
      row.given[field] = isDayField(field) ? toDay(cell) : cell
    }
    const { first_names = '', last_name = '', mother_last_name = '' } = parts
    const full_name = [first_names, last_name, mother_last_name].filter(Boolean).join(' ')
    if (full_name === '') return [row]
    row.given.full_name = full_name
    const isWhole = first_names !== '' && full_name !== first_names
    if (!isWhole) row.faults.full_name ??= 'Al nombre le falta el nombre o el apellido.'
    return [row]
  })
