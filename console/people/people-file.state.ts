import { itemFaults, messageOf } from '../session/client.ts'
import { refreshSettings, signedIn } from '../session/session.ts'
import { createStore } from '../session/store.ts'
import { counted } from '../ui/text.ts'
import { hasFault } from './left-out.ts'
import {
  type BulkResult,
  checkPeople,
  chunksOf,
  type EmployeeRecord,
  type PersonWrite,
  readEverybody,
  type WarningCode,
  writePeople,
} from './people.queries.ts'
import {
  differencesOf,
  FIELDS,
  type FieldName,
  fieldsOf,
  isField,
  NEW_PERSON,
  nearFinder,
  shownValue,
  toRecord,
} from './person-fields.ts'
import { type Corrections, columnsInDoubt, headRowOf, readRows, type SheetRow } from './sheet.ts'
import { columnsOf, columnsProblem, type SheetField } from './sheet-columns.ts'
import type { DayOrder } from './sheet-days.ts'
import { spoiledIn } from './sheet-spoiled.ts'
import { parseTable, type Table } from './sheet-text.ts'

/** A row of the sheet, with the record that it would write. */
export interface FileRow {
  line: number
  write: PersonWrite
  before: EmployeeRecord | undefined
  /** Undefined until the service has checked the row, and while the row has a fault. */
  result?: BulkResult['result']
  warnings: Record<string, string[]>
  /** The stored values that a spreadsheet has probably changed. */
  spoiled: Partial<Record<FieldName, string>>
  /** The codes of the service's warnings, in the same order. The page's own warnings come last. */
  warning_codes: BulkResult['warning_codes']
  faults: Record<string, string>
}

/** A branch or department that only the sheet has. */
export interface NewPlace {
  field: PlaceField
  value: string
  /** The number of rows that have this value. */
  count: number
  /**
   * A name that is in use, or that more rows have, and that differs from `value` only by case,
   * accents, blanks or the form of a number. Undefined if there is none.
   */
  near: string | undefined
}

const PLACE_FIELDS = ['branch_office', 'department'] as const
type PlaceField = (typeof PLACE_FIELDS)[number]

type Phase = 'empty' | 'columns' | 'checking' | 'checked' | 'sending' | 'stopped' | 'done'

const EMPTY = {
  phase: 'empty' as Phase,
  table: [] as Table,
  columns: [] as (SheetField | undefined)[],
  /** The index of the row with the headings, or -1 if the sheet has no headings. */
  headRow: 0,
  blanksErase: false,
  unformat: false,
  surnamesFirst: false,
  dayOrders: {} as Readonly<Record<number, DayOrder>>,
  corrections: new Map() as Corrections,
  /** Whether cells have been corrected since the rows were checked. */
  isCorrected: false,
  rows: [] as FileRow[],
  newPlaces: [] as NewPlace[],
  /** The number of rows that have been checked or written. `total` is the number to reach. */
  done: 0,
  total: 0,
  problem: '',
}

type PeopleFile = typeof EMPTY

/** The sheet stays while the user looks at a person. It is lost when the tab is closed. */
export const peopleFile = createStore(EMPTY)

export const forgetFile = (problem = ''): void => peopleFile.set({ ...EMPTY, problem })

/** The last choice of columns. It is applied to the next sheet with the same headings. */
let lastChoice: { head: string; columns: PeopleFile['columns'] } | undefined

const headOf = (table: Table, headRow: number): string => JSON.stringify(table[headRow] ?? [])

const longestOf = (table: Table): readonly string[] =>
  table.reduce((longest, cells) => (cells.length > longest.length ? cells : longest), [])

/** Applies a choice about the sheet, and drops the results of an earlier check. */
const chooseAgain = (choice: Partial<PeopleFile>): void =>
  peopleFile.set({ ...choice, phase: 'columns', rows: [], problem: '' })

/** Sets the index of the row with the headings, or -1 if the sheet has no headings. */
export const chooseHeadRow = (headRow: number, table = peopleFile.get().table): void => {
  const head = headOf(table, headRow)
  // Without headings, the longest row determines the number of columns.
  const names = table[headRow] ?? Array.from(longestOf(table), () => '')
  const columns = lastChoice?.head === head ? lastChoice.columns : columnsOf(names)
  const { unformat, surnamesFirst, dayOrders, corrections } = EMPTY
  const choices = { unformat, surnamesFirst, dayOrders, corrections }
  chooseAgain({ table, columns, headRow, ...choices })
}

export const openText = async (text: string): Promise<void> => {
  try {
    const table = await parseTable(text)
    if (table.length === 0) return forgetFile('No hay ninguna celda.')
    chooseHeadRow(headRowOf(table), table)
  } catch {
    forgetFile('No se pudo leer. Revisa tu conexión, y que sean celdas o un archivo CSV.')
  }
}

