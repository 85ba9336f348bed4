import { readPayrollGroups } from '../hours/payroll-groups.api.ts'
import { groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, today } from '../ui/time.ts'
import type { ClosingSelection } from './closing-selection.ts'

/**
 * Names the periods that a closing would cut, since they are not over yet: `Quincena 22 (Grupo
 * General), hasta el 30 de noviembre`. For everybody, these are periods of all groups. A closing of
 * one person has no period, so that it may end on any day.
 */
export const readRunningPeriods = async (selection: ClosingSelection): Promise<string[]> => {
  const { payroll_group, employee_id, before } = selection
  if (employee_id) return []
  return (await readPayrollGroups(addDays(before, -1)))
    .filter((one) =>
      payroll_group === undefined ? one.people > 0 : one.payroll_group === payroll_group,
    )
    .filter(({ next }) => next.before > today())
    .map((one) => {
      const { name, before } = one.next
      return `${name} (${groupName(one.payroll_group)}), hasta el ${dayAndMonth(addDays(before, -1))}`
    })
}
