import { DAY_MS, MINUTE_MS } from '../core/values/time-zone.ts'

/** Which times of logs are accepted. */

/** The maximum difference between the clock of a sender and the clock of the service. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS

/**
 * Older logs are refused and must be imported. So a clock with a wrong date cannot add logs to past
 * months.
 */
const SOURCE_AGE_MS_MAX = 45 * DAY_MS

/** Returns null if the time is accepted. A time in the future means a wrong clock. */
export const refusalOfTime = (
  recordedAt: string,
  ageMs: number,
  now: Date,
): 'future' | 'too_old' | null => {
  const age = now.getTime() - Date.parse(recordedAt)
  if (age < -CLOCK_SKEW_MS) return 'future'
  return age > ageMs ? 'too_old' : null
}

/** Why the time of a log that a source sends is not accepted. Null if it is. */
export const refusalOfSourceTime = (recordedAt: string, now: Date) =>
  refusalOfTime(recordedAt, SOURCE_AGE_MS_MAX, now)