/** Assigns a field to a column and takes the field from any other column. */
export const chooseColumn = (index: number, field: SheetField | undefined): void => {
  const { table, headRow, columns: before } = peopleFile.get()
  const columns = before.map((other, at) =>
    at === index ? field : other === field ? undefined : other,
  )
  lastChoice = { head: headOf(table, headRow), columns }
  chooseAgain({ columns })
}

export const chooseBlanks = (blanksErase: boolean): void => chooseAgain({ blanksErase })

/** Sets whether a spreadsheet's formatting around texts, such as `="007"`, is removed. */
export const chooseUnformat = (unformat: boolean): void => chooseAgain({ unformat })

/** Sets whether the full names of the sheet begin with the surnames. */
export const chooseSurnamesFirst = (surnamesFirst: boolean): void => chooseAgain({ surnamesFirst })

/** Sets the order of the day and the month in a column, or undefined if it is not chosen. */
export const chooseDayOrder = (column: number, order: DayOrder | undefined): void => {
  const { [column]: _, ...others } = peopleFile.get().dayOrders
  chooseAgain({ dayOrders: order ? { ...others, [column]: order } : others })
}

/** Keeps what the user has written in place of a cell. The rows must then be checked again. */
export const correctCell = (line: number, field: FieldName, text: string): void => {
  const { corrections } = peopleFile.get()
  const ofLine = { ...corrections.get(line), [field]: text.trim() }
  peopleFile.set({ corrections: new Map([...corrections, [line, ofLine]]), isCorrected: true })
}

/** Writes a name that is in use in place of one that is like it, and checks the sheet again. */
export const takeNearPlace = ({ field, value, near = value }: NewPlace): Promise<void> => {
  for (const { line, write } of peopleFile.get().rows) {
    if (write[field] === value) correctCell(line, field, near)
  }
  return checkFile()
}

/** Says what the user must still choose before the rows can be read. Empty if nothing is left. */
export const choiceProblem = (): string => {
  const { table, columns, headRow, dayOrders } = peopleFile.get()
  const isOpen = columnsInDoubt(table, { columns, headRow }).some((at) => !dayOrders[at])
  return columnsProblem(columns) || (isOpen ? 'Di en qué orden están el día y el mes.' : '')
}

const REQUIRED = [
  ['full_name', 'Falta el nombre.'],
  ['started_at', 'Falta la fecha de ingreso.'],
] as const

/** If the sheet does not have a field, uses the stored record's value. */
const toFileRow = (
  { line, given, faults: found }: SheetRow,
  before: EmployeeRecord | undefined,
): FileRow => {
  const record = { ...(before ? fieldsOf(before) : NEW_PERSON), ...given }
  const faults: FileRow['faults'] = { ...found }
  if (record.employee_id === '') faults.employee_id = 'Falta el número.'
  for (const [field, text] of REQUIRED) if (record[field] === '') faults[field] ??= text
  const write = { ...toRecord(record), expected_version: before?.version ?? 0 }
  const spoiled = spoiledIn(write, before)
  const warnings = Object.fromEntries(
    Object.entries(spoiled).map(([name, stored]) => [
      name,
      [`¿Es ${shownValue(stored)}? Una hoja de cálculo cambia así lo que parece número o fecha.`],
    ]),
  )
  return { line, write, before, warnings, warning_codes: {}, spoiled, faults }
}

/**
 * Finds employee ids that several rows have, even if different requests send these rows. Also finds
 * changes of the user's own record, which somebody else must make.
 */
const checkTogether = (rows: readonly FileRow[]): void => {
  const lines = new Map<string, number>()
  const own = signedIn().user.employee_id
  for (const row of rows) {
    const { employee_id } = row.write
    const first = lines.get(employee_id)
    if (first !== undefined) row.faults.employee_id ??= `Ya está en la fila ${first}.`
    else lines.set(employee_id, row.line)
    if (employee_id !== own || !row.before) continue
    if (differencesOf(row.write, row.before).length === 0) row.result = 'same'
    else row.faults.employee_id ??= 'Tu propio registro lo cambia otra persona.'
  }
}

export const hasWarning = ({ warnings }: FileRow): boolean => Object.keys(warnings).length > 0
export const isToSend = (row: FileRow): boolean =>
  !hasFault(row) && (row.result === 'new' || row.result === 'changed')

/** The fields that empty cells erase, each with the number of people who lose the value. */
export const erasedBy = (rows: readonly FileRow[]): [FieldName, number][] =>
  FIELDS.map((field): [FieldName, number] => [
    field,
    rows.filter(({ before, write }) => before?.[field] && !write[field]).length,
  ]).filter(([, count]) => count > 0)

const removeWarning = (row: FileRow, field: string, code: WarningCode['code']): void => {
  const codes = row.warning_codes[field] ?? []
  const isOther = (_: unknown, i: number) => codes[i]?.code !== code
  const texts = row.warnings[field]?.filter(isOther) ?? []
  if (texts.length > 0) {
    row.warnings[field] = texts
    row.warning_codes[field] = codes.filter(isOther)
  } else {
    delete row.warnings[field]
    delete row.warning_codes[field]
  }
}

