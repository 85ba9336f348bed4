import { and, eq, sql } from 'drizzle-orm'
import { batch, build, type D1, query, run, type Slots } from './query.ts'
import { employees, revoked_tokens, users } from './schema.ts'

/** The user fields of a login answer, as the contract lists them. */
const account = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  mother_last_name: users.mother_last_name,
  role: users.role,
  active: users.active,
}

const profile = {
  ...account,
  external: users.external,
  type_user: users.type_user,
  status_user: users.status_user,
}

const selectCredentials = query(($: Slots<{ email_key: string }>) =>
  build
    .select({
      user: account,
      password_hash: users.password_hash,
      token_version: users.token_version,
    })
    .from(users)
    .where(eq(users.email_key, $.email_key)),
)

const selectSession = query(($: Slots<{ user_id: number; jti: string }>) =>
  build
    .select({
      user: profile,
      employee: employees,
      token_version: users.token_version,
      revoked: sql`EXISTS (
        SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${$.jti}
      )`.mapWith(Boolean),
    })
    .from(users)
    .leftJoin(employees, eq(employees.employee_id, users.employee_id))
    .where(eq(users.id, $.user_id)),
)

const updateHash = query(($: Slots<{ id: number; old_hash: string; new_hash: string }>) =>
  build
    .update(users)
    .set({ password_hash: $.new_hash })
    .where(and(eq(users.id, $.id), eq(users.password_hash, $.old_hash))),
)

const raiseVersion = query(($: Slots<{ id: number }>) =>
  build
    .update(users)
    .set({ token_version: sql`${users.token_version} + 1` })
    .where(eq(users.id, $.id)),
)

const setHash = query(($: Slots<{ id: number; hash: string }>) =>
  build
    .update(users)
    .set({ password_hash: $.hash, token_version: sql`${users.token_version} + 1` })
    .where(eq(users.id, $.id)),
)

/** Once the version is raised, the ids of single tokens matter no more. */
const forgetRevoked = query(($: Slots<{ id: number }>) =>
  build.delete(revoked_tokens).where(eq(revoked_tokens.user_id, $.id)),
)

export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** What sign-in needs to judge an address; `emailKey` is the address as compared. */
export const findCredentials = async (db: D1, emailKey: string) =>
  (await run(db, selectCredentials({ email_key: emailKey })))[0]

/** The user behind a token, the employee profile, and what may have ended the token. */
export const findSession = async (db: D1, token: { userId: number; jti: string }) =>
  (await run(db, selectSession({ user_id: token.userId, jti: token.jti })))[0]

/** Rewrites a stored hash, unless the password has changed since it was read. */
export const replaceHash = (db: D1, userId: number, oldHash: string, newHash: string) =>
  run(db, updateHash({ id: userId, old_hash: oldHash, new_hash: newHash }))

/** Ends every token of a user. */
export const endTokens = (db: D1, userId: number) =>
  batch(db, raiseVersion({ id: userId }), forgetRevoked({ id: userId }))

/** Stores a new password's hash, and ends every token of the user. */
export const setPassword = (db: D1, userId: number, hash: string) =>
  batch(db, setHash({ id: userId, hash }), forgetRevoked({ id: userId }))
