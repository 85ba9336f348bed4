import { queryOptions } from '@tanstack/preact-query'
import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { UserBody, UserRecord } from '../../sdk/api-types.ts'
import { api, type FilterOf } from '../session/api.ts'
import { about, pagesQuery, queries, SELDOM_MS, write } from '../ui/queries.ts'

const { users } = api.v2.people

const keys = {
  list: (filter: UsersFilter) => [...about.users, 'list', filter],
  one: (id: number) => [...about.users, id],
  roles: [...about.users, 'roles'],
}

export type UsersFilter = FilterOf<typeof users.$get>

/** The fields of a user that can be changed. */
export type UserFields = Omit<UserBody, 'email' | 'active' | 'expected_version'> &
  Pick<UserRecord, 'active'>

const param = (id: number) => ({ param: { id: String(id) } })

export const usersQuery = (filter: UsersFilter) =>
  pagesQuery(keys.list(filter), async (cursor) => {
    const { users: items, next_cursor } = await dataOf(users.$get({ query: { ...filter, cursor } }))
    return { items, next_cursor }
  })

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: async () => (await dataOf(users[':id'].$get(param(id)))).user,
  })

/**
 * The roles of the first 500 users of the console. Some may be roles that the settings do not name,
 * such as those of an import.
 */
export const rolesInUse = queryOptions({
  queryKey: keys.roles,
  queryFn: async () => {
    const query = { not_role: 'employee', limit: 500 }
    const found = (await dataOf(users.$get({ query }))).users
    return [...new Set(found.map(({ role }) => role))].sort()
  },
  staleTime: SELDOM_MS,
})

/** Reads all users who have one of these roles, sorted by name. */
export const readUsersOf = async (
  roles: readonly string[],
  query: UsersFilter = {},
): Promise<UserRecord[]> => {
  const found: UserRecord[] = []
  for (const role of roles) {
    const pages = pagesOf((cursor) => users.$get({ query: { ...query, role, limit: 500, cursor } }))
    for await (const page of pages) found.push(...page.users)
  }
  return found.sort((a, b) => fullName(a).localeCompare(fullName(b), 'es'))
}

export const fullName = (
  user: Pick<UserRecord, 'first_name' | 'last_name' | 'mother_last_name'>,
): string => [user.first_name, user.last_name, user.mother_last_name].filter(Boolean).join(' ')

export const fieldsOf = (user: UserFields): UserFields => ({
  first_name: user.first_name,
  last_name: user.last_name,
  mother_last_name: user.mother_last_name,
  role: user.role,
  active: user.active,
  machine: user.machine,
  employee_id: user.employee_id,
  scope_branches: user.scope_branches,
  sources: user.sources,
})

export const addUser = write(
  [about.users],
  ({ active: _, ...json }: UserFields & { email: string }) => dataOf(users.$post({ json })),
)

/**
 * Saves a user. `password_cleared` says that the user needs a new link.
 * @param stored the record on which the fields are based
 */
export const saveUser = write([about.users], async (stored: UserRecord, fields: UserFields) => {
  const active = fields.active === 1 ? 1 : 0
  const json = { ...fieldsOf(fields), active, expected_version: stored.version } as const
  const saved = await dataOf(users[':id'].$put({ ...param(stored.id), json }))
  queries.setQueryData(keys.one(stored.id), saved.user)
  return saved
})

export const endUserTokens = write([about.users], (id: number) =>
  dataOf(users[':id'].revoke.$post(param(id))),
)

export const inviteUser = write([about.users], (id: number) =>
  dataOf(users[':id'].invitation.$post(param(id))),
)

export const makeToken = write(
  [about.users],
  async (id: number) => (await dataOf(users[':id'].token.$post(param(id)))).token,
)
