import { and, eq, sql } from 'drizzle-orm'
import { build, type D1, query, run, type Slots } from './query.ts'
import { revoked_tokens, users } from './schema.ts'

/** The user fields of a login answer, as the contract lists them. */
export const account = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  mother_last_name: users.mother_last_name,
  role: users.role,
  active: users.active,
}

/** What the current-user answer adds. */
export const details = {
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

/** A token that we signed: whose it is, its own id, and the version it was issued at. */
export interface Caller {
  userId: number
  jti: string
  version: number
}

/** The values that tell whether a token is alive. */
export interface Life {
  user_id: number
  token_version: number
  jti: string
}

/** Whether a token is alive, as a condition on its user's row. */
export const isLive = ($: Slots<Life>) =>
  sql`${users.id} = ${$.user_id} AND ${users.active} = 1
    AND ${users.token_version} = ${$.token_version}
    AND NOT EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${$.jti})`

const updateHash = query(($: Slots<{ id: number; old_hash: string; new_hash: string }>) =>
  build
    .update(users)
    .set({ password_hash: $.new_hash })
    .where(and(eq(users.id, $.id), eq(users.password_hash, $.old_hash))),
)

// Raising a user's version ends every token; a trigger then forgets the ids of single ones.
const nextVersion = sql`${users.token_version} + 1`

const raiseVersion = query(($: Slots<{ id: number }>) =>
  build.update(users).set({ token_version: nextVersion }).where(eq(users.id, $.id)),
)

const setHash = query(($: Slots<{ id: number; hash: string }>) =>
  build
    .update(users)
    .set({ password_hash: $.hash, token_version: nextVersion })
    .where(eq(users.id, $.id)),
)

const selectHash = query(($: Slots<{ id: number }>) =>
  build.select({ password_hash: users.password_hash }).from(users).where(eq(users.id, $.id)),
)

const changeHash = query(($: Slots<Life & { old_hash: string; new_hash: string }>) =>
  build
    .update(users)
    .set({ password_hash: $.new_hash, token_version: nextVersion })
    .where(and(isLive($), eq(users.password_hash, $.old_hash)))
    .returning({ token_version: users.token_version }),
)

// A token whose version has passed is dead already: storing its id would be litter.
const insertRevoked = query(
  ($: Slots<{ jti: string; user_id: number; token_version: number; at: string }>) =>
    build
      .insert(revoked_tokens)
      .select(
        sql`SELECT ${$.jti}, ${users.id}, ${$.at} FROM ${users}
          WHERE ${users.id} = ${$.user_id} AND ${users.token_version} = ${$.token_version}`,
      )
      .onConflictDoNothing(),
)

/** What sign-in needs to judge an address; `emailKey` is the address as compared. */
export const findCredentials = async (db: D1, emailKey: string) =>
  (await run(db, selectCredentials({ email_key: emailKey })))[0]

/** Rewrites a stored hash, unless the password has changed since it was read. */
export const replaceHash = (db: D1, userId: number, oldHash: string, newHash: string) =>
  run(db, updateHash({ id: userId, old_hash: oldHash, new_hash: newHash }))

/** Ends every token of a user. */
export const endTokens = (db: D1, userId: number) => run(db, raiseVersion({ id: userId }))

/** Stores a new password's hash, and ends every token of the user. */
export const setPassword = (db: D1, userId: number, hash: string) =>
  run(db, setHash({ id: userId, hash }))

export const findHash = async (db: D1, userId: number) =>
  (await run(db, selectHash({ id: userId })))[0]?.password_hash

/**
 * Stores a new hash and ends every token, while the token and the old hash are still what was
 * judged. Returns the new version, or undefined where one of them has changed.
 */
export const changePassword = async (db: D1, token: Caller, oldHash: string, newHash: string) => {
  const values = { user_id: token.userId, token_version: token.version, jti: token.jti }
  const [changed] = await run(db, changeHash({ ...values, old_hash: oldHash, new_hash: newHash }))
  return changed?.token_version
}

/** Ends one token, from the next request on. */
export const revokeToken = (db: D1, token: Caller, at: string) =>
  run(
    db,
    insertRevoked({ jti: token.jti, user_id: token.userId, token_version: token.version, at }),
  )
