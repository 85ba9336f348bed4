import { eq, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { firstOrFail, hasRow, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { invitations, users } from '../core/tables/users.ts'
import { updatePassword } from './session.queries.ts'

export const deleteInvitation = prepare((p: Params<{ user_id: number }>) =>
  qb.delete(invitations).where(eq(invitations.user_id, p.user_id)),
)

interface NewPassword {
  id: number
  changes: readonly PeopleChange[]
  at: Date
  /** The user who sets it. Null for an operator's command. */
  userId: number | null
  hash: string
  /** The hash that must still be stored. Null for any. */
  oldHash: string | null
}

const requirePassword = prepare((p: Params<{ id: number; old_hash: string | null }>) =>
  raiseIf(
    [hasRow(users, eq(users.id, p.id), eq(users.machine, true)), 'MACHINE_HAS_NO_PASSWORD'],
    [
      sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id}
        AND password_hash = coalesce(${p.old_hash}, password_hash))`,
      'WRONG_CURRENT_PASSWORD',
    ],
  ),
)

/**
 * Stores the hash of a new password. The user's tokens end, and an open invitation ends too.
 * Returns the version for a new token.
 * @throws DomainError MACHINE_HAS_NO_PASSWORD, WRONG_CURRENT_PASSWORD
 */
export const replacePassword = async (
  db: BatchDb,
  { id, hash, oldHash, changes, at, userId }: NewPassword,
): Promise<number> => {
  const { user } = await db.batchOfAllBranches({
    check: requirePassword({ id, old_hash: oldHash }),
    user: firstOrFail(updatePassword({ id, hash, is_own: Number(oldHash !== null) })),
    invitation: deleteInvitation({ user_id: id }),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
  return user.token_version
}
