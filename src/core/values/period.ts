import { DomainError } from '../errors.ts'
import { addDays, DAY_MS, HOUR_MS, isDate, type TimeZone, type Zones } from './time-zone.ts'

/** A requested period. It includes `from` and `to`, which are days or moments. */
export interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** The greatest length of a period of `days` days. One of the days may have 25 hours. */
export const longestPeriodMs = (days: number): number => days * DAY_MS + HOUR_MS

/**
 * `start` is the first moment of a period, and `end` the first moment after the period. Without
 * `to`, the period ends a day after now, or a day after `from` if that is later. Without `from`,
 * the period begins `defaultMs` before its end.
 * @throws DomainError PERIOD_REVERSED, PERIOD_TOO_LONG
 */
export const boundsOf = (
  { from, to }: Period,
  { zone, now, days, defaultMs }: { zone: TimeZone; now: Date; days: number; defaultMs: number },
): { start: Date; end: Date } => {
  const first = from === undefined ? undefined : zone.startOf(from)
  const end =
    to === undefined
      ? new Date(Math.max(now.getTime(), first?.getTime() ?? 0) + DAY_MS)
      : zone.endOf(to)
  const start = first ?? new Date(end.getTime() - defaultMs)
  if (start >= end) throw new DomainError('PERIOD_REVERSED')
  if (end.getTime() - start.getTime() > longestPeriodMs(days)) {
    throw new DomainError('PERIOD_TOO_LONG', { days_max: days })
  }
  return { start, end }
}

/** Texts that sort before and after every stored moment. */
export const BEFORE_ALL_TIME = ''
export const AFTER_ALL_TIME = ':'

/** A period as stored moments. `before` is excluded. */
export interface StoredPeriod {
  from: string
  before: string
}

/**
 * A moment as it is stored. Years outside 0000–9999 become texts before or after all stored
 * moments.
 */
const toStoredMoment = (moment: Date): string => {
  const year = moment.getUTCFullYear()
  if (year < 0) return BEFORE_ALL_TIME
  return year > 9999 ? AFTER_ALL_TIME : moment.toISOString()
}

/** Turns days or instants into stored moments. Days are in the branch's zone. */
export const periodIn = ({ from, to }: Period, branch: string, zones: Zones): StoredPeriod => {
  const start = (text: string) => (isDate(text) ? zones.startOfDay(branch, text) : new Date(text))
  const end = (text: string) =>
    isDate(text) ? zones.startOfDay(branch, addDays(text, 1)) : new Date(Date.parse(text) + 1)
  return {
    from: from === undefined ? BEFORE_ALL_TIME : toStoredMoment(start(from)),
    before: to === undefined ? AFTER_ALL_TIME : toStoredMoment(end(to)),
  }
}

/**
 * A day and an instant may be in order in one branch and reversed in another.
 * @throws DomainError PERIOD_REVERSED if the requested period has no moment in any branch
 */
export const requireSomeMoment = ({ from, to }: Period, periods: readonly StoredPeriod[]): void => {
  if (from === undefined || to === undefined) return
  if (periods.every(({ from, before }) => from >= before)) throw new DomainError('PERIOD_REVERSED')
}
