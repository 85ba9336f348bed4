import type { D1 } from '../db/query.ts'
import { findSession, type Session } from '../db/users.ts'

/** What a token says of itself, its signature already verified. */
export interface TokenClaims {
  userId: number
  /** The token's own id. */
  jti: string
  /** The user's token version when it was issued. */
  version: number
}

/** The session of a token, while its user is there and active and nothing has ended the token. */
export const openSession = async (db: D1, claims: TokenClaims): Promise<Session | undefined> => {
  const session = await findSession(db, claims)
  const alive =
    session?.user.active === 1 && session.token_version === claims.version && !session.revoked
  return alive ? session : undefined
}
