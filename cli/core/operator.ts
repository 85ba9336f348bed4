import { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { OPERATOR } from '../../src/core/db/caller.queries.ts'
import type { D1, Results, Statements } from '../../src/core/db/query.ts'
import { execute } from '../../src/core/db/run.ts'
import { selectZoneRules, zonesOf } from '../../src/core/db/zones.ts'
import type { Zones } from '../../src/core/values/time-zone.ts'

/** The database for an operator, who sees all branches and is no user. */
class OperatorDb extends AuthorizedDb {
  readonly #db: D1
  readonly #zones: Zones

  constructor(db: D1, zones: Zones) {
    super(db, OPERATOR, null)
    this.#db = db
    this.#zones = zones
  }

  override batch<const S extends Statements>(
    build: (scope: null, zones: Zones) => S,
  ): Promise<Results<S>> {
    return this.batchOfAllBranches(build(null, this.#zones))
  }

  override batchOfAllBranches<const S extends Statements>(statements: S): Promise<Results<S>> {
    return withoutCaller(this.#db).batchOfAllBranches(statements)
  }

  override read(): Promise<never> {
    return Promise.reject(new Error('An operator is no user.'))
  }

  override async ensureChecked(): Promise<void> {}

  override async ready() {
    return { scope: null, zones: this.#zones }
  }

  override scope() {
    return null
  }

  override zones() {
    return this.#zones
  }
}

export const openAsOperator = async (db: D1): Promise<AuthorizedDb> => {
  const rules = await execute(db, selectZoneRules({}))
  return new OperatorDb(db, zonesOf({ version: rules[0]?.version ?? 0, rules }))
}
