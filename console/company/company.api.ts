import { dataOf } from '../../sdk/api-client.ts'
import type { PayrollGroupBody, ShiftBody, ZoneBody } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { forgetKept } from '../ui/use-read.ts'

const { company } = api.v2

export const readCompany = () => dataOf(company.$get())

export const saveName = (name: string, expected_version: number) =>
  dataOf(company.$put({ json: { name, expected_version } }))

/** @param json with `dry_run`, nothing is saved; the response says which days would change */
export const addZone = (json: ZoneBody) => dataOf(company.zones.$post({ json }))

export const addShift = (json: ShiftBody) => dataOf(company.shifts.$post({ json }))

export const saveGroup = async (json: PayrollGroupBody): Promise<void> => {
  await dataOf(api.v2.incidents.payroll_groups.$put({ json }))
  forgetKept()
}
