import type { D1 } from '../db/query.ts'
import {
  type Caller,
  changePassword,
  endTokens,
  findHash,
  findSession,
  revokeToken,
  type Session,
} from '../db/users.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { Refused } from './refusal.ts'

export type { Caller }

/** The session of a token, while its user is there and active and nothing has ended the token. */
export const openSession = async (db: D1, claims: Caller): Promise<Session | undefined> => {
  const session = await findSession(db, claims)
  const alive =
    session?.user.active === 1 && session.token_version === claims.version && !session.revoked
  return alive ? session : undefined
}

/** Ends this token, from the next request on. */
export const signOut = (db: D1, token: Caller, now: Date) =>
  revokeToken(db, token, now.toISOString())

/** Ends every token of the user. */
export const signOutEverywhere = (db: D1, userId: number) => endTokens(db, userId)

/**
 * Changes the password of whoever proves to know the current one, and ends every token. Returns
 * the version that a fresh token carries.
 */
export const changeOwnPassword = async (
  db: D1,
  token: Caller,
  current: string,
  password: string,
): Promise<number> => {
  const stored = await findHash(db, token.userId)
  const { matches } = await verifyPassword(current, stored)
  if (!stored || !matches) throw new Refused('WRONG_CURRENT_PASSWORD')
  if (password === current) throw new Refused('SAME_PASSWORD')
  const version = await changePassword(db, token, stored, await hashPassword(password))
  // Another change came first: what was current a moment ago no longer is.
  if (version === undefined) throw new Refused('WRONG_CURRENT_PASSWORD')
  return version
}