const UNUSED = { branch_office: 'BRANCH_UNUSED', department: 'DEPARTMENT_UNUSED' } as const

/** Finds the places that only the sheet has, and removes the warnings about them from the rows. */
const takeNewPlaces = (
  rows: readonly FileRow[],
  stored: ReadonlyMap<string, EmployeeRecord>,
): NewPlace[] =>
  PLACE_FIELDS.flatMap((field) => {
    const known = new Set([...stored.values()].map((person) => person[field]))
    const counts = new Map<string, number>()
    for (const row of rows.filter(isToSend)) {
      const value = row.write[field]
      if (value === '' || known.has(value)) continue
      counts.set(value, (counts.get(value) ?? 0) + 1)
      removeWarning(row, field, UNUSED[field])
    }
    const found = [...counts].sort(([, a], [, b]) => b - a)
    const nearOf = nearFinder([...known, ...found.map(([value]) => value)])
    return found.map(([value, count]) => ({ field, value, count, near: nearOf(value) }))
  })

/** Adds the faults in an error to their rows. Returns false if the error names no fault. */
const noteFaults = (rows: readonly FileRow[], error: unknown): boolean => {
  let found = false
  for (const { position, field, text } of itemFaults(error)) {
    const row = rows[position]
    if (!row) continue
    const isOwn = isField(field) || field === 'expected_version'
    row.faults[isOwn ? field : 'employee_id'] = text
    delete row.result
    found = true
  }
  return found
}

const bothOf = (a: FileRow['warnings'], b: FileRow['warnings']): FileRow['warnings'] => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).map(([name, texts]) => [name, [...(a[name] ?? []), ...texts]]),
  ),
})

/**
 * Asks the service to check rows. If a row has a fault, the service returns no results, so the rows
 * without a fault are sent again.
 */
const checkRows = async (rows: readonly FileRow[]): Promise<void> => {
  for (let open = rows; open.length > 0; open = open.filter((row) => !hasFault(row))) {
    try {
      const results = await checkPeople(open.map(writeOf))
      for (const [i, { result, warnings, warning_codes }] of results.entries()) {
        const row = open[i]
        if (!row) continue
        Object.assign(row, { result, warnings: bothOf(warnings, row.warnings), warning_codes })
      }
      return
    } catch (error) {
      if (!noteFaults(open, error)) throw error
    }
  }
}

const writeOf = ({ write }: FileRow): PersonWrite => write

/** Lets the browser paint the page. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

/** Compares the sheet with the stored records. Then the service checks the rows without a fault. */
export const checkFile = async (): Promise<void> => {
  const { table, ...options } = peopleFile.get()
  const sheet = readRows(table, options)
  peopleFile.set({
    phase: 'checking',
    isCorrected: false,
    rows: [],
    done: 0,
    total: sheet.length,
    problem: '',
  })
  try {
    const stored = await readEverybody()
    const rows = sheet.map((row) => toFileRow(row, stored.get(row.given.employee_id ?? '')))
    checkTogether(rows)
    const open = rows.filter((row) => !hasFault(row) && row.result === undefined)
    let done = rows.length - open.length
    for (const chunk of chunksOf(open, writeOf)) {
      await checkRows(chunk)
      done += chunk.length
      peopleFile.set({ done })
      await pause()
    }
    peopleFile.set({ phase: 'checked', rows, newPlaces: takeNewPlaces(rows, stored) })
  } catch (error) {
    peopleFile.set({ phase: 'columns', problem: messageOf(error) })
  }
}

/**
 * Writes the rows that change something. After an error the sheet must be checked again. That check
 * finds no difference in the rows that were written, so nothing is written twice.
 */
export const sendFile = async (): Promise<void> => {
  const { rows } = peopleFile.get()
  const toSend = rows.filter(isToSend)
  const total = toSend.length
  let done = 0
  peopleFile.set({ phase: 'sending', done, total, problem: '' })
  const stop = (problem: string) => {
    const saved =
      done > 0
        ? ` Ya se guardaron ${done.toLocaleString('es-MX')} de ${counted(total, 'persona')}.`
        : ''
    peopleFile.set({ phase: 'stopped', rows: [...rows], problem: problem + saved })
  }
  for (const chunk of chunksOf(toSend, writeOf)) {
    try {
      await writePeople(chunk.map(writeOf))
    } catch (error) {
      if (!noteFaults(chunk, error)) return stop(messageOf(error))
      const isMoved = chunk.filter(hasFault).every(({ faults }) => faults.expected_version)
      return stop(
        isMoved
          ? 'Estos registros cambiaron mientras tanto.'
          : 'El servicio no aceptó estas filas.',
      )
    }
    for (const row of chunk) Object.assign(row, { result: 'same', warnings: {}, warning_codes: {} })
    done += chunk.length
    peopleFile.set({ done })
    await pause()
  }
  await refreshSettings()
  peopleFile.set({ phase: 'done' })
}
