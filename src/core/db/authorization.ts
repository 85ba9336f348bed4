import { type SQL, sql } from 'drizzle-orm'
import { DomainError } from '../errors.ts'
import { revoked_tokens, users } from '../tables/users.ts'
import { fromHex } from '../values/bytes.ts'
import type { Zones } from '../values/time-zone.ts'
import { emptyMemory, type Memory, rememberScope } from './d1.ts'
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
import { raise, raisedText, toDomainError } from './rules.ts'
import type { Scope } from './scope.ts'
import { type StoredZones, selectZoneRules, zonesOf, zonesVersion } from './zones.ts'

/**
 * The claims of a verified token. `version` is the user's token version when the token was issued.
 */
export interface TokenClaims {
  userId: number
  jti: string
  version: number
  /** The second in which the token was issued. Missing in an operator's command. */
  iat?: number
  /** The second in which the token ends by itself. */
  exp?: number
  machine?: true
}

/** The claims of an operator's command. No user has the id 0. */
export const OPERATOR: TokenClaims = { userId: 0, version: 0, jti: 'operator' }

export interface AuthParams {
  user_id: number
  token_version: number
  jti: string
  /** The allowed roles as a JSON array. Null allows any signed-in user. */
  roles: string | null
  /** The roles that are allowed only without a scope, as a JSON array. */
  unscoped_roles: string
  /** 1 if the caller's scope must be `scope`, 0 if the caller may have any scope. */
  in_scope: number
  /** The scope that the caller is expected to have. */
  scope: Scope
  /** The version of the zones that the statements are built with. Null if they use no zones. */
  zones_version: number | null
}

/** Marks the column that `authorized` makes. `AuthorizedDb.read` accepts only queries with it. */
type Authorized = string & { readonly brand: 'authorized' }

/**
 * A column that throws unless the token is valid, its user has one of the allowed roles, and the
 * scope and the zones are the expected ones.
 */
export const authorized = (p: Params<AuthParams>) =>
  raise(
    [
      sql`${users.id} IS NULL OR ${users.active} <> 1 OR ${users.token_version} <> ${p.token_version}
      OR EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${p.jti})`,
      'UNAUTHENTICATED',
    ],
    [
      sql`${p.roles} IS NOT NULL AND ${users.role} NOT IN (SELECT value FROM json_each(${p.roles}))
        AND (${users.scope_branches} IS NOT NULL
          OR ${users.role} NOT IN (SELECT value FROM json_each(${p.unscoped_roles})))`,
      'FORBIDDEN',
    ],
    [
      sql`${p.in_scope} AND ${users.scope_branches} IS NOT ${p.scope}`,
      sql`'scope:x' || hex(coalesce(${users.scope_branches}, ''))`,
    ],
    [sql`${p.zones_version} <> ${zonesVersion}`, sql`'zones:OUTDATED'`],
  ) as SQL.Aliased<Authorized>

// The outer join returns a row even if the user does not exist, so that `authorized` throws then
// too.
const authorizeCaller = prepare((p: Params<AuthParams>) =>
  qb
    .select({ authorized: authorized(p) })
    .from(sql`(SELECT 1) LEFT JOIN ${users} ON ${users.id} = ${p.user_id}`),
)

/** The name of the check in a batch, which no other statement has. */
const CHECK = '(caller)'

/** A database handle that checks the caller in the transaction of each batch and each read. */
export interface AuthorizedDb {
  readonly claims: TokenClaims
  /**
   * Checks the caller with a query, unless an earlier query of this request has checked the caller.
   */
  ensureChecked(): Promise<void>
  /**
   * Checks the caller, then runs the statements, which are built for the caller's scope and the
   * branches' zones. The check and the statements are one transaction. They take one round trip if
   * this isolate knows the current scope and zones.
   * @throws DomainError UNAUTHENTICATED or FORBIDDEN if the check fails; no statement has run then
   * @throws DomainError the code that a statement raises; nothing is written then
   * @throws DomainError DATABASE_BUSY if scope or zones have changed since an earlier batch of this
   * request, or are outdated in each attempt
   */
  batch<const S extends Statements>(build: (scope: Scope, zones: Zones) => S): Promise<Results<S>>
  /**
   * Like `batch`, but without a scope. It is for statements about the caller, about data without a
   * branch, or about every branch. A route that reads or writes other people's rows with it needs
   * `mayInAllBranches`.
   */
  batchOfAllBranches<const S extends Statements>(statements: S): Promise<Results<S>>
  /** The caller's scope and the branches' zones. It sends a query only if no batch has run yet. */
  ready(): Promise<{ scope: Scope; zones: Zones }>
  /**
   * The scope that this request's batches use.
   * @throws Error before the first batch, because no scope would mean all branches
   */
  scope(): Scope
  /**
   * The zones that this request's batches use.
   * @throws Error before the first batch
   */
  zones(): Zones
  /**
   * Runs one query that selects `authorized` from the caller's row of `users`, and returns that
   * row.
   */
  read<Row extends { authorized: Authorized }>(
    query: (params: AuthParams) => Statement<Row[]>,
  ): Promise<Row>
}

