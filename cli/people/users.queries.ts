import type { D1 } from '../../src/core/db/query.ts'
import { changeRows, readRows } from '../core/rows.ts'

export const listUsers = (db: D1) =>
  readRows(
    db,
    `SELECT email, first_name || ' ' || last_name AS name, role, active, employee_id,
      coalesce(scope_branches, '') AS scope, coalesce(sources, '') AS sources
    FROM users ORDER BY email_key`,
  )

/** Changes the user with an address, which is `?1`. Returns whether the user exists. */
const updateUser = async (db: D1, emailKey: string, set: string, ...values: unknown[]) => {
  const text = `UPDATE users SET ${set} WHERE email_key = ?1 RETURNING id`
  return (await changeRows(db, text, emailKey, ...values)) > 0
}

const END_TOKENS = 'token_version = token_version + 1'

/** A deactivation ends the user's tokens. They stay invalid if the user is activated again. */
export const setActive = (db: D1, emailKey: string, active: boolean) =>
  updateUser(db, emailKey, active ? 'active = 1' : `active = 0, ${END_TOKENS}`)

export const setRole = (db: D1, emailKey: string, role: string) =>
  updateUser(db, emailKey, 'role = ?2', role)

/** Limits a user to branches, or removes the limit if `branches` is null. */
export const setScope = (db: D1, emailKey: string, branches: string[] | null) =>
  updateUser(db, emailKey, 'scope_branches = ?2', branches && JSON.stringify(branches))

/** Limits a user to sources, given by their keys, or removes the limit if `sources` is null. */
export const setSources = (db: D1, emailKey: string, sources: string[] | null) =>
  updateUser(db, emailKey, 'sources = ?2', sources && JSON.stringify(sources))

export const endTokens = (db: D1, emailKey: string) => updateUser(db, emailKey, END_TOKENS)

/** Stores the hash of a new password, and ends all tokens of the user. */
export const setPassword = (db: D1, emailKey: string, hash: string) =>
  updateUser(db, emailKey, `password_hash = ?2, ${END_TOKENS}`, hash)

/** Whether any other user has the role. */
export const othersHaveRole = async (db: D1, role: string, emailKey: string): Promise<boolean> => {
  const text = 'SELECT id FROM users WHERE role = ? AND email_key <> ? LIMIT 1'
  return (await readRows(db, text, role, emailKey)).length > 0
}
