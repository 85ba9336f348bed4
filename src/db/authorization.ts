import { eq, sql } from 'drizzle-orm'
import { type Ask, build, query, type Slots, type Statement } from './query.ts'
import { employees, revoked_tokens, users } from './schema.ts'
import { account, type Caller, details, isLive, type Life } from './users.ts'

/**
 * Who stands at the door, which roles may pass, and the way through it. What is asked rides with the
 * door's own question and runs before anybody judges, so each statement asks the same again in SQL
 * (`mayPass`): for whoever may not pass it writes nothing, and reads next to nothing.
 */
export interface Door {
  caller: Caller
  roles: readonly string[]
  ask: Ask
}

const isRevoked = ($: Slots<{ jti: string }>) =>
  sql`EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${$.jti})`
    .mapWith(Boolean)
    .as('revoked')

const selectHolder = query(($: Slots<{ user_id: number; jti: string }>) =>
  build
    .select({
      id: users.id,
      role: users.role,
      active: users.active,
      token_version: users.token_version,
      revoked: isRevoked($),
    })
    .from(users)
    .where(eq(users.id, $.user_id)),
)

const selectSession = query(($: Slots<{ user_id: number; jti: string }>) =>
  build
    .select({
      user: account,
      details,
      employee: employees,
      token_version: users.token_version,
      revoked: isRevoked($),
    })
    .from(users)
    .leftJoin(employees, eq(employees.employee_id, users.employee_id))
    .where(eq(users.id, $.user_id)),
)

type RowOf<S> = S extends Statement<(infer Row)[]> ? Row : never

/** The door's question: whose the token is, and what may have ended it. */
export const holderOf = ({ userId, jti }: Pick<Caller, 'userId' | 'jti'>) =>
  selectHolder({ user_id: userId, jti })

export type Holder = RowOf<ReturnType<typeof holderOf>>

/** The same, with all that is told of the user and the employee profile. */
export const sessionOf = ({ userId, jti }: Pick<Caller, 'userId' | 'jti'>) =>
  selectSession({ user_id: userId, jti })

export type Session = RowOf<ReturnType<typeof sessionOf>>

/** The values of the door's facts. */
export interface Pass extends Life {
  /** As a JSON array. */
  roles: string
}

/**
 * The door's facts, all of them, as a condition on the caller's row of `users`. A read that rides has
 * that row as its outer loop, so that for whoever may not pass it reads nothing further.
 */
export const isAdmitted = ($: Slots<Pass>) =>
  sql`${isLive($)} AND ${users.role} IN (SELECT value FROM json_each(${$.roles}))`

/**
 * The same as an expression. It belongs around the value that a statement seeks by: beside it, in
 * WHERE, it would be judged row by row.
 */
export const mayPass = ($: Slots<Pass>) =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isAdmitted($)})`

export const passOf = ({ caller, roles }: Door): Pass => ({
  user_id: caller.userId,
  token_version: caller.version,
  jti: caller.jti,
  roles: JSON.stringify(roles),
})
