import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addDays, companyDay } from '../../core/values/time-zone.ts'
import { listPayrollGroups } from '../rules/groups.ts'
import type { ClosedSelection } from './selection.queries.ts'

/**
 * The names of the selected groups whose period of the closing's last day is not over yet. A day is
 * over at midnight, so that a closing on the period's last day is early, too.
 * For everybody, these are groups with people. A closing of one person may end on any day.
 */
export const findRunningGroups = async (
  db: AuthorizedDb,
  { before, payroll_group, employee_id }: ClosedSelection,
  now: Date,
): Promise<string[]> => {
  if (employee_id !== null) return []
  const groups = await listPayrollGroups(db, addDays(before, -1), now)
  const today = companyDay(now, db.zones())
  return groups
    .filter((group) =>
      payroll_group === null ? group.people > 0 : group.payroll_group === payroll_group,
    )
    .filter(({ next }) => next.before > today)
    .map((group) => group.payroll_group)
}
