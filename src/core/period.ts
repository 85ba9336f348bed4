import { DomainError } from './errors.ts'
import type { TimeZone } from './time-zone.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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

/** The maximum length of a period of so many days. One of the days may have 25 hours. */
export const longestPeriodMs = (days: number): number => days * DAY_MS + HOUR_MS

/**
 * The start of a period, which is its first moment, and its end, which is the first moment after
 * it. Without `to`, it ends a day from now. Without `from`, it is `defaultMs` long.
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
