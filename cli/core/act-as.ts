import { type AuthorizedDb, authorizeDb } from '../../src/core/db/authorization.ts'
import { batch, type D1, execute } from '../../src/core/db/query.ts'
import { selectZoneRules, zonesOf } from '../../src/core/db/zones.ts'
import { emailKey } from '../../src/core/email.ts'
import { findCredentials } from '../../src/people/users.queries.ts'
import type { Target } from './database.ts'
import { configuredSettings } from './installation-file.ts'
import { CliError } from './run-cli.ts'

/** Opens the database in the name of a user, with the same access rules as for a request. */
export const actAs = async (db: D1, email: string, timeZone: string): Promise<AuthorizedDb> => {
  const account = await findCredentials(db, emailKey(email))
  if (!account) throw new CliError(`There is no user ${email}.`)
  if (!account.user.active) throw new CliError(`The user ${email} is not active.`)
  const claims = { userId: account.user.id, version: account.token_version, jti: 'operator' }
  return authorizeDb(db, claims, null, { timeZone, allBranches: true })
}

/** Opens the database for reading all branches, without a user. */
export const readAsOperator = async (db: D1, target: Target): Promise<AuthorizedDb> => {
  const { TIME_ZONE } = configuredSettings(target.installation)
  const rules = await execute(db, selectZoneRules({}))
  const zones = zonesOf({ version: rules[0]?.version ?? 0, rules }, TIME_ZONE)
  return {
    claims: { userId: 0, version: 0, jti: 'operator' },
    scope: () => null,
    zones: () => zones,
    ready: async () => ({ scope: null, zones }),
    ensureChecked: async () => undefined,
    batch: (build) => batch(db, ...build(null, zones)),
    batchOfAllBranches: (...statements) => batch(db, ...statements),
    read: () => Promise.reject(new Error('An operator who reads is no user.')),
  }
}
