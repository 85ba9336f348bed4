import { dataOf } from '../../sdk/api-client.ts'
import type { UserBody, UserRecord } from '../../sdk/api-types.ts'
import { api } from './api.ts'

const { users, changes } = api.v2.people

export interface UsersQuery {
  q?: string | undefined
  role?: string | undefined
  active?: 'true' | 'false' | undefined
  cursor?: string | undefined
}

/** What a form says of a user, but the address. */
export type UserFields = Omit<UserBody, 'email' | 'active' | 'expected_version'>

const param = (id: number) => ({ param: { id: String(id) } })

export const readUsers = (query: UsersQuery) => dataOf(users.$get({ query }))

export const readUser = async (id: number): Promise<UserRecord> =>
  (await dataOf(users[':id'].$get(param(id)))).user

export const addUser = (json: UserFields & { email: string }) => dataOf(users.$post({ json }))

/** What a form may change of a user. Whether somebody is active is changed by a button. */
export const fieldsOf = (user: UserFields): UserFields => ({
  first_name: user.first_name,
  last_name: user.last_name,
  mother_last_name: user.mother_last_name,
  role: user.role,
  machine: user.machine,
  employee_id: user.employee_id,
  scope_branches: user.scope_branches,
  sources: user.sources,
})

/** @param stored the user as the writer has seen it */
export const saveUser = async (
  stored: UserRecord,
  fields: UserFields,
  active = stored.active === 1,
): Promise<UserRecord> => {
  const json = {
    ...fieldsOf(fields),
    active: active ? 1 : 0,
    expected_version: stored.version,
  } as const
  return (await dataOf(users[':id'].$put({ ...param(stored.id), json }))).user
}

export const revokeUser = (id: number) => dataOf(users[':id'].revoke.$post(param(id)))

export const inviteUser = (id: number) => dataOf(users[':id'].invitation.$post(param(id)))

export const makeToken = async (id: number): Promise<string> =>
  (await dataOf(users[':id'].token.$post(param(id)))).token

/** The changes of one user, the newest first. */
export const readUserChanges = async (id: number) => {
  const query = { subject: 'user', subject_id: String(id), limit: 500 } as const
  return (await dataOf(changes.$get({ query }))).changes.toReversed()
}
