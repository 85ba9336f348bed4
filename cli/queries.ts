import { and, eq, ne, sql } from 'drizzle-orm'
import { type D1, execute, type Params, prepare, qb } from '../src/db/query.ts'
import { clients, config_entries, users } from '../src/db/schema.ts'

/** The queries of the operators' commands. */

const updateActive = prepare((p: Params<{ email_key: string; active: number }>) =>
  qb
    .update(users)
    .set({
      active: p.active,
      // Ends the user's tokens for good: they stay invalid when the user is activated again.
      token_version: sql`${users.token_version} + (${p.active} = 0)`,
    })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const nextVersion = sql`${users.token_version} + 1`

const incrementVersion = prepare((p: Params<{ id: number }>) =>
  qb.update(users).set({ token_version: nextVersion }).where(eq(users.id, p.id)),
)

const updateHash = prepare((p: Params<{ id: number; hash: string }>) =>
  qb
    .update(users)
    .set({ password_hash: p.hash, token_version: nextVersion })
    .where(eq(users.id, p.id)),
)

const selectUsers = prepare(() =>
  qb
    .select({
      email: users.email,
      name: sql<string>`${users.first_name} || ' ' || ${users.last_name}`.as('name'),
      role: users.role,
      active: users.active,
      employee_id: users.employee_id,
    })
    .from(users)
    .orderBy(users.email_key),
)

const updateRole = prepare((p: Params<{ email_key: string; role: string }>) =>
  qb
    .update(users)
    .set({ role: p.role })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const selectRole = prepare((p: Params<{ role: string; email_key: string }>) =>
  qb
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, p.role), ne(users.email_key, p.email_key)))
    .limit(1),
)

const selectClients = prepare(() => qb.select().from(clients).orderBy(clients.code))

const updateClientStatus = prepare((p: Params<{ code: string; status: string }>) =>
  qb
    .update(clients)
    .set({ status: p.status })
    .where(eq(clients.code, p.code))
    .returning({ id: clients.id }),
)

const selectConfig = prepare(() => qb.select().from(config_entries).orderBy(config_entries.key))

/** Returns whether the user exists. */
export const setActive = async (db: D1, emailKey: string, active: boolean): Promise<boolean> =>
  (await execute(db, updateActive({ email_key: emailKey, active: active ? 1 : 0 }))).length > 0

export const listUsers = (db: D1) => execute(db, selectUsers({}))

/** Returns whether the user exists. */
export const setRole = async (db: D1, emailKey: string, role: string): Promise<boolean> =>
  (await execute(db, updateRole({ email_key: emailKey, role }))).length > 0

/** Whether any user but this one has a role. */
export const othersHaveRole = async (db: D1, role: string, emailKey: string): Promise<boolean> =>
  (await execute(db, selectRole({ role, email_key: emailKey }))).length > 0

export const listClients = (db: D1) => execute(db, selectClients({}))

/** Returns whether the client exists. */
export const setClientStatus = async (db: D1, code: string, status: string): Promise<boolean> =>
  (await execute(db, updateClientStatus({ code, status }))).length > 0

export const listConfig = (db: D1) => execute(db, selectConfig({}))

/** Ends every token of a user. */
export const endTokens = (db: D1, userId: number) => execute(db, incrementVersion({ id: userId }))

/** Stores a new password's hash, and ends every token of the user. */
export const setPassword = (db: D1, userId: number, hash: string) =>
  execute(db, updateHash({ id: userId, hash }))
