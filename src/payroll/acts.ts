import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays } from '../core/time-zone.ts'
import { saveReview, saveUnlock } from './acts.queries.ts'
import { readPersonDays } from './person-days.ts'
import { listSelected, type Selection } from './selection.queries.ts'
import { readKnownSelection } from './selection.ts'

/** What people say of days: that they may be decided again, or that somebody has looked at them. */

interface UnlockRequest extends Selection {
  /** Local days, both included. */
  from: string
  to: string
  comment: string
}

/**
 * Unlocks the logs of days, and of pairs of these days, until the next closing takes the person.
 * What was paid stands.
 */
export const unlockDays = async (
  db: AuthorizedDb,
  { from, to, comment, ...selection }: UnlockRequest,
  { maxShiftHours, now }: { maxShiftHours: number; now: Date },
): Promise<number> => {
  if (from > to) throw new DomainError('PERIOD_REVERSED')
  const { zones } = await db.ready()
  await readKnownSelection(db, selection)
  const before = addDays(to, 1)
  const people = await listSelected(db, { ...selection, before, firstOpening: '' })
  const windows = people.map(({ employee_id }) => ({ employee_id, from }))
  const unlocked = []
  for await (const page of readPersonDays(db, windows, { before, preview: false, maxShiftHours })) {
    for (const { person, days } of page) {
      const { employee_id, branch_office } = person
      const end = zones.startOfDay(branch_office, before).toISOString()
      const ends = days
        .filter(({ day }) => day >= from && day <= to)
        .flatMap((day) => day.ends_at ?? [])
      const afterLast = ends.map((moment) => new Date(Date.parse(moment) + 1).toISOString())
      unlocked.push({
        employee_id,
        from_at: zones.startOfDay(branch_office, from).toISOString(),
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
