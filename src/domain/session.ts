import { type Door, type Holder, holderOf, type Session, sessionOf } from '../db/authorization.ts'
import { batch, type D1, type Outs, run, type Statements } from '../db/query.ts'
import { type Caller, changePassword, endTokens, findHash, revokeToken } from '../db/users.ts'
import { Refused } from './errors.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

export type { Caller, Door, Session }

/** Whether a token is alive: its user active, its version the last, itself not revoked. */
const isAlive = (
  { active, token_version, revoked }: Pick<Holder, 'active' | 'token_version' | 'revoked'>,
  { version }: Caller,
): boolean => active === 1 && token_version === version && !revoked

/** The session of a token, while its user is there and active and nothing has ended the token. */
export const openSession = async (db: D1, caller: Caller): Promise<Session | undefined> => {
  const [session] = await run(db, sessionOf(caller))
  return session && isAlive({ ...session, active: session.user.active }, caller)
    ? session
    : undefined
}

/** A door that remembers whether it was asked, and who passed. */
export interface WatchedDoor extends Door {
  asked: boolean
  user: Holder | undefined
}

/**
 * The door of some roles. Its question is the first statement of whatever is asked through it, in
 * one round trip and one transaction; what was read is returned only to whom the door lets in.
 * @throws Refused UNAUTHENTICATED or FORBIDDEN
 */
export const createDoor = (db: D1, caller: Caller, roles: readonly string[]): WatchedDoor => {
  const admit = (holder: Holder | undefined): void => {
    if (!holder || !isAlive(holder, caller)) throw new Refused('UNAUTHENTICATED')
    door.user = holder
    if (!roles.includes(holder.role)) throw new Refused('FORBIDDEN')
  }
  const ask = async <const S extends Statements>(...statements: S): Promise<[...Outs<S>]> => {
    door.asked = true
    const [[holder], ...answers] = await batch(db, holderOf(caller), ...statements).catch(
      async (error: unknown) => {
        // A statement that failed took the verdict with it, which comes before any failure.
        const alone = await run(db, holderOf(caller)).catch(() => undefined)
        if (alone) admit(alone[0])
        throw error
      },
    )
    admit(holder)
    return answers
  }
  const door: WatchedDoor = { caller, roles, ask, asked: false, user: undefined }
  return door
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
