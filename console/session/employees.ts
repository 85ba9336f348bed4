import { dataOf } from '../../sdk/api-client.ts'
import type { FoundEmployee } from '../../sdk/api-types.ts'
import { api } from './api.ts'

/** @param q a part of the name, or an employee id */
export const searchEmployees = async (q: string): Promise<FoundEmployee[]> =>
  (await dataOf(api.v2.incidents.employees.$get({ query: { q } }))).employees

export const findEmployee = async (id: string): Promise<FoundEmployee | undefined> =>
  (await searchEmployees(id)).find(({ employee_id }) => employee_id === id)
