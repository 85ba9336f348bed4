import type { PayrollGroup } from '../../sdk/api-types.ts'
import { readPayrollGroups } from '../hours/payroll-groups.api.ts'
import { addDays, today } from '../ui/time.ts'
import type { ClosingSelection } from './closing-selection.ts'

/**
 * Returns the period in which a closing ends, if the period is not over yet. For everybody, it is a
 * period of any group. A closing of one person has no period, so that it may end on any day.
 */
export const readRunningPeriod = async (
  selection: ClosingSelection,
): Promise<PayrollGroup['next'] | undefined> => {
  if (selection.employee_id) return undefined
  const groups = await readPayrollGroups(addDays(selection.before, -1))
  const { payroll_group } = selection
  const ofSelection = groups.filter((one) =>
    payroll_group === undefined ? one.people > 0 : one.payroll_group === payroll_group,
  )
  return ofSelection.map(({ next }) => next).find(({ before }) => before > today())
}
