import { DomainError } from '../errors.ts'
import { fromHex } from '../values/bytes.ts'
import type { Zones } from '../values/time-zone.ts'
import type { BatchDb } from './batch-db.ts'
import {
  type Authorized,
  type AuthParams,
  authorizeCaller,
  type TokenClaims,
} from './caller.queries.ts'
import { emptyMemory, type Memory, rememberScope, type StoredZones } from './d1.ts'
import type { D1, Results, Statement, Statements } from './query.ts'
import { raisedText, toDomainError } from './raise.ts'
import { batch, execute } from './run.ts'
import type { Scope } from './scope.ts'
import { selectZoneRules, zonesOf } from './zones.ts'

/** The name of the check in a batch, which no other statement has. */
const CHECK = '(caller)'

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

/** A database handle that checks the caller in the transaction of each batch and each read. */
export class AuthorizedDb implements BatchDb {
  readonly claims: TokenClaims
  readonly #db: D1
  readonly #params: AuthParams
  readonly #memory: Memory
  readonly #allBranches: boolean
  /** Whether a statement of this request has checked the caller. */
  #isChecked = false
  /**
   * The scope and zones of the first batch. Later batches use the same ones, so that all pages of a
   * file have the same scope and zones.
   */
  #used: { scope: Scope; stored: StoredZones } | undefined

  /** @param roles null allows any signed-in user */
  constructor(
    db: D1,
    claims: TokenClaims,
    roles: readonly string[] | null,
    { memory = emptyMemory(), allBranches = false, unscopedRoles = [] }: AuthorizeOptions = {},
  ) {
    this.claims = claims
    this.#db = db
    this.#memory = memory
    this.#allBranches = allBranches
    this.#params = {
      user_id: claims.userId,
      token_version: claims.version,
      jti: claims.jti,
      roles: roles && JSON.stringify(roles),
      unscoped_roles: JSON.stringify(unscopedRoles),
      in_scope: allBranches ? 1 : 0,
      scope: null,
      zones_version: null,
    }
  }

  /**
   * Checks the caller with a query, unless an earlier query of this request has checked the caller.
   */
  async ensureChecked(): Promise<void> {
    if (!this.#isChecked) await this.batch(() => ({}))
  }

  /**
   * Checks the caller, then runs the statements, which are built for the caller's scope and the
   * branches' zones. The check and the statements are one transaction. They take one round trip if
   * this isolate knows the current scope and zones.
   * @throws DomainError UNAUTHENTICATED or FORBIDDEN if the check fails; no statement has run then
   * @throws DomainError the code that a statement raises; nothing is written then
   * @throws DomainError DATABASE_BUSY if scope or zones have changed since an earlier batch of this
   * request, or are outdated in each attempt
   */
  async batch<const S extends Statements>(
    build: (scope: Scope, zones: Zones) => S,
  ): Promise<Results<S>> {
    for (let attempt = 1; ; attempt++) {
      const { scope, stored } = this.#used ?? this.#remembered()
      const expected = { in_scope: 1, scope, zones_version: stored.version }
      try {
        const results = await this.#run(expected, build(scope, zonesOf(stored)))
        this.#used = { scope, stored }
        return results
      } catch (error) {
        if (!(error instanceof OutdatedError)) throw error
        await this.#refresh(error)
        if (this.#used || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }

  /**
   * Like `batch`, but without a scope. It is for statements about the caller, about data without a
   * branch, or about every branch. A route that reads or writes other people's rows with it needs
   * `mayInAllBranches`.
   */
  batchOfAllBranches<const S extends Statements>(statements: S): Promise<Results<S>> {
    return this.#run({}, statements)
  }

  /**
   * Runs one query that selects `authorized` from the caller's row of `users`, and returns that
   * row.
   */
  async read<Row extends { authorized: Authorized }>(
    query: (params: AuthParams) => Statement<Row[]>,
  ): Promise<Row> {
    const [row] = await this.#check(execute(this.#db, query(this.#params)))
    if (!row) throw new DomainError('UNAUTHENTICATED')
    return row
  }

  /** The caller's scope and the branches' zones. It sends a query only if no batch has run yet. */
  async ready(): Promise<{ scope: Scope; zones: Zones }> {
    if (!this.#used) await this.batch(() => ({}))
    return { scope: this.scope(), zones: this.zones() }
  }

  /**
   * The scope that this request's batches use.
   * @throws Error before the first batch, because no scope would mean all branches
   */
  scope(): Scope {
    return this.#requireUsed().scope
  }

  /**
   * The zones that this request's batches use.
   * @throws Error before the first batch
   */
  zones(): Zones {
    return zonesOf(this.#requireUsed().stored)
  }

  #requireUsed() {
    if (!this.#used) throw new Error('Scope and zones are known after the first batch.')
    return this.#used
  }

  #remembered() {
    const { scopes, zones: stored } = this.#memory
    const scope = this.#allBranches ? null : (scopes.get(this.claims.userId) ?? null)
    return { scope, stored }
  }

  /** Updates the memory: stores the current scope, or reads the zones again. */
  async #refresh({ scope }: OutdatedError): Promise<void> {
    if (scope !== undefined) {
      rememberScope(this.#memory, this.claims.userId, scope)
      return
    }
    const { rules } = await this.#run({}, { rules: selectZoneRules({}) })
    this.#memory.zones = { version: rules[0]?.version ?? 0, rules }
  }

  /** Runs the check and the statements as one transaction. */
  #run<const S extends Statements>(expected: Partial<AuthParams>, statements: S) {
    const check = authorizeCaller({ ...this.#params, ...expected })
    return this.#check<Results<S>>(batch(this.#db, { [CHECK]: check, ...statements }))
  }

  /**
   * `#isChecked` is set before the query is sent. A failed check ends the request. Any other error
   * means that the caller has passed the check, or that no statement has run.
   */
  async #check<Out>(work: Promise<Out>): Promise<Out> {
    this.#isChecked = true
    try {
      return await work
    } catch (cause) {
      const error = toBatchError(cause)
      const hasOtherScope = error instanceof OutdatedError && error.scope !== undefined
      throw this.#allBranches && hasOtherScope ? new DomainError('FORBIDDEN') : error
    }
  }
}
