import { type DayWithPending, withPendingSeconds } from './pending-seconds.ts'
import type { PersonDays } from './person-days.ts'
import { emptyDay } from './work-day.ts'
import { toWorkDays } from './work-days.ts'

/**
 * The days whose hours would change if a log were rejected, with their new hours. Each day keeps
 * its current place, so that the same readers see it.
 */
export const daysIfRejected = (
  { days, logs, dayOptions }: PersonDays,
  rejected: number,
): DayWithPending[] => {
  const ifRejected = logs.map((log) =>
    log.log_id === rejected ? { ...log, status: 'rejected' as const } : log,
  )
  const then = withPendingSeconds(toWorkDays(ifRejected, dayOptions), ifRejected, dayOptions)
  const after = new Map(then.map((day) => [day.day, day]))
  const before = new Map(days.map((day) => [day.day, day]))
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [now, then] = [before.get(name), after.get(name)]
    if ((now?.worked_seconds ?? null) === (then?.worked_seconds ?? null)) return []
    if (!now) return then ?? []
    const { department, branch_office } = now
    return { pending_seconds: 0, ...(then ?? emptyDay(name, now)), department, branch_office }
  })
}
