import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { BulkResult, EmployeeRecord, PeopleChange, WarningCode } from '../../sdk/api-types.ts'
import { api, encodePath, type FilterOf } from '../session/api.ts'
import { about, queries, SELDOM_MS, write } from '../ui/queries.ts'
import type { PersonFields } from './person-fields.ts'

const { employees, changes } = api.v2.people

export type { BulkResult, EmployeeRecord, PeopleChange, WarningCode }

export interface PersonWrite extends PersonFields {
  /** The version that was read, or 0 if nobody may have the employee id yet. */
  expected_version: number
  deactivate_user?: boolean
}

export type PeopleFilter = FilterOf<typeof employees.$get>

const PAGE_MAX = 500

const keys = {
  sample: [...about.people, 'sample'],
  matching: (filter: PeopleFilter) => [...about.people, 'matching', filter],
  one: (id: string) => [...about.people, id],
  changes: (subject: 'employee' | 'user', id: string) => [
    ...(subject === 'user' ? about.users : about.people),
    id,
    'changes',
  ],
}

/** What a change of people changes: also their hours, users and names. */
const PEOPLE = [about.people, about.users, about.hours, about.groups, about.names]

/** The first 500 people, for the names that are in use. */
export const sampleQuery = queryOptions({
  queryKey: keys.sample,
  queryFn: async () => (await dataOf(employees.$get({ query: { limit: PAGE_MAX } }))).employees,
  staleTime: SELDOM_MS,
})

/** Reads all people of a filter whom the user may see. */
export const readMatching = async (filter: PeopleFilter): Promise<EmployeeRecord[]> => {
  const people: EmployeeRecord[] = []
  const query = { ...filter, limit: PAGE_MAX }
  const pages = pagesOf((cursor) => employees.$get({ query: { ...query, cursor } }))
  for await (const page of pages) people.push(...page.employees)
  return people
}

/** All people of a filter whom the user may see. */
export const matchingQuery = (filter: PeopleFilter) =>
  queryOptions({
    queryKey: keys.matching(filter),
    queryFn: () => readMatching(filter),
    placeholderData: keepPreviousData,
  })

/** Reads all people whom the user may see, by employee id. */
export const readEverybody = async (): Promise<Map<string, EmployeeRecord>> =>
  new Map((await readMatching({})).map((person) => [person.employee_id, person]))

export const recordQuery = (employee_id: string) =>
  queryOptions({
    queryKey: keys.one(employee_id),
    queryFn: async () => {
      const param = encodePath({ employee_id })
      return (await dataOf(employees[':employee_id'].$get({ param }))).employee
    },
  })

export const savePerson = write(PEOPLE, async ({ employee_id, ...json }: PersonWrite) => {
  const param = encodePath({ employee_id })
  const { employee } = await dataOf(employees[':employee_id'].$put({ param, json }))
  queries.setQueryData(keys.one(employee_id), employee)
  return employee
})

export const deletePerson = write(PEOPLE, (employee_id: string) =>
  dataOf(employees[':employee_id'].$delete({ param: encodePath({ employee_id }) })),
)

/** The service accepts at most 500 people and 512 KiB (524,288 bytes) per request. */
const PEOPLE_PER_REQUEST = 500
const BYTES_PER_REQUEST = 500_000

/** Divides rows into chunks, each of which fits into a request. @param writeOf what is sent */
export const chunksOf = <Row>(
  rows: readonly Row[],
  writeOf: (row: Row) => PersonWrite,
): Row[][] => {
  const chunks: Row[][] = []
  const encoder = new TextEncoder()
  let bytes = Infinity
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(writeOf(row))).length + 1
    bytes += size
    const last = chunks.at(-1)
    if (last && last.length < PEOPLE_PER_REQUEST && bytes < BYTES_PER_REQUEST) last.push(row)
    else {
      chunks.push([row])
      bytes = size
    }
  }
  return chunks
}

/** Returns what `writePeople` would do, without writing. */
export const checkPeople = async (rows: readonly PersonWrite[]): Promise<BulkResult[]> =>
  (await dataOf(employees.bulk.$post({ json: { employees: [...rows], dry_run: true } }))).results

/** Writes people, all of them or none. */
export const writePeople = write(
  PEOPLE,
  async (rows: readonly PersonWrite[]): Promise<BulkResult[]> =>
    (await dataOf(employees.bulk.$post({ json: { employees: [...rows] } }))).results,
)

/** The changes of a person or a user, the newest first. */
export const changesQuery = (subject: 'employee' | 'user', subject_id: string) =>
  queryOptions({
    queryKey: keys.changes(subject, subject_id),
    queryFn: async () => {
      const found: PeopleChange[] = []
      for (let after = 0, isLast = false; !isLast; ) {
        const query = { subject, subject_id, after: String(after), limit: PAGE_MAX }
        const page = await dataOf(changes.$get({ query }))
        found.push(...page.changes)
        isLast = page.changes.length < PAGE_MAX
        after = page.next_after
      }
      return found.reverse()
    },
  })
