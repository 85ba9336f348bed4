import { queryOptions } from '@tanstack/preact-query'
import type { FoundEmployee } from '../../sdk/api-types.ts'
import { findEmployee, searchEmployees } from '../session/employees.ts'
import { about, queries, SELDOM_MS } from './queries.ts'

type Person = Pick<FoundEmployee, 'employee_id' | 'full_name'>

const keys = {
  found: (text: string) => [...about.names, 'found', text],
  one: (id: string) => [...about.names, id],
}

/** People by a part of the name or an employee id. */
export const foundPeople = (text: string) =>
  queryOptions({
    queryKey: keys.found(text),
    queryFn: () => searchEmployees(text),
    enabled: text !== '',
  })

/** The name of a person whom a page names by the id. Null if nobody has the id. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: async (): Promise<Person | null> => (await findEmployee(id)) ?? null,
    staleTime: SELDOM_MS,
    enabled: id !== '',
  })

/** Keeps the names of people who are on the screen, so that they need not be looked up. */
export const rememberPeople = (people: readonly Person[]): void => {
  for (const { employee_id, full_name } of people) {
    queries.setQueryData(keys.one(employee_id), { employee_id, full_name })
  }
}
