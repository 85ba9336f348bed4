import type { LogKind } from '../../core/values/log-values.ts'
import { DAY_MS, type Zones } from '../../core/values/time-zone.ts'

/** Reads the lines that clocks send, and says what their columns mean: the kind, day and moment. */

interface WrittenPunch {
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

/** The fields of a form that say who sends and what. */
const ENVELOPE = /^(sn|table|tablename|stamp|count)$/i

/**
 * The lines of a body. A clock may send them as a form: one punch by its names, or lines as the value
 * of some field.
 */
export const linesOfBody = (text: string): string[] => {
  const form = text.trim()
  if (!/^[\w.-]+=\S*$/.test(form) || !/[&%]/.test(form)) return linesOf(text)
  const fields = [...new URLSearchParams(form)].filter(([name]) => !ENVELOPE.test(name))
  const isOnePunch = fields.some(([name]) => /^pin$/i.test(name))
  if (isOnePunch) return [fields.map(([name, value]) => `${name}=${value}`).join('\t')]
  return fields.flatMap(([, value]) => linesOf(value))
}

const DATE = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/
const TIME = /^\d{1,2}:\d{2}(:\d{2})?$/
const DATE_AND_TIME = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T ]+(\d{1,2}):(\d{2}:\d{2})$/

export const beginsWithDate = (cell: string): boolean => /^\d{4}[-/]\d{1,2}[-/]\d/.test(cell)

const writtenTime = (cell: string): string => {
  const [, year, month = '', day = '', hour = '', rest] = DATE_AND_TIME.exec(cell) ?? []
  if (year === undefined) return cell.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ')
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${hour.padStart(2, '0')}:${rest}`
}

const SEPARATORS = ['\t', '|', ';', ',']

/** The cells of a line, separated by tabs, another sign, or blanks. A date and its time are one. */
export const cellsOf = (line: string): string[] => {
  const separator = SEPARATORS.find((one) => line.includes(one))
  const cells = separator ? line.split(separator) : line.trim().split(/\s+/)
  const trimmed = cells.map((cell) => cell.trim())
  const isTimeOf = (i: number) => TIME.test(trimmed[i] ?? '') && DATE.test(trimmed[i - 1] ?? '')
  return trimmed.flatMap((cell, i) => {
    if (isTimeOf(i)) return []
    return isTimeOf(i + 1) ? [`${cell} ${trimmed[i + 1]}`] : [cell]
  })
}

export const punchOf = (number: string, time: string, status = ''): WrittenPunch | undefined => {
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

/** The keys of a clock: check-in, end of a break, start of overtime; then their opposites. */
const ENTRADA = ['0', '3', '4']
const SALIDA = ['1', '2', '5']

export const kindOf = (status: string, usesKeys: boolean): LogKind => {
  if (usesKeys && ENTRADA.includes(status)) return 'entrada'
  return usesKeys && SALIDA.includes(status) ? 'salida' : 'checada'
}

/** The day of a punch. '' if its time has no valid day, or one of another century. */
export const dayOf = (local_at: string): string => {
  const [day = ''] = /^20\d{2}-\d{2}-\d{2}(?= )/.exec(local_at) ?? []
  const ms = Date.parse(day)
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? '' : day
}

/** A clock that has lost its time begins again in one of these years, or a few years ago. */
const FIRST_YEAR = '2010'

/**
 * Whether a clock wrote this time after it had lost its own: before 2010, or more than a year before
 * its first day. What is less old is taken for what it has kept since then.
 */
export const isOfLostTime = (local_at: string, from_day: string): boolean => {
  const yearBefore = `${Number(from_day.slice(0, 4)) - 1}${from_day.slice(4)}`
  const day = dayOf(local_at)
  return local_at < FIRST_YEAR || (day !== '' && day < yearBefore)
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** If an hour exists twice, a punch of the second one arrives at most this much later. */
const AT_ONCE_MS = 15 * 60_000

/**
 * The moment (UTC) of a clock's local time in a branch. Of an hour that exists twice, it is the one
 * shortly before the arrival, or else the first one. Null if the time does not exist.
 */
export const momentOf = (
  local_at: string,
  branch: string,
  zones: Zones,
  arrived: Date,
): string | null => {
  if (dayOf(local_at) === '' || !LOCAL_TIME.test(local_at)) return null
  const asUtc = Date.parse(`${local_at.replace(' ', 'T')}Z`)
  const localTime = (ms: number) => zones.zoneAt(branch, new Date(ms)).localTime(new Date(ms))
  const offsetAt = (ms: number) => Date.parse(`${localTime(ms).replace(' ', 'T')}Z`) - ms
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map(offsetAt)
  // If the offset does not change around then, the time exists once. Asking takes long.
  const isSteady = offsets[0] === offsets[1]
  const moments = [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((ms) => isSteady || localTime(ms) === local_at)
    .toSorted((a, b) => a - b)
  const isAtOnce = (ms: number) => {
    const age = arrived.getTime() - ms
    return age >= 0 && age <= AT_ONCE_MS
  }
  const moment = moments.findLast(isAtOnce) ?? moments[0]
  return moment === undefined ? null : new Date(moment).toISOString()
}
