import { type SQL, sql } from 'drizzle-orm'
import { fromHex } from '../bytes.ts'
import { DomainError } from '../errors.ts'
import type { Zones } from '../time-zone.ts'
import { emptyMemory, type Memory, rememberScope } from './memory.ts'
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
import { revoked_tokens, users } from './schema.ts'
import type { Scope } from './scope.ts'
import { type StoredZones, selectZoneRules, zonesOf, zonesVersion } from './zones.ts'

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
  /** 1 if the following statements are built for `scope`, else 0. */
  in_scope: number
  /** The scope that the caller is expected to have. */
  scope: Scope
  /** The zones that the statements are built for; null where they need none. */
  zones_version: number | null
}

/** Brands the column made by `authorized`: `AuthorizedDb.read` takes only queries with it. */
type Authorized = string & { readonly brand: 'authorized' }

/** A column that raises unless the token is valid and its user has one of the roles. */
export const authorized = (p: Params<AuthParams>) =>
  raise(
    [
      sql`${users.id} IS NULL OR ${users.active} <> 1 OR ${users.token_version} <> ${p.token_version}
      OR EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${p.jti})`,
      'UNAUTHENTICATED',
    ],
    [
      sql`${p.roles} IS NOT NULL AND ${users.role} NOT IN (SELECT value FROM json_each(${p.roles}))`,
      'FORBIDDEN',
    ],
    [
      sql`${p.in_scope} AND ${users.scope_branches} IS NOT ${p.scope}`,
      sql`'scope:x' || hex(coalesce(${users.scope_branches}, ''))`,
    ],
    [sql`${p.zones_version} <> ${zonesVersion}`, sql`'zones:OUTDATED'`],
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
   * Runs the authorization statement, then the statements that are built for the caller's scope and
   * the branches' zones: one round trip, one transaction; more where this isolate did not know
   * them.
   * @throws DomainError UNAUTHENTICATED or FORBIDDEN before any of them has read or written
   * anything; the code that one of them raised: nothing was written; DATABASE_BUSY where scope or
   * zones have changed since this request read something
   */
  batch<const S extends Statements>(build: (scope: Scope, zones: Zones) => S): Promise<Results<S>>
  /**
   * The same without a scope: for statements on the caller alone, on what has no branch, and on
   * every branch. Whoever sees one branch only may call what uses it for other people's rows only
   * behind `requireRoleInAllBranches`.
   */
  batchOfAllBranches<const S extends Statements>(...statements: S): Promise<Results<S>>
  /** The caller's scope and the branches' zones: no query where this request has run a batch. */
  ready(): Promise<{ scope: Scope; zones: Zones }>
  /**
   * The scope of what this request has read with `batch`.
   * @throws Error before the first batch: an unknown scope never reads as all branches
   */
  scope(): Scope
  /** The zones of what this request has read with `batch`; an error before it. */
  zones(): Zones
  /** Runs one query that selects `authorized` with the caller's row of `users`; returns the row. */
  read<Row extends { authorized: Authorized }>(
    query: (params: AuthParams) => Statement<Row[]>,
  ): Promise<Row>
}

/** The batch was built for an outdated scope or outdated zones. It is retried; else a 503. */
class OutdatedError extends DomainError {
  override name = 'OutdatedError'
  /** The caller's scope; undefined where the zones have changed. */
  readonly scope: Scope | undefined

  constructor(scope: Scope | undefined) {
    super('DATABASE_BUSY')
    this.scope = scope
  }
}

/**
 * The error of a failed batch: an outdated scope or zones, a raised code, or the error as it is.
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
  /** What this isolate remembers of users' scopes and of zones. */
  memory?: Memory
  /** The zone of branches that have none of their own. */
  timeZone?: string
  /** Whether users with a scope are rejected, because the statements concern every branch. */
  allBranches?: boolean
}

/** Two for an outdated scope and outdated zones, and one for a scope that changes meanwhile. */
const ATTEMPTS = 4

/** Opens a handle for the user of a token; `roles` null allows any signed-in user. */
export const authorizeDb = (
  db: D1,
  claims: TokenClaims,
  roles: readonly string[] | null,
  { memory = emptyMemory(), timeZone = 'UTC', allBranches = false }: AuthorizeOptions = {},
): AuthorizedDb => {
  const params: AuthParams = {
    user_id: claims.userId,
    token_version: claims.version,
    jti: claims.jti,
    roles: roles && JSON.stringify(roles),
    in_scope: allBranches ? 1 : 0,
    scope: null,
    zones_version: null,
  }
  let checked = false
  /** The scope and zones of what this request has read: a file never mixes two. */
  let used: { scope: Scope; stored: StoredZones } | undefined
  const requireUsed = () => {
    if (!used) throw new Error('Scope and zones are known after the first batch.')
    return used
  }
  // With any other error, the caller was authorized or no statement ran.
  const check = async <Out>(work: Promise<Out>): Promise<Out> => {
    checked = true
    try {
      return await work
    } catch (error) {
      const batchError = toBatchError(error)
      const isOutOfScope = batchError instanceof OutdatedError && batchError.scope !== undefined
      if (allBranches && isOutOfScope) throw new DomainError('FORBIDDEN')
      throw batchError
    }
  }
  const batchOfAllBranches = async <const S extends Statements>(...statements: S) => {
    const [, ...results] = await check(batch(db, authorizeCaller(params), ...statements))
    return results as unknown as Results<S>
  }
  /** Remembers the scope, or reads the zones, that an OutdatedError has reported. */
  const refresh = async ({ scope }: OutdatedError): Promise<void> => {
    if (scope !== undefined) {
      rememberScope(memory, claims.userId, scope)
      return
    }
    const [rules] = await batchOfAllBranches(selectZoneRules({}))
    memory.zones = { version: rules[0]?.version ?? 0, rules }
  }
  const batchInScope = async <const S extends Statements>(
    build: (scope: Scope, zones: Zones) => S,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const scope = used ? used.scope : (memory.scopes.get(claims.userId) ?? null)
      const stored = used?.stored ?? memory.zones
      const zones_version = stored.version
      const authorize = authorizeCaller({ ...params, in_scope: 1, scope, zones_version })
      const statements = build(scope, zonesOf(stored, timeZone))
      try {
        const [, ...results] = await check(batch(db, authorize, ...statements))
        used = { scope, stored }
        return results as unknown as Results<S>
      } catch (error) {
        if (!(error instanceof OutdatedError)) throw error
        await refresh(error)
        if (used || attempt === ATTEMPTS) throw error
      }
    }
  }
  return {
    claims,
    scope: () => requireUsed().scope,
    zones: () => zonesOf(requireUsed().stored, timeZone),
    ensureChecked: async () => {
      if (!checked) await check(execute(db, authorizeCaller(params)))
    },
    batch: batchInScope,
    ready: async () => {
      if (!used) await batchInScope(() => [])
      const { scope, stored } = requireUsed()
      return { scope, zones: zonesOf(stored, timeZone) }
    },
    batchOfAllBranches,
    read: async (query) => {
      const [row] = await check(execute(db, query(params)))
      if (!row) throw new DomainError('UNAUTHENTICATED')
      return row
    },
  }
}
