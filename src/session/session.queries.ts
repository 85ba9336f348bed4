import { and, eq, lte, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type AuthParams, authorized } from '../core/db/caller.queries.ts'
import { type D1, type Params, prepare, qb } from '../core/db/query.ts'
import { execute } from '../core/db/run.ts'
import { employees } from '../core/tables/people.ts'
import { revoked_tokens, users } from '../core/tables/users.ts'
import type { SignInName } from './sign-in-names.ts'

/** The fields of a user in a response to a login, in the order of the published document. */
export const accountFields = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  mother_last_name: users.mother_last_name,
  role: users.role,
  active: users.active,
}

/** The fields of a user that only the response of `me` has. */
const detailFields = {
  external: users.external,
  type_user: users.type_user,
  status_user: users.status_user,
}

/** The fields of an employee beside a user. */
const employeeFields = {
  employee_id: employees.employee_id,
  full_name: employees.full_name,
  rfc: employees.rfc,
  phone: employees.phone,
  cellphone: employees.cellphone,
  started_at: employees.started_at,
  job_position: employees.job_position,
  department: employees.department,
  branch_office: employees.branch_office,
  profile_image: employees.profile_image,
}

const credentials = {
  user: accountFields,
  email_key: users.email_key,
  employee_id: users.employee_id,
  password_hash: users.password_hash,
  token_version: users.token_version,
}

const selectCredentials = prepare((p: Params<{ email_key: string }>) =>
  qb.select(credentials).from(users).where(eq(users.email_key, p.email_key)),
)

/** The most characters of a number that a pattern has. D1 takes patterns of 50 bytes. */
const PATTERN_MAX = 40

const CANDIDATES_MAX = 100

/** A pattern for numbers like this one: only letters and digits without accents must be the same. */
const patternOf = (number: string): string => {
  const characters = [...number.replace(/^0+/, '')]
  const pattern = characters
    .slice(0, PATTERN_MAX)
    .join('')
    .replace(/[^a-zA-Z0-9]/gu, '_')
  return characters.length > PATTERN_MAX ? `${pattern}%` : pattern
}

/** Numbers with characters that pages of 2.0 replaced are few, so only those are compared loosely. */
const selectCandidates = prepare(
  (p: Params<{ email_key: string; number: string; pattern: string }>) => {
    const { employee_id } = users
    const isEqual = sql`lower(ltrim(${employee_id}, '0')) = lower(ltrim(${p.number}, '0'))`
    const isAlike = sql`${employee_id} GLOB '*[^a-zA-Z0-9_.+-]*'
      AND ltrim(${employee_id}, '0') LIKE ${p.pattern}`
    const byNumber = qb.select({ id: users.id }).from(users).where(sql`${isEqual} OR ${isAlike}`)
    return qb
      .select(credentials)
      .from(users)
      .where(sql`${users.email_key} = ${p.email_key} OR ${users.id} IN ${byNumber}`)
      .orderBy(sql`${users.email_key} = ${p.email_key} DESC, ${isEqual} DESC, ${users.id}`)
      .limit(CANDIDATES_MAX)
  },
)

const updateHash = prepare((p: Params<{ id: number; old_hash: string; new_hash: string }>) =>
  qb
    .update(users)
    .set({ password_hash: p.new_hash })
    .where(and(eq(users.id, p.id), eq(users.password_hash, p.old_hash))),
)

const selectCurrentUser = prepare((p: Params<AuthParams>) =>
  qb
    .select({
      user: accountFields,
      details: detailFields,
      employee: employeeFields,
      authorized: authorized(p),
    })
    .from(users)
    .leftJoin(employees, eq(employees.employee_id, users.employee_id))
    .where(eq(users.id, p.user_id)),
)

const selectOwnCredentials = prepare((p: Params<AuthParams>) =>
  qb
    .select({
      user: accountFields,
      employee_id: users.employee_id,
      password_hash: users.password_hash,
      authorized: authorized(p),
    })
    .from(users)
    .where(eq(users.id, p.user_id)),
)

// A higher version ends all tokens of the user. A trigger then deletes the user's rows in
// `revoked_tokens`.
export const nextTokenVersion = sql`${users.token_version} + 1`

export const endTokens = prepare((p: Params<{ id: number }>) =>
  qb.update(users).set({ token_version: nextTokenVersion }).where(eq(users.id, p.id)),
)

/**
 * Stores a new hash and ends all tokens of the user. Returns the version for a new token. A password
 * that the user has changed still counts as set through the same link as the one before it.
 */
export const updatePassword = prepare((p: Params<{ id: number; hash: string; is_own: number }>) =>
  qb
    .update(users)
    .set({
      password_hash: p.hash,
      password_through: sql`iif(${p.is_own}, ${users.password_through}, NULL)`,
      token_version: nextTokenVersion,
    })
    .where(eq(users.id, p.id))
    .returning({ token_version: users.token_version }),
)

interface Revoked {
  jti: string
  user_id: number
  at: string
  exp: number | null
}

const insertRevoked = prepare((p: Params<Revoked>) =>
  qb
    .insert(revoked_tokens)
    .values({ jti: p.jti, user_id: p.user_id, created_at: p.at, exp: p.exp }),
)

const deleteRevoked = prepare((p: Params<{ seconds: number }>) =>
  qb
    .delete(revoked_tokens)
    .where(lte(revoked_tokens.exp, p.seconds))
    .returning({ jti: revoked_tokens.jti }),
)

/**
 * The user of a normalized e-mail address, with the password hash and the token version, or
 * undefined.
 */
export const findCredentials = async (db: D1, email_key: string) =>
  (await execute(db, selectCredentials({ email_key })))[0]

/** The users that a name may mean, by their address or employee number. */
export const findCandidates = (db: D1, { email_key, number }: SignInName) =>
  number === null
    ? execute(db, selectCredentials({ email_key }))
    : execute(db, selectCandidates({ email_key, number, pattern: patternOf(number) }))

/** Replaces a stored hash if it is still `oldHash`. The user's tokens stay valid. */
export const replaceHash = (db: D1, userId: number, oldHash: string, newHash: string) =>
  execute(db, updateHash({ id: userId, old_hash: oldHash, new_hash: newHash }))

/** The caller with the employee's profile. The profile is null if the caller has no employee. */
export const getCurrentUser = (db: AuthorizedDb) => db.read(selectCurrentUser)

export const getOwnCredentials = (db: AuthorizedDb) => db.read(selectOwnCredentials)

export type OwnCredentials = Awaited<ReturnType<typeof getOwnCredentials>>

export const endOwnTokens = (db: AuthorizedDb) =>
  db.batchOfAllBranches({ tokens: endTokens({ id: db.claims.userId }) })

/** Ends the caller's token from the next request on. `at` is UTC with milliseconds. */
export const revokeOwnToken = (db: AuthorizedDb, at: string) => {
  const { jti, userId: user_id, exp = null } = db.claims
  return db.batchOfAllBranches({ revoked: insertRevoked({ jti, user_id, at, exp }) })
}

/** Deletes the revoked tokens that have ended by themselves meanwhile, and returns their number. */
export const pruneRevokedTokens = async (db: D1, now: Date): Promise<number> =>
  (await execute(db, deleteRevoked({ seconds: Math.floor(now.getTime() / 1000) }))).length
