import { dataOf } from '../../sdk/api-client.ts'
import { api } from '../session/api.ts'
import { ConsoleError } from '../session/client.ts'
import { forgetKept } from '../ui/use-read.ts'

const { payroll_groups } = api.v2.incidents

/**
 * Reads the payroll groups. `next` is a group's period that contains `day`. Without a day, it is
 * the group's next period to pay.
 */
export const readPayrollGroups = async (day?: string) =>
  (await dataOf(payroll_groups.$get({ query: { day } }))).groups

/** Sets the first day that this installation pays a group. */
export const savePaysFrom = async (name: string, pays_from: string): Promise<void> => {
  const group = (await readPayrollGroups()).find(({ payroll_group }) => payroll_group === name)
  if (!group) throw new ConsoleError(`Ya no existe el grupo ${name}.`)
  const { payroll_group, calendar, version: expected_version } = group
  await dataOf(
    payroll_groups.$put({ json: { payroll_group, calendar, pays_from, expected_version } }),
  )
  forgetKept()
}
