import { and, eq, ne, sql } from 'drizzle-orm'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { users } from '../../src/core/db/schema.ts'

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
      scope: sql<string>`coalesce(${users.scope_branches}, '')`.as('scope'),
      sources: sql<string>`coalesce(${users.sources}, '')`.as('sources'),
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

const updateScope = prepare((p: Params<{ email_key: string; branches: string | null }>) =>
  qb
    .update(users)
    .set({ scope_branches: p.branches })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const updateSources = prepare((p: Params<{ email_key: string; sources: string | null }>) =>
  qb
    .update(users)
    .set({ sources: p.sources })
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

/** Returns whether the user exists. */
export const setActive = async (db: D1, emailKey: string, active: boolean): Promise<boolean> =>
  (await execute(db, updateActive({ email_key: emailKey, active: active ? 1 : 0 }))).length > 0

export const listUsers = (db: D1) => execute(db, selectUsers({}))

/** Returns whether the user exists. */
export const setRole = async (db: D1, emailKey: string, role: string): Promise<boolean> =>
  (await execute(db, updateRole({ email_key: emailKey, role }))).length > 0

/** Limits a user to branches; null for all. Returns whether the user exists. */
export const setScope = async (db: D1, emailKey: string, branches: string[] | null) => {
  const values = { email_key: emailKey, branches: branches && JSON.stringify(branches) }
  return (await execute(db, updateScope(values))).length > 0
}

/** Limits a user to sources, given by their keys; null for any. Returns whether the user exists. */
export const setSources = async (db: D1, emailKey: string, sources: string[] | null) => {
  const values = { email_key: emailKey, sources: sources && JSON.stringify(sources) }
  return (await execute(db, updateSources(values))).length > 0
}

/** Whether any user but this one has a role. */
export const othersHaveRole = async (db: D1, role: string, emailKey: string): Promise<boolean> =>
  (await execute(db, selectRole({ role, email_key: emailKey }))).length > 0

/** Ends every token of a user. */
export const endTokens = (db: D1, userId: number) => execute(db, incrementVersion({ id: userId }))

/** Stores a new password's hash, and ends every token of the user. */
export const setPassword = (db: D1, userId: number, hash: string) =>
  execute(db, updateHash({ id: userId, hash }))
