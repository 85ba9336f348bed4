import { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { OPERATOR } from '../../src/core/db/caller.queries.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/values/email.ts'
import { findCredentials } from '../../src/session/session.queries.ts'
import { CliError } from './run-cli.ts'

/**
 * Opens the database in the name of a user, with the access rules of a request.
 * @throws CliError if there is no such user, or the user is not active
 */
export const actAs = async (db: D1, email: string): Promise<AuthorizedDb> => {
  const account = await findCredentials(db, emailKey(email))
  if (!account) throw new CliError(`There is no user ${email}.`)
  if (!account.user.active) throw new CliError(`The user ${email} is not active.`)
  const claims = { userId: account.user.id, version: account.token_version, jti: OPERATOR.jti }
  return new AuthorizedDb(db, claims, null, { allBranches: true })
}
