import { DomainError } from './errors.ts'
import { DAY_MS, HOUR_MS, type TimeZone } from './time-zone.ts'

/** A requested period. It includes `from` and `to`, which are days or moments. */
export interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** @throws DomainError PERIOD_REVERSED if `to` is before `from` */
export const refuseReversed = ({ from, to }: Period, zone: TimeZone): void => {
  const isReversed = from !== undefined && to !== undefined && zone.startOf(from) >= zone.endOf(to)
  if (isReversed) throw new DomainError('PERIOD_REVERSED')
}

/** The greatest length of a period of `days` days. One of the days may have 25 hours. */
export const longestPeriodMs = (days: number): number => days * DAY_MS + HOUR_MS

/**
 * `start` is the first moment of a period, and `end` the first moment after the period. Without
 * `to`, the period ends a day after now, or a day after `from` if that is later. Without `from`,
 * the period begins `defaultMs` before its end.
 * @throws DomainError PERIOD_TOO_LONG
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
  if (end.getTime() - start.getTime() > longestPeriodMs(days)) {
    throw new DomainError('PERIOD_TOO_LONG', { days })
  }
  return { start, end }
}
