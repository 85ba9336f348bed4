import { sql } from 'drizzle-orm'
import { fromHex } from '../../shared/evidence/bytes.ts'
import { revoked_tokens, users } from '../schema.ts'
import { AuthorizationError, DatabaseBusyError } from './errors.ts'
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
import { type KnownScopes, rememberScope, type Scope } from './scope.ts'

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
  /** Whether the statements that follow are for this scope alone: 1 or 0. */
  in_scope: number
  /** The scope that the caller is expected to have. */
  scope: Scope
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
    WHEN ${p.in_scope} AND ${users.scope_branch} IS NOT ${p.scope}
      THEN 'auth:SCOPE:' || iif(${users.scope_branch} IS NULL, 'all', 'x' || hex(${users.scope_branch}))
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
  /**
   * The same, for statements on other people's logs, which are built for the caller's scope: a
   * second round trip where this isolate did not know it.
   * @throws DatabaseBusyError where the scope has changed since this request read something
   */
  batchInScope<const S extends Statements>(build: (scope: Scope) => S): Promise<Results<S>>
  /** The scope of what this request has read with `batchInScope`. */
  readonly scope: Scope
  /** Runs one query that selects `authorized` with the caller's row of `users`; returns the row. */
  read<Row extends { authorized: Authorized }>(
    query: (params: AuthParams) => Statement<Row[]>,
  ): Promise<Row>
}

/** A batch was built for another scope than the caller's. Unless it is tried again, a 503. */
class ScopeError extends DatabaseBusyError {
  override name = 'ScopeError'
  readonly actual: Scope

  constructor(actual: Scope, options: ErrorOptions) {
    super('DATABASE_BUSY', options)
    this.actual = actual
  }
}

const AUTHORIZATION_ERROR = /\bauth:(UNAUTHENTICATED|FORBIDDEN)\b/

const SCOPE_ERROR = /\bauth:SCOPE:(all|x[0-9A-F]*)\b/

const toAuthorizationError = (error: unknown): unknown => {
  const text = error instanceof Error ? error.message : ''
  const [, scope] = SCOPE_ERROR.exec(text) ?? []
  if (scope) {
    const actual = scope === 'all' ? null : new TextDecoder().decode(fromHex(scope.slice(1)))
    return new ScopeError(actual, { cause: error })
  }
  const [, code] = AUTHORIZATION_ERROR.exec(text) ?? []
  return code ? new AuthorizationError(code as AuthorizationError['code']) : error
}

interface AuthorizeOptions {
  /** What this isolate knows of the users' scopes. */
  scopes?: KnownScopes
  /** Whether users with a scope are forbidden: what they ask for cannot be limited to a branch. */
  allBranches?: boolean
}

/** Opens a handle for the user of a token; `roles` null allows any signed-in user. */
export const authorizeDb = (
  db: D1,
  claims: TokenClaims,
  roles: readonly string[] | null,
  { scopes = new Map(), allBranches = false }: AuthorizeOptions = {},
): AuthorizedDb => {
  const params: AuthParams = {
    user_id: claims.userId,
    token_version: claims.version,
    jti: claims.jti,
    roles: roles && JSON.stringify(roles),
    in_scope: allBranches ? 1 : 0,
    scope: null,
  }
  let checked = false
  /** The scope of what this request has read: a file never mixes two. */
  let readScope: Scope | undefined
  // Any other error means that the caller was authorized, or that nothing ran.
  const check = async <Out>(work: Promise<Out>): Promise<Out> => {
    checked = true
    try {
      return await work
    } catch (error) {
      const known = toAuthorizationError(error)
      if (allBranches && known instanceof ScopeError) throw new AuthorizationError('FORBIDDEN')
      throw known
    }
  }
  const batchFor = async <const S extends Statements>(
    scope: Scope,
    build: (scope: Scope) => S,
  ): Promise<Results<S>> => {
    const authorize = authorizeCaller({ ...params, in_scope: 1, scope })
    const [, ...results] = await check(batch(db, authorize, ...build(scope)))
    readScope = scope
    return results as unknown as Results<S>
  }
  return {
    claims,
    get scope() {
      return readScope ?? null
    },
    ensureChecked: async () => {
      if (!checked) await check(execute(db, authorizeCaller(params)))
    },
    batch: async <const S extends Statements>(...statements: S) => {
      const [, ...results] = await check(batch(db, authorizeCaller(params), ...statements))
      return results as unknown as Results<S>
    },
    batchInScope: (build) => {
      const expected = readScope === undefined ? (scopes.get(claims.userId) ?? null) : readScope
      return batchFor(expected, build).catch((error: unknown) => {
        if (!(error instanceof ScopeError)) throw error
        rememberScope(scopes, claims.userId, error.actual)
        if (readScope !== undefined) throw error
        return batchFor(error.actual, build)
      })
    },
    read: async (query) => {
      const [row] = await check(execute(db, query(params)))
      if (!row) throw new AuthorizationError('UNAUTHENTICATED')
      return row
    },
  }
}
