import type { BatchDb } from '../core/db/batch-db.ts'
import { changeOf, changeToMoment } from '../core/db/people-changes.queries.ts'
import { DomainError } from '../core/errors.ts'
import { emailKey } from '../core/values/email.ts'
import type { Link } from './invitations.ts'
import { newLink } from './new-user.ts'
import { endUserAccess, grantMachineToken, saveInvitation } from './user-access.queries.ts'
import { getUser, type UserWriter } from './users.ts'

/**
 * Ends all tokens of a user, and the link if one is open. The user may sign in again.
 * @throws DomainError USER_NOT_FOUND
 */
export const revokeUser = async (db: BatchDb, id: number, { userId, now }: UserWriter) => {
  await getUser(db, id, now)
  const changes = [changeOf('user', id, [changeToMoment('tokens_ended', now)])]
  await endUserAccess(db, { id, changes, at: now, userId })
}

/**
 * Makes a link with which a user sets a new password. An older link ends.
 * @throws DomainError OWN_USER, USER_NOT_FOUND, MACHINE_HAS_NO_PASSWORD, INVITED_INACTIVE
 */
export const inviteUser = async (
  db: BatchDb,
  id: number,
  { userId, now, origin }: UserWriter & { origin: string },
): Promise<Link> => {
  // With a link, the holder of a stolen token could set a password without the current one.
  if (id === userId) throw new DomainError('OWN_USER')
  const { email, role } = await getUser(db, id, now)
  const user = { email_key: emailKey(email), role }
  const { link, invitation, change } = newLink(user, { origin, now })
  await saveInvitation(db, { id, invitation, changes: [change], at: now, userId })
  return link
}

/**
 * Records that a machine gets a token, and returns the version for it.
 * @throws DomainError USER_NOT_FOUND, NOT_A_MACHINE
 */
export const prepareMachineToken = (db: BatchDb, id: number, { userId, now }: UserWriter) => {
  const changes = [changeOf('user', id, [changeToMoment('machine_access', now)])]
  return grantMachineToken(db, { id, changes, at: now, userId })
}
