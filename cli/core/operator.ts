import { type AuthorizedDb, OPERATOR } from '../../src/core/db/authorization.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { type D1, execute } from '../../src/core/db/query.ts'
import { selectZoneRules, zonesOf } from '../../src/core/db/zones.ts'

/** Opens the database for an operator, who sees all branches and is no user. */
export const openAsOperator = async (db: D1): Promise<AuthorizedDb> => {
  const rules = await execute(db, selectZoneRules({}))
  const zones = zonesOf({ version: rules[0]?.version ?? 0, rules })
  const { batchOfAllBranches } = withoutCaller(db)
  return {
    claims: OPERATOR,
    scope: () => null,
    zones: () => zones,
    ready: async () => ({ scope: null, zones }),
    ensureChecked: async () => undefined,
    batch: (build) => batchOfAllBranches(build(null, zones)),
    batchOfAllBranches,
    read: () => Promise.reject(new Error('An operator is no user.')),
  }
}
