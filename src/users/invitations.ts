import type { D1 } from '../core/db/query.ts'
import { DomainError } from '../core/errors.ts'
import { bytesOf, toHex } from '../core/values/bytes.ts'
import { sha256 } from '../core/values/sha256.ts'
import { HOUR_MS } from '../core/values/time-zone.ts'
import type { RoleSettings } from '../session/can.ts'
import { hashPassword } from '../session/passwords.ts'
import { acceptInvitation, findInvited, type Invitation } from './invitations.queries.ts'

const HOURS_VALID = 72
const TOKEN_BYTES = 32

/** The SHA-256 of a link's token, in hexadecimal. The database has only this hash. */
const hashToken = (token: string): string => toHex(sha256(bytesOf(token)))

export interface Link {
  /** The page's URL with the token in the fragment. Browsers never send the fragment. */
  url: string
  expires_at: string
}

/**
 * Makes a link for setting a password, and the invitation to store. The link is shown only once.
 * @param page the URL of the page, such as https://checada.example.com/mi/
 */
export const createInvitation = (
  email_key: string,
  page: string,
  now: Date,
): { link: Link; invitation: Invitation } => {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  const token = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  const expires_at = new Date(now.getTime() + HOURS_VALID * HOUR_MS).toISOString()
  const link = { url: `${page}#/invitacion/${token}`, expires_at }
  return { link, invitation: { email_key, token_hash: hashToken(token), expires_at } }
}

interface UseOfLink {
  settings: RoleSettings
  now: Date
}

/**
 * Returns the user of a link.
 * @throws DomainError INVITATION_ENDED if the link is unknown, used or expired, if the user is
 * inactive or a machine, or if the author of the link could not make it any more
 */
export const checkInvitation = async (db: D1, token: string, use: UseOfLink) => {
  const invited = await findInvited(db, { token_hash: hashToken(token), ...use })
  if (!invited) throw new DomainError('INVITATION_ENDED')
  return invited
}

/**
 * Sets the invited user's password. Returns the user and the token version for a new token. If the
 * link cannot be used, no password is hashed.
 * @throws DomainError INVITATION_ENDED
 */
export const setPasswordByLink = async (
  db: D1,
  token: string,
  password: string,
  use: UseOfLink,
) => {
  const { id } = await checkInvitation(db, token, use)
  const hash = await hashPassword(password)
  return acceptInvitation(db, { id, hash, token_hash: hashToken(token), ...use })
}
