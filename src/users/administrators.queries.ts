import { sql } from 'drizzle-orm'
import type { Params } from '../core/db/query.ts'
import { users } from '../core/tables/users.ts'

/** Whether `u` is an active person of all branches who can sign in. */
const mayAdminister = sql`u.active = 1 AND u.scope_branches IS NULL AND u.password_hash <> ''
    AND u.machine = 0`

/** Whether `u` is an active administrator of all branches who can sign in. */
export const isAdministrator = (p: Params<{ admin_roles: string }>) =>
  sql`${mayAdminister} AND u.role IN (SELECT value FROM json_each(${p.admin_roles}))`

/**
 * The facts by which `isPasswordTrusted` judges the password of the row of `users`, as a JSON list.
 * `users.` is written out, because Drizzle omits it in a query of one table.
 */
export const passwordFacts =
  sql<string>`json_array(users.password_hash <> '', users.password_through,
  (SELECT u.role FROM ${users} AS u WHERE u.id = users.password_through AND ${mayAdminister}))`.as(
    'password_facts',
  )
