import type { BatchDb } from '../core/db/batch-db.ts'
import { changeOf, changeToMoment } from '../core/db/people-changes.queries.ts'
import { replacePassword } from './new-password.queries.ts'
import { hashPassword } from './passwords.ts'

/**
 * Sets a password. All tokens of the user end, and an open link ends too. Returns the version for a
 * new token.
 * @param userId the user who sets it; null for an operator
 * @param oldHash the stored hash that the caller has verified; null for an operator
 * @throws DomainError MACHINE_HAS_NO_PASSWORD, or WRONG_CURRENT_PASSWORD if `oldHash` has changed
 */
export const setUserPassword = async (
  db: BatchDb,
  id: number,
  password: string,
  { userId, now, oldHash }: { userId: number | null; now: Date; oldHash: string | null },
): Promise<number> => {
  const hash = await hashPassword(password)
  const changes = [changeOf('user', id, [changeToMoment('password_set', now)])]
  return replacePassword(db, { id, hash, oldHash, changes, at: now, userId })
}
