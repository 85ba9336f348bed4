import { DomainError } from './errors.ts'
import type { TimeZone } from './time-zone.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A period as it was requested: days or moments, both included. */
export interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** @throws DomainError PERIOD_REVERSED where `to` lies before `from` */
export const refuseReversed = ({ from, to }: Period, zone: TimeZone): void => {
  const isReversed = from !== undefined && to !== undefined && zone.startOf(from) >= zone.endOf(to)
  if (isReversed) throw new DomainError('PERIOD_REVERSED')
}

/** The longest period of so many days: one of them may have 25 hours. */
export const longestPeriodMs = (days: number): number => days * DAY_MS + HOUR_MS

/**
 * The first moment of a period, and the first one after it. Without `to` it ends a day after now;
 * without `from` it is `defaultMs` long.
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
