import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, later } from '../core/time-zone.ts'
import type { PayrollContext } from './payroll-context.ts'
import { readPersonDays } from './person-days.ts'
import { requirePayableSelection } from './selection.ts'
import { listPeopleEverClosed, saveUnlock, type Unlock } from './unlocks.queries.ts'

/**
 * Unlocks the logs of some days, and the logs of pairs that begin on these days. This alone pays or
 * deducts nothing. The lock ignores unlocks that are older than the person's newest closing, so the
 * next closing ends the unlock.
 */
export const unlockDays = async (
  db: AuthorizedDb,
  { from, to, comment, ...selection }: Omit<Unlock, 'at'>,
  context: PayrollContext,
): Promise<number> => {
  if (from > to) throw new DomainError('PERIOD_REVERSED')
  const { zones } = await db.ready()
  await requirePayableSelection(db, selection, context)
  const before = addDays(to, 1)
  const selected = await listPeopleEverClosed(db, selection)
  const people = selected.map(({ employee_id }) => ({ employee_id, firstDay: from }))
  const options = { before, countPending: false, maxShiftHours: context.maxShiftHours }
  const unlocked = []
  for await (const page of readPersonDays(db, people, options)) {
    for (const { person, days } of page) {
      const { employee_id, branch_office } = person
      const end = zones.startOfDay(branch_office, before).toISOString()
      // A shift of the last day may end after that day.
      const until_at = days
        .filter(({ day }) => day >= from && day <= to)
        .flatMap(({ ends_at }) => ends_at ?? [])
        .map((moment) => new Date(Date.parse(moment) + 1).toISOString())
        .reduce(later, end)
      const from_at = zones.startOfDay(branch_office, from).toISOString()
      unlocked.push({ employee_id, from_at, until_at })
    }
  }
  const { forbidSelfApproval, now } = context
  const unlock = { ...selection, from, to, comment, forbidSelfApproval, at: now.toISOString() }
  return saveUnlock(db, unlock, unlocked)
}
