import type { D1 } from '../db/query.ts'
import { findCredentials, replaceHash } from '../db/users.ts'
import { emailKey } from '../shared/email.ts'
import { Refused } from './errors.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

/**
 * Signs a user in. The password is judged first: who does not know it never learns whether the
 * account exists or is active. A hash in an old form is stored anew.
 */
export const signIn = async (db: D1, email: string, password: string) => {
  const found = await findCredentials(db, emailKey(email))
  const { matches, outdated } = await verifyPassword(password, found?.password_hash)
  if (!found || !matches) throw new Refused('WRONG_CREDENTIALS')
  if (found.user.active !== 1) throw new Refused('USER_INACTIVE')
  if (outdated) {
    await replaceHash(db, found.user.id, found.password_hash, await hashPassword(password))
  }
  return { user: found.user, tokenVersion: found.token_version }
}
