import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays } from '../core/time-zone.ts'
import { saveReview, saveUnlock } from './acts.queries.ts'
import { readPersonDays } from './person-days.ts'
import { listTaken, readSelection, type Selection } from './selection.queries.ts'

/** What people say of days: that they may be decided again, or that somebody has looked at them. */

interface UnlockRequest extends Selection {
  /** Local days, both included. */
  from: string
  to: string
  comment: string
}

/**
 * Unlocks the logs of days, and of pairs of these days, until the next closing takes the person. What
 * was paid stands.
 */
export const unlockDays = async (
  db: AuthorizedDb,
  { from, to, comment, ...selection }: UnlockRequest,
  { maxShiftHours, now }: { maxShiftHours: number; now: Date },
): Promise<number> => {
  if (from > to) throw new DomainError('PERIOD_REVERSED')
  const { people } = await readSelection(db, selection)
  if (people === 0 && selection.employee_id !== null) throw new DomainError('UNKNOWN_EMPLOYEE')
  if (people === 0 && selection.payroll_group) throw new DomainError('UNKNOWN_PAYROLL_GROUP')
  const before = addDays(to, 1)
  await db.batch(() => [])
  const taken = await listTaken(db, { ...selection, before, since: '' })
  const windows = taken.map(({ employee_id }) => ({ employee_id, from }))
  const unlocked = []
  for await (const page of readPersonDays(db, windows, { before, preview: false, maxShiftHours })) {
    for (const { person, days } of page) {
      const { employee_id, branch_office } = person
      const end = db.zones().startOfDay(branch_office, before).toISOString()
      const ends = days
        .filter(({ day }) => day >= from && day <= to)
        .flatMap((day) => day.ends_at ?? [])
      const afterLast = ends.map((moment) => new Date(Date.parse(moment) + 1).toISOString())
      unlocked.push({
        employee_id,
        from_at: db.zones().startOfDay(branch_office, from).toISOString(),
        until_at: [end, ...afterLast].toSorted().at(-1) ?? end,
      })
    }
  }
  return saveUnlock(db, { ...selection, from, to, comment, at: now.toISOString() }, unlocked)
}

/** Says that somebody has looked at a day: it leaves the list of exceptions until a log changes. */
export const reviewDay = (
  db: AuthorizedDb,
  review: { employee_id: string; day: string; comment: string | null },
  now: Date,
): Promise<void> => saveReview(db, { ...review, at: now.toISOString() })
