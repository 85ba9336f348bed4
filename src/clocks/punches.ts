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

/** A line that names its values, as clocks for doors send it with `table=rtlog`. */
const NAMED_VALUE = /(\w+)=([^\t]*)/g

interface WrittenPunch {
  number: string
  /** As the clock wrote it. */
  local_at: string
  status: string
}

const NUMBER = /^\S{1,50}$/

/** The longest text that is kept as the time of a punch. */
const TIME_MAX = 30

/** The lines of a text that are not blank. Clocks end a text with NULs, and lines with CR and LF. */
export const linesOf = (text: string): string[] =>
  text
    .replaceAll('\0', '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')

/** Undefined if the line has no number or no time that can be kept. */
export const readLine = (line: string, { statusColumn }: LineFormat): WrittenPunch | undefined => {
  const named = new Map(
    [...line.matchAll(NAMED_VALUE)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
  const columns = line.split('\t')
  const [number = '', time = '', status = ''] = named.has('pin')
    ? [named.get('pin'), named.get('time'), named.get('inoutstatus')]
    : [columns[0], columns[1], columns[statusColumn]]
  const [trimmed, local_at] = [number.trim(), time.trim()]
  if (!NUMBER.test(trimmed) || local_at === '' || local_at.length > TIME_MAX) return undefined
  return { number: trimmed, local_at, status: status.trim() }
}

/** The keys of a clock: check-in, end of a break, start of overtime; then their opposites. */
const ENTRADA = ['0', '3', '4']
const SALIDA = ['1', '2', '5']

export const kindOf = (status: string, usesKeys: boolean): LogKind => {
  if (usesKeys && ENTRADA.includes(status)) return 'entrada'
  return usesKeys && SALIDA.includes(status) ? 'salida' : 'checada'
}

/** The day of a punch. '' if its time has no valid day. */
export const dayOf = (local_at: string): string => {
  const [day = ''] = /^\d{4}-\d{2}-\d{2}(?=[ T])/.exec(local_at) ?? []
  const ms = Date.parse(day)
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? '' : day
}

/** A clock that has lost its time begins again in 2000. */
const FIRST_YEAR = '2010'

export const isOfLostTime = (local_at: string): boolean => local_at < FIRST_YEAR

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

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
  const text = local_at.replace('T', ' ')
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`)
  const localTime = (ms: number) => zones.zoneAt(branch, new Date(ms)).localTime(new Date(ms))
  const offsetAt = (ms: number) => Date.parse(`${localTime(ms).replace(' ', 'T')}Z`) - ms
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map(offsetAt)
  const moments = [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((ms) => localTime(ms) === text)
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
