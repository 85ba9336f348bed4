/** Reads the lines that clocks send, and those of the files that they write on a USB stick. */

export interface WrittenPunch {
  number: string
  /** As the clock wrote it. A date with slashes or single digits is written with hyphens. */
  local_at: string
  status: string
}

/**
 * Reads a line. It is `other` if it is known to be no punch, such as the event of a door, and
 * undefined if it cannot be read.
 */
export type ReadLine = (line: string) => WrittenPunch | 'other' | undefined

/** Clocks write lines of some hundred characters. A longer line is not read. */
export const LINE_MAX = 500

/** The longest number of a person at a clock. */
export const NUMBER_MAX = 50

/** The longest text that is kept as the time of a punch. */
const TIME_MAX = 30

/** The number of a line that has none. */
const NO_NUMBER = '?'

/** The lines of a text that are not blank. Clocks end a text with NULs, and lines with CR and LF. */
export const linesOf = (text: string): string[] =>
  text
    .replaceAll('\0', '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')

const DATE = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/
const TIME = /^\d{1,2}:\d{2}(:\d{2})?$/
const DATE_AND_TIME = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T ]+(\d{1,2}):(\d{2}:\d{2})$/

const beginsWithDate = (cell: string): boolean => /^\d{4}[-/]\d{1,2}[-/]\d/.test(cell)

