import type { LogKind } from '../core/log-values.ts'
import { DAY_MS, type Zones } from '../core/time-zone.ts'

/** The punches that a clock writes, as text lines, and the moments that they mean. */

/** The columns of a line that is separated by tabs. */
export interface LineFormat {
  statusColumn: number
}

/** What a clock sends with `table=ATTLOG`: number, time, status, and up to nine more columns. */
export const PUSHED: LineFormat = { statusColumn: 2 }

/** A file on a USB stick, `attlog.dat`: number, time, device, status, and more. */
export const ON_STICK: LineFormat = { statusColumn: 3 }

/** Clocks write lines of some hundred characters. A longer line is not read. */
const LINE_MAX = 500

/**
 * The values of a line that names them, as clocks for doors send it with `table=rtlog`. Undefined for
 * any other line.
 */
const namedValues = (line: string): Map<string, string> | undefined => {
  if (!/(^|\t)pin=/i.test(line)) return undefined
  return new Map(
    line.split('\t').map((part): [string, string] => {
      const [name = '', ...rest] = part.split('=')
      return [name.trim().toLowerCase(), rest.join('=')]
    }),
  )
}

/** Events of doors from this number on are no punches: a card was refused, or a door was opened. */
const FIRST_OTHER_EVENT = 20

const isPunch = (named: Map<string, string>): boolean =>
  !(Number(named.get('event') ?? 0) >= FIRST_OTHER_EVENT) && named.get('pin')?.trim() !== '0'

interface WrittenPunch {
  number: string
  /** As the clock wrote it. */
  local_at: string
  status: string
}

/** The longest number of a person at a clock. */
export const NUMBER_MAX = 50

/** The number of a line that has none. */
const NO_NUMBER = '?'

/** The longest text that is kept as the time of a punch. */
const TIME_MAX = 30

/** The lines of a text that are not blank. Clocks end a text with NULs, and lines with CR and LF. */
export const linesOf = (text: string): string[] =>
  text
    .replaceAll('\0', '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')

/**
 * Returns `other` for an event of a door that is no punch, and undefined for a line that is no punch
 * of a clock at all.
 */
export const readLine = (
  line: string,
  { statusColumn }: LineFormat,
): WrittenPunch | 'other' | undefined => {
  if (line.length > LINE_MAX) return undefined
  const named = namedValues(line)
  if (named && !isPunch(named)) return 'other'
  const columns = line.split('\t')
  const [number = '', time = '', status = ''] = named
    ? [named.get('pin'), named.get('time'), named.get('inoutstatus')]
    : [columns[0], columns[1], columns[statusColumn]]
  const written = number.trim().replace(/\s+/g, '_') || NO_NUMBER
  const local_at = time.trim().replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ')
  if (written.length > NUMBER_MAX || local_at === '' || local_at.length > TIME_MAX) return undefined
  return { number: written, local_at, status: status.trim() }
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

/** A clock that has lost its time begins again in 2000. */
const FIRST_YEAR = '2010'

export const isOfLostTime = (local_at: string): boolean => local_at < FIRST_YEAR

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
  const moments = [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((ms) => localTime(ms) === local_at)
    .toSorted((a, b) => a - b)
  const isAtOnce = (ms: number) => {
    const age = arrived.getTime() - ms
    return age >= 0 && age <= AT_ONCE_MS
  }
  const moment = moments.findLast(isAtOnce) ?? moments[0]
  return moment === undefined ? null : new Date(moment).toISOString()
}

const HALF_YEAR_MS = 182 * DAY_MS

/**
 * The offset of a branch in minutes. Undefined if it changes within a year, because a clock would
 * keep the old one.
 */
export const steadyOffset = (branch: string, zones: Zones, now: Date): number | undefined => {
  const offsets = [-1, 0, 1].map((halves) => {
    const moment = new Date(now.getTime() + halves * HALF_YEAR_MS)
    const [, sign, hours, minutes] =
      /([+-])(\d{2}):(\d{2})$/.exec(zones.zoneAt(branch, moment).localAt(moment)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  })
  return new Set(offsets).size === 1 ? offsets[0] : undefined
}
