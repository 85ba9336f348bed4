import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { UserBody, UserRecord } from '../../sdk/api-types.ts'
import { api, type FilterOf } from '../session/api.ts'

const { users } = api.v2.people

export type UsersQuery = FilterOf<typeof users.$get>

/** The fields of a user that can be changed. */
export type UserFields = Omit<UserBody, 'email' | 'active' | 'expected_version'> &
  Pick<UserRecord, 'active'>

const param = (id: number) => ({ param: { id: String(id) } })

export const readUsers = async (query: UsersQuery, cursor?: string) => {
  const { users: items, next_cursor } = await dataOf(users.$get({ query: { ...query, cursor } }))
  return { items, next_cursor }
}

/**
 * Reads the roles of the first 500 users of the console. Some may be roles that the settings do not
 * name, such as those of an import.
 */
export const readRolesInUse = async (): Promise<string[]> => {
  const query = { not_role: 'employee', limit: 500 }
  const found = (await dataOf(users.$get({ query }))).users
  return [...new Set(found.map(({ role }) => role))].sort()
}

/** Reads all users who have one of these roles, sorted by name. */
export const readUsersOf = async (
  roles: readonly string[],
  query: UsersQuery = {},
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

export const readUser = async (id: number): Promise<UserRecord> =>
  (await dataOf(users[':id'].$get(param(id)))).user

export const addUser = ({ active: _, ...json }: UserFields & { email: string }) =>
  dataOf(users.$post({ json }))

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

/** @param stored the record on which the form's fields are based */
/** Saves a user. `password_cleared` says that the user needs a new link. */
export const saveUser = (stored: UserRecord, fields: UserFields) => {
  const active = fields.active === 1 ? 1 : 0
  const json = { ...fieldsOf(fields), active, expected_version: stored.version } as const
  return dataOf(users[':id'].$put({ ...param(stored.id), json }))
}

export const endUserTokens = (id: number) => dataOf(users[':id'].revoke.$post(param(id)))

export const inviteUser = (id: number) => dataOf(users[':id'].invitation.$post(param(id)))

export const makeToken = async (id: number): Promise<string> =>
  (await dataOf(users[':id'].token.$post(param(id)))).token