const writtenTime = (cell: string): string => {
  const [, year, month = '', day = '', hour = '', rest] = DATE_AND_TIME.exec(cell) ?? []
  if (year === undefined) return cell.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ')
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${hour.padStart(2, '0')}:${rest}`
}

const SEPARATORS = ['\t', '|', ';', ',']

/** The cells of a line, separated by tabs, another sign, or blanks. A date and its time are one. */
const cellsOf = (line: string): string[] => {
  const separator = SEPARATORS.find((one) => line.includes(one))
  const cells = separator ? line.split(separator) : line.trim().split(/\s+/)
  const trimmed = cells.map((cell) => cell.trim())
  const isTimeOf = (i: number) => TIME.test(trimmed[i] ?? '') && DATE.test(trimmed[i - 1] ?? '')
  return trimmed.flatMap((cell, i) => {
    if (isTimeOf(i)) return []
    return isTimeOf(i + 1) ? [`${cell} ${trimmed[i + 1]}`] : [cell]
  })
}

const punchOf = (number: string, time: string, status = ''): WrittenPunch | undefined => {
  const written = number.trim().replace(/\s+/g, '_') || NO_NUMBER
  const local_at = writtenTime(time.trim())
  if (written.length > NUMBER_MAX || local_at === '' || local_at.length > TIME_MAX) return undefined
  return { number: written, local_at, status: status.trim() }
}

/**
 * The values of a line that names them, in lower case: `pin=4 <tab> time=…`. A value ends before a
 * sign, or before the next name. Undefined for any other line.
 */
const namedValues = (line: string): Map<string, string> | undefined => {
  if (!/(^|[\s|;,&])pin=/i.test(line)) return undefined
  // A name or a gap is tried only where it begins: a long one would take the square of its length.
  const values = line.matchAll(/\b([a-z_]\w*)=(.*?)(?=[\t|;,&]|(?<!\s)\s+[a-z_]\w*=|$)/gi)
  return new Map([...values].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]))
}

/** The records of people that a clock also has. They are no punches, and nothing of them is kept. */
const PERSONAL = /^\s*(user\w*|fp|fingertmp|face|fvein|palm|templatev\d+|bio\w+|idcard)\s+\w+=/i
const PERSONAL_NAMES = ['name', 'passwd', 'password', 'pri', 'tmp', 'template', 'content', 'card']

/** What the clock itself records, such as a menu that was opened. */
const OPERATION = /^\s*oplog\s/i

/** Events of doors from this number on are no punches: a card was refused, or a door was opened. */
const FIRST_OTHER_EVENT = 20

const isOtherEvent = (named: Map<string, string>): boolean =>
  Number(named.get('event') ?? named.get('eventtype') ?? 0) >= FIRST_OTHER_EVENT ||
  named.get('pin') === '0'

/** The protocol counts seconds since 2000, as if every month had 31 days. */
const protocolTime = (text: string | undefined): string | undefined => {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return undefined
  const seconds = Number(text)
  const days = Math.floor(seconds / 86_400)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [2000 + Math.floor(days / 372), (Math.floor(days / 31) % 12) + 1, (days % 31) + 1]
  const time = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
  return `${date.map(two).join('-')} ${time.map(two).join(':')}`
}

const readNamed = (named: Map<string, string>): ReturnType<ReadLine> => {
  if (isOtherEvent(named)) return 'other'
  const time = named.get('time') ?? named.get('datetime') ?? protocolTime(named.get('time_second'))
  if (!time) return PERSONAL_NAMES.some((name) => named.has(name)) ? 'other' : undefined
  const status = named.get('inoutstatus') ?? named.get('inoutstate') ?? named.get('status')
  return punchOf(named.get('pin') ?? '', time, status)
}

/**
 * Reads a line of number, time, status, and more. Between tabs, the time may be any text, which then
 * waits as it is; but not beside another cell that has the time.
 */
const readColumns = (line: string, statusColumn: number): WrittenPunch | undefined => {
  const cells = cellsOf(line)
  const [number = '', time = ''] = cells
  const isPunch =
    beginsWithDate(time) || (line.includes('\t') && !cells.some((cell) => beginsWithDate(cell)))
  return isPunch ? punchOf(number, time, cells[statusColumn]) : undefined
}

/** Reads a line that a clock sends: number, time, status, and up to nine more columns, or names. */
export const readPushed: ReadLine = (line) => {
  if (line.length > LINE_MAX) return undefined
  if (PERSONAL.test(line) || OPERATION.test(line)) return 'other'
  const named = namedValues(line)
  return named ? readNamed(named) : readColumns(line, 2)
}

/** The headings of the columns that a file may have, without signs and in lower case. */
const NUMBER_HEADINGS = ['enno', 'enrollnumber', 'pin', 'userid', 'acno', 'empno', 'id', 'numero']
const TIME_HEADINGS = ['datetime', 'time', 'fechahora', 'fecha', 'date']
const STATUS_HEADINGS = ['iomd', 'inout', 'inoutstatus', 'status', 'state', 'estado']

const plainHeading = (cell: string): string =>
  cell
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

/**
 * Where a file has number and status. Names are between the two and may be blank or have blanks. So
 * the number is counted from the left, and the status from the time.
 */
interface FileForm {
  number: number
  statusFromTime: number
}

/** The form that a heading names: `No, Mchn, EnNo, Name, Mode, IOMd, DateTime` of GLG_001.TXT. */
const formOfHeading = (line: string): FileForm | undefined => {
  const headings = cellsOf(line).map(plainHeading)
  const number = headings.findIndex((heading) => NUMBER_HEADINGS.includes(heading))
  const named = headings.filter((heading) => heading !== '')
  const time = named.findIndex((heading) => TIME_HEADINGS.includes(heading))
  const status = named.findIndex((heading) => STATUS_HEADINGS.includes(heading))
  if (number === -1 || time === -1) return undefined
  return { number, statusFromTime: status === -1 ? Infinity : status - time }
}

/** Without a heading: `attlog.dat`, whose third column is the device, or the same with a name. */
const WITHOUT_HEADING: FileForm = { number: 0, statusFromTime: 2 }

const timeColumn = (cells: readonly string[]): number => cells.findIndex(beginsWithDate)

/** Whether the time is beside the number, or beside a name that is no number. */
const isWithoutHeading = (line: string): boolean => {
  const cells = cellsOf(line)
  const time = timeColumn(cells)
  return time === 1 || (time === 2 && !/^\d*$/.test(cells[1] ?? ''))
}

const readOfFile =
  ({ number, statusFromTime }: FileForm): ReadLine =>
  (line) => {
    if (line.length > LINE_MAX) return undefined
    const cells = cellsOf(line)
    const time = timeColumn(cells)
    return time > number
      ? punchOf(cells[number] ?? '', cells[time] ?? '', cells[time + statusFromTime])
      : undefined
  }

const hasTimeOfDay = (written: ReturnType<ReadLine>): boolean =>
  typeof written === 'object' && /\d:\d/.test(written.local_at)

/**
 * The lines of a part of a file, and how to read them. Undefined if it is no file of a clock's
 * attendance: no line has a number and a time of day. Tables of other things have dates alone. A file
 * with a heading has it in each part.
 */
export const readFile = (text: string): { lines: string[]; read: ReadLine } | undefined => {
  const all = linesOf(text)
  const [first = '', ...rest] = all
  const form = timeColumn(cellsOf(first)) === -1 ? formOfHeading(first) : undefined
  const withoutHeading: ReadLine = (line) =>
    isWithoutHeading(line) ? readOfFile(WITHOUT_HEADING)(line) : undefined
  const [lines, read] = form ? [rest, readOfFile(form)] : [all, withoutHeading]
  return lines.some((line) => hasTimeOfDay(read(line))) ? { lines, read } : undefined
}
