import type { LogKind } from '../core/values/log-values.ts'
import { DAY_MS, type Zones } from '../core/values/time-zone.ts'

/** What the columns of a punch mean: its kind, its day and its moment. */

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
