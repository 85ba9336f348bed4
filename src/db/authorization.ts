import { sql } from 'drizzle-orm'
import { AuthorizationError } from './errors.ts'
import {
  batch,
  type D1,
  execute,
  type Params,
  prepare,
  qb,
  type Results,
  type Statement,
  type Statements,
} from './query.ts'
import { revoked_tokens, users } from './schema.ts'

/** The claims of a verified token; `version` is the user's token version when it was issued. */
export interface TokenClaims {
  userId: number
  jti: string
  version: number
}

export interface AuthParams {
  user_id: number
  token_version: number
  jti: string
  /** The allowed roles, as a JSON array; null for any signed-in user. */
  roles: string | null
}

/** Brands the column made by `authorized`: `AuthorizedDb.read` takes only queries with it. */
type Authorized = string & { readonly brand: 'authorized' }

/**
 * A column that throws in SQL unless the token is valid and its user has one of the roles, which
 * aborts the whole batch: no later statement reads or writes anything. SQLite has no RAISE outside
 * triggers, so an invalid JSON path throws; the error message contains the path, which is the code.
 */
export const authorized = (p: Params<AuthParams>) =>
  sql<Authorized>`json_extract('{}', CASE
    WHEN ${users.id} IS NULL OR ${users.active} <> 1 OR ${users.token_version} <> ${p.token_version}
      OR EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${p.jti})
      THEN 'auth:UNAUTHENTICATED'
    WHEN ${p.roles} IS NOT NULL AND ${users.role} NOT IN (SELECT value FROM json_each(${p.roles}))
      THEN 'auth:FORBIDDEN'
    ELSE '$' END)`.as('authorized')

// The outer join returns one row even without a user, so that `authorized` raises then too.
const authorizeCaller = prepare((p: Params<AuthParams>) =>
  qb
    .select({ authorized: authorized(p) })
    .from(sql`(SELECT 1) LEFT JOIN ${users} ON ${users.id} = ${p.user_id}`),
)

/** A database handle that checks the caller in the transaction of each batch and each read. */
export interface AuthorizedDb {
  readonly claims: TokenClaims
  /** Checks the caller, unless a query has done so: one round trip. */
  ensureChecked(): Promise<void>
  /**
   * Runs the authorization statement, then these: one round trip, one transaction.
   * @throws AuthorizationError before any of them has read or written anything
   */
  batch<const S extends Statements>(...statements: S): Promise<Results<S>>
  /** Runs one query that selects `authorized` with the caller's row of `users`; returns the row. */
  read<Row extends { authorized: Authorized }>(
    query: (params: AuthParams) => Statement<Row[]>,
  ): Promise<Row>
}

const AUTHORIZATION_ERROR = /\bauth:(UNAUTHENTICATED|FORBIDDEN)\b/

const toAuthorizationError = (error: unknown): unknown => {
  const [, code] = AUTHORIZATION_ERROR.exec(error instanceof Error ? error.message : '') ?? []
  return code ? new AuthorizationError(code as AuthorizationError['code']) : error
}

/** Opens a handle for the user of a token; `roles` null allows any signed-in user. */
export const authorizeDb = (
  db: D1,
  claims: TokenClaims,
  roles: readonly string[] | null,
): AuthorizedDb => {
  const params = {
    user_id: claims.userId,
    token_version: claims.version,
    jti: claims.jti,
    roles: roles && JSON.stringify(roles),
  }
  let checked = false
  // Any other error means that the caller was authorized, or that nothing ran.
  const check = async <Out>(work: Promise<Out>): Promise<Out> => {
    checked = true
    try {
      return await work
    } catch (error) {
      throw toAuthorizationError(error)
    }
  }
  return {
    claims,
    ensureChecked: async () => {
      if (!checked) await check(execute(db, authorizeCaller(params)))
    },
    batch: async <const S extends Statements>(...statements: S) => {
      const [, ...results] = await check(batch(db, authorizeCaller(params), ...statements))
      return results as unknown as Results<S>
    },
    read: async (query) => {
      const [row] = await check(execute(db, query(params)))
      if (!row) throw new AuthorizationError('UNAUTHENTICATED')
      return row
    },
  }
}
