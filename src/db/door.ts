import { eq, sql } from 'drizzle-orm'
import { type Ask, build, query, type Slots, type Statement } from './query.ts'
import { employees, revoked_tokens, users } from './schema.ts'
import { account, type Caller, details, stillAlive } from './users.ts'

/**
 * Who stands at the door, which roles may pass, and the way through it: what is asked rides with the
 * door's own question, so a write must ask the same again in SQL (`mayPass`).
 */
export interface Door {
  caller: Caller
  roles: readonly string[]
  ask: Ask
}

const selectSession = query(($: Slots<{ user_id: number; jti: string }>) =>
  build
    .select({
      user: account,
      details,
      employee: employees,
      token_version: users.token_version,
      revoked: sql`EXISTS (
        SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${$.jti}
      )`
        .mapWith(Boolean)
        .as('revoked'),
    })
    .from(users)
    .leftJoin(employees, eq(employees.employee_id, users.employee_id))
    .where(eq(users.id, $.user_id)),
)

/** The door's question: the user behind a token, the employee profile, and what may have ended it. */
export const sessionOf = ({ userId, jti }: Pick<Caller, 'userId' | 'jti'>) =>
  selectSession({ user_id: userId, jti })

export type Session = ReturnType<typeof sessionOf> extends Statement<(infer Row)[]> ? Row : never

/** The values of `mayPass`. */
export interface Pass {
  user_id: number
  token_version: number
  jti: string
  /** As a JSON array. */
  roles: string
}

/** The door's facts inside a write that rides with its question: all of them, the role included. */
export const mayPass = ($: Slots<Pass>) =>
  sql`${stillAlive($)} AND EXISTS (
    SELECT 1 FROM ${users} WHERE ${users.id} = ${$.user_id}
      AND ${users.role} IN (SELECT value FROM json_each(${$.roles}))
  )`

export const passOf = ({ caller, roles }: Door): Pass => ({
  user_id: caller.userId,
  token_version: caller.version,
  jti: caller.jti,
  roles: JSON.stringify(roles),
})
