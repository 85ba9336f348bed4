import { eq, sql } from 'drizzle-orm'
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
