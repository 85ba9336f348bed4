import type { Dated } from '../../src/core/dated.ts'
import { type AuthorizedDb, authorizeDb, OPERATOR } from '../../src/core/db/authorization.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { type D1, execute } from '../../src/core/db/query.ts'
import { selectZoneRules, zonesOf } from '../../src/core/db/zones.ts'
import { emailKey } from '../../src/core/email.ts'
import { findCredentials } from '../../src/people/users.queries.ts'
import type { Target } from './database.ts'
import { configuredSettings } from './installation-file.ts'
import { CliError } from './run-cli.ts'

/** Opens the database in the name of a user, with the same access rules as for a request. */
export const actAs = async (
  db: D1,
  email: string,
  timeZone: Dated<string>,
): Promise<AuthorizedDb> => {
  const account = await findCredentials(db, emailKey(email))
  if (!account) throw new CliError(`There is no user ${email}.`)
  if (!account.user.active) throw new CliError(`The user ${email} is not active.`)
  const claims = { userId: account.user.id, version: account.token_version, jti: OPERATOR.jti }
  return authorizeDb(db, claims, null, { timeZone, allBranches: true })
}

/** Opens the database for an operator, who sees all branches and is no user. */
export const actAsOperator = async (db: D1, target: Target): Promise<AuthorizedDb> => {
  const { TIME_ZONE } = configuredSettings(target.installation)
  const rules = await execute(db, selectZoneRules({}))
  const zones = zonesOf({ version: rules[0]?.version ?? 0, rules }, TIME_ZONE)
  const { batchOfAllBranches } = withoutCaller(db)
  return {
    claims: OPERATOR,
    scope: () => null,
    zones: () => zones,
    ready: async () => ({ scope: null, zones }),
    ensureChecked: async () => undefined,
    batch: (build) => batchOfAllBranches(...build(null, zones)),
    batchOfAllBranches,
    read: () => Promise.reject(new Error('An operator is no user.')),
  }
}
