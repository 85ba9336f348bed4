import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { D1 } from '../core/db/query.ts'
import { DomainError } from '../core/errors.ts'
import { emailKey, numberOf } from '../core/values/email.ts'
import { setUserPassword } from './new-password.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import {
  findCandidates,
  getOwnCredentials,
  type OwnCredentials,
  replaceHash,
} from './session.queries.ts'
import { chooseAccount, unknownName } from './sign-in-names.ts'

/**
 * The account that somebody wants to sign in to. The attempts to guess its password count together,
 * whatever name of it is typed. An employee also signs in by `NUMBER@sin-correo.invalid`.
 */
export const findAccount = async (db: D1, email: string) => {
  const name = { email_key: emailKey(email), number: numberOf(email) }
  const account = chooseAccount(await findCandidates(db, name), name)
  return { account, countedBy: account ? String(account.user.id) : unknownName(name) }
}

export type Account = Awaited<ReturnType<typeof findAccount>>['account']

/**
 * Signs a user in. The password is checked first, so that a wrong password does not reveal whether
 * the account exists or is active. A hash in an older form is replaced.
 */
export const signIn = async (db: D1, account: Account, password: string) => {
  const { matches, outdated } = await verifyPassword(password, account?.password_hash)
  if (!account || !matches) throw new DomainError('WRONG_CREDENTIALS')
  if (account.user.active !== 1) throw new DomainError('USER_INACTIVE')
  if (outdated) {
    await replaceHash(db, account.user.id, account.password_hash, await hashPassword(password))
  }
  return { user: account.user, tokenVersion: account.token_version }
}

/**
 * Changes the caller's password. All tokens of the caller end, and an open link ends too. Returns
 * the token version for a new token.
 */
export const changeOwnPassword = async (
  db: AuthorizedDb,
  { password_hash: stored }: OwnCredentials,
  current: string,
  password: string,
  now: Date,
): Promise<number> => {
  const { matches } = await verifyPassword(current, stored)
  if (!matches) throw new DomainError('WRONG_CURRENT_PASSWORD')
  if (password === current) throw new DomainError('SAME_PASSWORD')
  const { userId } = db.claims
  return setUserPassword(db, userId, password, { userId, now, oldHash: stored })
}

/**
 * Checks the password of a caller who acts as an employee. Returns the employee, and the stored
 * hash, which must still be the same when the act is recorded.
 * @throws DomainError NO_EMPLOYEE, WRONG_PASSWORD
 */
export const confirmPassword = async (db: AuthorizedDb, password: string) => {
  const { employee_id, password_hash } = await getOwnCredentials(db)
  if (employee_id === null) throw new DomainError('NO_EMPLOYEE')
  const { matches } = await verifyPassword(password, password_hash)
  if (!matches) throw new DomainError('WRONG_PASSWORD')
  return { employee_id, password_hash }
}

/** The data of an answer that signs a user in. */
export const signedIn = <User>(user: User, token: string) => ({ user, token, token_type: 'Bearer' })
