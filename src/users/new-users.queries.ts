import { eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import {
  firstOrFail,
  hasRow,
  insertSelect,
  jsonFields,
  type Params,
  prepare,
} from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { type Invitation, upsertInvitations } from './invitations.queries.ts'
import { type LegacyFields, selectByKey, type UserRecord } from './users.queries.ts'

interface Linked {
  email_key: string
  employee_id: string | null
}

/** The rules of a user's employee. */
export const linkRules = (p: Params<Linked>) =>
  [
    [
      sql`${p.employee_id} IS NOT NULL
        AND NOT ${hasRow(employees, eq(employees.employee_id, p.employee_id))}`,
      'UNKNOWN_EMPLOYEE',
    ],
    [
      hasRow(users, eq(users.employee_id, p.employee_id), ne(users.email_key, p.email_key)),
      'EMPLOYEE_LINKED',
    ],
  ] as const

const requireNew = prepare((p: Params<Linked>) =>
  raiseIf([hasRow(users, eq(users.email_key, p.email_key)), 'EMAIL_TAKEN'], ...linkRules(p)),
)

const { id: _, ...columns } = getTableColumns(users)

/** Inserts users, given as a JSON array of `UserRow`. */
export const insertUsers = prepare((p: Params<{ rows: string }>) =>
  insertSelect(
    users,
    {
      id: null,
      ...jsonFields(columns),
      password_hash: sql`coalesce(value ->> '$.password_hash', '')`,
      token_version: 0,
      version: 1,
    },
    sql`FROM json_each(${p.rows})`,
  ),
)

/** A new user as `insertUsers` takes it. */
export interface UserRow extends UserRecord, LegacyFields {
  email: string
  email_key: string
  actor_hash: string
  actor_salt: string
  /** Given only by an operator's command. Otherwise the user sets a password by a link. */
  password_hash?: string
}

interface Creation {
  user: UserRow
  /** Null for a user without a link. */
  invitation: Invitation | null
  changes: readonly PeopleChange[]
  at: Date
  userId: number | null
}

/**
 * Adds a user and the invitation, if there is one, and records the change.
 * @throws DomainError EMAIL_TAKEN, UNKNOWN_EMPLOYEE, EMPLOYEE_LINKED
 */
export const insertUser = async (
  db: BatchDb,
  { user, invitation, changes, at, userId }: Creation,
) => {
  const { email_key, employee_id } = user
  const now = at.toISOString()
  const { created } = await db.batchOfAllBranches({
    check: requireNew({ email_key, employee_id }),
    users: insertUsers({ rows: JSON.stringify([user]) }),
    invitations: upsertInvitations({
      rows: JSON.stringify(invitation ? [invitation] : []),
      invited_by: userId,
    }),
    changes: recordChanges(changes, now, userId),
    created: firstOrFail(selectByKey({ email_key, now })),
  })
  return created
}
