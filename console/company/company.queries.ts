import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { PayrollGroupBody, ShiftBody, ZoneBody } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { refreshSettings } from '../session/session.ts'
import { about, write } from '../ui/queries.ts'

const { company } = api.v2

export const readCompany = () => dataOf(company.$get())

export const companyQuery = queryOptions({ queryKey: about.company, queryFn: readCompany })

export const saveName = write([about.company], (name: string, expected_version: number) =>
  dataOf(company.$put({ json: { name, expected_version } })),
)

/** Says which days a rule would change, and saves nothing. */
export const tryZone = (json: ZoneBody) =>
  dataOf(company.zones.$post({ json: { ...json, dry_run: true } }))

export const tryShift = (json: ShiftBody) =>
  dataOf(company.shifts.$post({ json: { ...json, dry_run: true } }))

/** What a rule changes: also the hours, and the settings that pages read at the sign-in. */
const RULES = [about.company, about.hours, about.groups]

export const addZone = write(RULES, async (json: ZoneBody) => {
  await dataOf(company.zones.$post({ json }))
  await refreshSettings()
})

export const addShift = write(RULES, async (json: ShiftBody) => {
  await dataOf(company.shifts.$post({ json }))
  await refreshSettings()
})

export const saveGroup = write(
  [about.groups, about.hours, about.closings],
  async (json: PayrollGroupBody) => {
    await dataOf(api.v2.incidents.payroll_groups.$put({ json }))
    await refreshSettings()
  },
)
