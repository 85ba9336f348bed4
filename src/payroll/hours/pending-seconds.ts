import type { HoursLog } from './hours-log.ts'
import type { WorkDay } from './work-day.ts'
import { type DayOptions, toWorkDays } from './work-days.ts'

/** A day, with what the approval of all pending logs would add to `worked_seconds`. */
export interface DayWithPending extends WorkDay {
  /** Negative if the day would lose hours, such as those of a pair that becomes too long. */
  pending_seconds: number
}

/**
 * Adds to each day what the approval of all pending logs would change. An approved entrada that
 * repeats another one before midnight moves its shift to the day before. If that day is not listed,
 * its hours count for the next listed day, so that the sum of the days is right.
 * @param days the listed days, oldest first
 * @param options those that the days were made with. Nothing is left to add if pending logs count.
 */
export const withPendingSeconds = <Day extends WorkDay>(
  days: readonly Day[],
  logs: readonly HoursLog[],
  options: DayOptions,
): (Day & DayWithPending)[] => {
  const isComplete = options.countPending || !logs.some(({ status }) => status === 'pending')
  const approved = isComplete ? days : toWorkDays(logs, { ...options, countPending: true })
  const added = new Map(days.map(({ day, worked_seconds }) => [day, -(worked_seconds ?? 0)]))
  for (const { day, worked_seconds } of approved) {
    const listed = added.has(day) ? day : days.find((one) => one.day > day)?.day
    if (listed && worked_seconds) added.set(listed, (added.get(listed) ?? 0) + worked_seconds)
  }
  return days.map((one) => ({ ...one, pending_seconds: added.get(one.day) ?? 0 }))
}
