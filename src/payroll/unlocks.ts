import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, later } from '../core/time-zone.ts'
import { readPersonDays } from './person-days.ts'
import type { Selection } from './selection.queries.ts'
import { readKnownSelection } from './selection.ts'
import { listPaidPeople, saveUnlock } from './unlocks.queries.ts'

interface UnlockRequest extends Selection {
  /** Local days, both included. */
  from: string
  to: string
  comment: string
}

/**
 * Unlocks the logs of some days, and of the pairs that begin on them, until the person's next
 * closing. Paid hours stay paid.
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
  const people = await listPaidPeople(db, selection)
  const windows = people.map(({ employee_id }) => ({ employee_id, from }))
  const unlocked = []
  for await (const page of readPersonDays(db, windows, {
    before,
    countPending: false,
    maxShiftHours,
  })) {
    for (const { person, days } of page) {
      const { employee_id, branch_office } = person
      const end = zones.startOfDay(branch_office, before).toISOString()
      // A shift of the last day may end after it.
      const until_at = days
        .filter(({ day }) => day >= from && day <= to)
        .flatMap(({ ends_at }) => ends_at ?? [])
        .map((moment) => new Date(Date.parse(moment) + 1).toISOString())
        .reduce(later, end)
      const from_at = zones.startOfDay(branch_office, from).toISOString()
      unlocked.push({ employee_id, from_at, until_at })
    }
  }
  return saveUnlock(db, { ...selection, from, to, comment, at: now.toISOString() }, unlocked)
}
