import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type D1, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { raiseIf } from '../../src/core/db/raise.ts'
import { execute } from '../../src/core/db/run.ts'
import { users } from '../../src/core/tables/users.ts'
import { isAdministrator } from '../../src/users/administrators.queries.ts'

const u = alias(users, 'u')

const selectAdministrators = prepare((p: Params<{ admin_roles: string }>) =>
  qb.select({ email_key: u.email_key }).from(u).where(isAdministrator(p)),
)

/** Returns the email_key of each user who administers all branches and has a password. */
export const findAdministrators = async (db: D1, roles: readonly string[]): Promise<string[]> =>
  (await execute(db, selectAdministrators({ admin_roles: JSON.stringify(roles) }))).map(
    ({ email_key }) => email_key,
  )

/** Raises if the given users are the only administrators. `users` is a JSON array of their ids. */
export const requireOtherAdministrator = prepare(
  (p: Params<{ users: string; admin_roles: string }>) =>
    raiseIf([
      sql`EXISTS (SELECT 1 FROM ${users} AS u WHERE ${isAdministrator(p)})
        AND NOT EXISTS (SELECT 1 FROM ${users} AS u
          WHERE ${isAdministrator(p)} AND u.id NOT IN (SELECT value FROM json_each(${p.users})))`,
      'LAST_ADMINISTRATOR',
    ]),
)
