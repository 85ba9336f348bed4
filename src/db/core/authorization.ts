import { type SQL, sql } from 'drizzle-orm'
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
import { raise, raisedText, toRuleError } from './rules.ts'
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

/** A column that raises unless the token is valid and its user has one of the roles. */
export const authorized = (p: Params<AuthParams>) =>
  raise(
    [
      sql`${users.id} IS NULL OR ${users.active} <> 1 OR ${users.token_version} <> ${p.token_version}
      OR EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${p.jti})`,
      'auth:UNAUTHENTICATED',
    ],
    [
      sql`${p.roles} IS NOT NULL AND ${users.role} NOT IN (SELECT value FROM json_each(${p.roles}))`,
      'auth:FORBIDDEN',
    ],
    [
      sql`${p.in_scope} AND ${users.scope_branches} IS NOT ${p.scope}`,
      sql`'auth:SCOPE:x' || hex(coalesce(${users.scope_branches}, ''))`,
    ],
  ) as SQL.Aliased<Authorized>

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
   * Runs the authorization statement, then the statements that are built for the caller's scope: one
   * round trip, one transaction; a second one where this isolate did not know the scope.
   * @throws AuthorizationError before any of them has read or written anything
   * @throws RuleError where one of them has raised a rule: nothing was written
   * @throws DatabaseBusyError where the scope has changed since this request read something
   */
  batch<const S extends Statements>(build: (scope: Scope) => S): Promise<Results<S>>
  /**
   * The same without a scope: for statements on the caller alone, on what has no branch, and on every
   * branch. Whoever sees one branch only may call what uses it for other people's rows only behind
   * `requireRoleInAllBranches`.
   */
  batchOfAllBranches<const S extends Statements>(...statements: S): Promise<Results<S>>
  /**
   * The scope of what this request has read with `batch`.
   * @throws Error before the first batch: an unknown scope never reads as all branches
   */
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

/** The error that a failed batch means: another scope, a rule, or any other as it is. */
const toDbError = (error: unknown): unknown => {
  const hex = raisedText(error, 'auth:SCOPE:x')
  if (hex === undefined) return toRuleError(error)
  const actual = new TextDecoder().decode(fromHex(hex))
  return new ScopeError(actual === '' ? null : actual, { cause: error })
}

interface AuthorizeOptions {
  /** What this isolate knows of the users' scopes. */
  scopes?: KnownScopes
  /** Whether users with a scope are forbidden: what this reads or writes has every branch. */
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
      const dbError = toDbError(error)
      if (allBranches && dbError instanceof ScopeError) throw new AuthorizationError('FORBIDDEN')
      throw dbError
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
      if (readScope === undefined) throw new Error('The scope is known after the first batch.')
      return readScope
    },
    ensureChecked: async () => {
      if (!checked) await check(execute(db, authorizeCaller(params)))
    },
    batch: (build) => {
      const expected = readScope === undefined ? (scopes.get(claims.userId) ?? null) : readScope
      return batchFor(expected, build).catch((error: unknown) => {
        if (!(error instanceof ScopeError)) throw error
        rememberScope(scopes, claims.userId, error.actual)
        if (readScope !== undefined) throw error
        return batchFor(error.actual, build)
      })
    },
    batchOfAllBranches: async <const S extends Statements>(...statements: S) => {
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