/**
 * The batch was built for an outdated scope or outdated zones. The first batch of a request is
 * retried. After the last attempt the caller gets a 503.
 */
class OutdatedError extends DomainError {
  override name = 'OutdatedError'
  /**
   * The caller's current scope, null for all branches. Undefined if only the zones have changed.
   */
  readonly scope: Scope | undefined

  constructor(scope: Scope | undefined) {
    super('DATABASE_BUSY')
    this.scope = scope
  }
}

/**
 * Turns a failed batch into an OutdatedError or the raised DomainError. Other errors stay the same.
 */
const toBatchError = (error: unknown): unknown => {
  const hex = raisedText(error, 'scope:x')
  if (hex !== undefined) {
    const scope = new TextDecoder().decode(fromHex(hex))
    return new OutdatedError(scope === '' ? null : scope)
  }
  return raisedText(error, 'zones:OUTDATED') === undefined
    ? toDomainError(error)
    : new OutdatedError(undefined)
}

interface AuthorizeOptions {
  /** The users' scopes and the zones that this isolate remembers. */
  memory?: Memory
  /**
   * Rejects users with a scope, because the statements concern every branch. The remembered scope is
   * not used.
   */
  allBranches?: boolean
  /** More roles, whose users are allowed only without a scope. */
  unscopedRoles?: readonly string[]
}

/**
 * The maximum number of attempts of a batch. Both the scope and the zones may be outdated at first,
 * and one of them may change again meanwhile.
 */
const ATTEMPTS_MAX = 4

/** Opens a handle for the user of a token. With `roles` null, any signed-in user is allowed. */
export const authorizeDb = (
  db: D1,
  claims: TokenClaims,
  roles: readonly string[] | null,
  { memory = emptyMemory(), allBranches = false, unscopedRoles = [] }: AuthorizeOptions = {},
): AuthorizedDb => {
  const params: AuthParams = {
    user_id: claims.userId,
    token_version: claims.version,
    jti: claims.jti,
    roles: roles && JSON.stringify(roles),
    unscoped_roles: JSON.stringify(unscopedRoles),
    in_scope: allBranches ? 1 : 0,
    scope: null,
    zones_version: null,
  }
  let checked = false
  /**
   * The scope and zones of the first batch. Later batches use the same ones, so that all pages of a
   * file have the same scope and zones.
   */
  let used: { scope: Scope; stored: StoredZones } | undefined
  const requireUsed = () => {
    if (!used) throw new Error('Scope and zones are known after the first batch.')
    return used
  }
  // `checked` is set before the query is sent. A failed check ends the request. Any other error
  // means that the caller has passed the check, or that no statement has run.
  const check = async <Out>(work: Promise<Out>): Promise<Out> => {
    checked = true
    try {
      return await work
    } catch (error) {
      const batchError = toBatchError(error)
      const hasOtherScope = batchError instanceof OutdatedError && batchError.scope !== undefined
      if (allBranches && hasOtherScope) throw new DomainError('FORBIDDEN')
      throw batchError
    }
  }
  const batchOfAllBranches = async <const S extends Statements>(statements: S) =>
    check<Results<S>>(batch(db, { [CHECK]: authorizeCaller(params), ...statements }))
  /**
   * Updates the memory after an OutdatedError: it stores the current scope, or reads the zones
   * again.
   */
  const refresh = async ({ scope }: OutdatedError): Promise<void> => {
    if (scope !== undefined) {
      rememberScope(memory, claims.userId, scope)
      return
    }
    const { rules } = await batchOfAllBranches({ rules: selectZoneRules({}) })
    memory.zones = { version: rules[0]?.version ?? 0, rules }
  }
  const rememberedScope = (): Scope =>
    allBranches ? null : (memory.scopes.get(claims.userId) ?? null)
  const batchInScope = async <const S extends Statements>(
    build: (scope: Scope, zones: Zones) => S,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const scope = used ? used.scope : rememberedScope()
      const stored = used?.stored ?? memory.zones
      const zones_version = stored.version
      const authorize = authorizeCaller({ ...params, in_scope: 1, scope, zones_version })
      const statements = build(scope, zonesOf(stored))
      try {
        const results: Results<S> = await check(batch(db, { [CHECK]: authorize, ...statements }))
        used = { scope, stored }
        return results
      } catch (error) {
        if (!(error instanceof OutdatedError)) throw error
        await refresh(error)
        if (used || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }
  return {
    claims,
    scope: () => requireUsed().scope,
    zones: () => zonesOf(requireUsed().stored),
    ensureChecked: async () => {
      if (!checked) await batchInScope(() => ({}))
    },
    batch: batchInScope,
    ready: async () => {
      if (!used) await batchInScope(() => ({}))
      const { scope, stored } = requireUsed()
      return { scope, zones: zonesOf(stored) }
    },
    batchOfAllBranches,
    read: async (query) => {
      const [row] = await check(execute(db, query(params)))
      if (!row) throw new DomainError('UNAUTHENTICATED')
      return row
    },
  }
}
