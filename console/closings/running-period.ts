import type { PayrollGroup } from '../../sdk/api-types.ts'
import { readPayrollGroups } from '../hours/payroll-groups.api.ts'
import { groupWithCalendar } from '../hours/period-choice.tsx'
import { addDays, today } from '../ui/time.ts'
import type { ClosingSelection } from './closing-selection.ts'

/**
 * Returns the period in which a closing ends, if the period is not over yet. A closing of one person
 * has no period, so that it may end on any day.
 */
export const readRunningPeriod = async (
  selection: ClosingSelection,
): Promise<PayrollGroup['next'] | undefined> => {
  if (selection.employee_id) return undefined
  const groups = await readPayrollGroups(addDays(selection.before, -1))
  const period = groupWithCalendar(groups, selection.payroll_group)?.next
  return period && period.before > today() ? period : undefined
}
