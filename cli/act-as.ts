import { type AuthorizedDb, authorizeDb } from '../src/db/core/authorization.ts'
import type { D1 } from '../src/db/core/query.ts'
import { findCredentials } from '../src/db/people/users.ts'
import { emailKey } from '../src/shared/email.ts'
import { CliError } from './run-cli.ts'

/** A handle for what a user is named for, such as a closing: the same rules hold as in a request. */
export const actAs = async (db: D1, email: string, timeZone: string): Promise<AuthorizedDb> => {
  const account = await findCredentials(db, emailKey(email))
  if (!account) throw new CliError(`There is no user ${email}.`)
  const claims = { userId: account.user.id, version: account.token_version, jti: 'operator' }
  return authorizeDb(db, claims, null, { timeZone, allBranches: true })
}
