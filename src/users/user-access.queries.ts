import { eq, ne, not } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { firstOrFail, hasRow, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { users } from '../core/tables/users.ts'
import { deleteInvitation } from '../session/new-password.queries.ts'
import { endTokens } from '../session/session.queries.ts'
import { type Invitation, upsertInvitations } from './invitations.queries.ts'

interface Changed {
  id: number
  changes: readonly PeopleChange[]
  at: Date
  /** The user who makes the changes. Null for an operator's command. */
  userId: number | null
}

/** Ends the user's tokens, and also an open invitation. */
export const endUserAccess = async (db: BatchDb, { id, changes, at, userId }: Changed) => {
  await db.batchOfAllBranches({
    tokens: endTokens({ id }),
    invitation: deleteInvitation({ user_id: id }),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
}

const requireInvitable = prepare((p: Params<{ id: number }>) =>
  raiseIf(
    [hasRow(users, eq(users.id, p.id), eq(users.machine, true)), 'MACHINE_HAS_NO_PASSWORD'],
    [hasRow(users, eq(users.id, p.id), ne(users.active, 1)), 'INVITED_INACTIVE'],
  ),
)

/**
 * Stores an invitation of a user, and records it.
 * @throws DomainError MACHINE_HAS_NO_PASSWORD, INVITED_INACTIVE
 */
export const saveInvitation = async (
  db: BatchDb,
  { id, invitation, changes, at, userId }: Changed & { invitation: Invitation },
) => {
  await db.batchOfAllBranches({
    check: requireInvitable({ id }),
    invitations: upsertInvitations({ rows: JSON.stringify([invitation]), invited_by: userId }),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
}

const requireMachine = prepare((p: Params<{ id: number }>) =>
  raiseIf(
    [not(hasRow(users, eq(users.id, p.id))), 'USER_NOT_FOUND'],
    [
      not(hasRow(users, eq(users.id, p.id), eq(users.active, 1), eq(users.machine, true))),
      'NOT_A_MACHINE',
    ],
  ),
)

const selectTokenVersion = prepare((p: Params<{ id: number }>) =>
  qb.select({ token_version: users.token_version }).from(users).where(eq(users.id, p.id)),
)

/**
 * Records that a machine gets a token, and returns the version for it.
 * @throws DomainError USER_NOT_FOUND; NOT_A_MACHINE if the user is not a machine, or is not active
 */
export const grantMachineToken = async (
  db: BatchDb,
  { id, changes, at, userId }: Changed,
): Promise<number> => {
  const { machine } = await db.batchOfAllBranches({
    check: requireMachine({ id }),
    machine: firstOrFail(selectTokenVersion({ id })),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
  return machine.token_version
}
