import { eq, not, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { firstOrFail, hasRow, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { users } from '../core/tables/users.ts'
import { deleteInvitation } from '../session/new-password.queries.ts'
import { isAdministrator, passwordFacts } from './administrators.queries.ts'
import { linkRules } from './new-users.queries.ts'
import { type LegacyFields, type ShownUser, selectById, type UserRecord } from './users.queries.ts'

interface Expected {
  id: number
  version: number
  password_facts: string
  email_key: string
  employee_id: string | null
  admin_roles: string
  /** Whether the user remains an active administrator of all branches. */
  stays_administrator: boolean
}

/** The rules have been checked on what was read. It must still be so. */
const requireUpdatable = prepare((p: Params<Expected>) =>
  raiseIf(
    [
      not(
        hasRow(
          users,
          eq(users.id, p.id),
          eq(users.version, p.version),
          eq(passwordFacts.sql, p.password_facts),
        ),
      ),
      'USER_MOVED',
    ],
    ...linkRules(p),
    [
      sql`NOT ${p.stays_administrator}
            AND EXISTS (SELECT 1 FROM ${users} AS u WHERE u.id = ${p.id} AND ${isAdministrator(p)})
            AND NOT EXISTS (SELECT 1 FROM ${users} AS u
              WHERE u.id <> ${p.id} AND ${isAdministrator(p)})`,
      'LAST_ADMINISTRATOR',
    ],
  ),
)

/** The values of a user's row. A list is a JSON text. */
type RowValues = Omit<UserRecord, 'scope_branches' | 'sources'> & {
  [Field in keyof LegacyFields]: LegacyFields[Field] | null
} & {
  id: number
  scope_branches: string | null
  sources: string | null
  ends_tokens: boolean
  /** '' to clear the password; null to keep it. */
  password_hash: string | null
}

/** The stored value if none is given. */
const orStored = (given: SQL, stored: SQLiteColumn) => sql`coalesce(${given}, ${stored})`

const updateRow = prepare((p: Params<RowValues>) =>
  qb
    .update(users)
    .set({
      first_name: p.first_name,
      last_name: p.last_name,
      mother_last_name: p.mother_last_name,
      role: p.role,
      active: p.active,
      machine: p.machine,
      employee_id: p.employee_id,
      scope_branches: p.scope_branches,
      sources: p.sources,
      // Fields of the legacy API that are not given stay, also if they have changed meanwhile.
      external: orStored(p.external, users.external),
      type_user: orStored(p.type_user, users.type_user),
      status_user: orStored(p.status_user, users.status_user),
      password_hash: orStored(p.password_hash, users.password_hash),
      password_through: sql`iif(${p.password_hash} IS NULL, ${users.password_through}, NULL)`,
      token_version: sql`${users.token_version} + ${p.ends_tokens}`,
    })
    .where(eq(users.id, p.id)),
)

const jsonOf = (list: readonly string[] | null) => list && JSON.stringify(list)

interface Replacement {
  id: number
  emailKey: string
  record: UserRecord & Partial<LegacyFields>
  /** The user, and the facts of the password, as they were read. */
  stored: ShownUser
  password_facts: string
  adminRoles: readonly string[]
  /** Whether the change ends the user's tokens, and also an open invitation. */
  endsAccess: boolean
  /** The hash of a new password. '' to clear the password; null to keep it. */
  passwordHash: string | null
  changes: readonly PeopleChange[]
  at: Date
  /** The user who makes the change. Null for an operator's command. */
  userId: number | null
}

/**
 * Replaces the fields that an administrator sets, and records the change.
 * @throws DomainError USER_MOVED, UNKNOWN_EMPLOYEE, EMPLOYEE_LINKED,
 * LAST_ADMINISTRATOR
 */
export const replaceUser = async (
  db: BatchDb,
  { id, emailKey: email_key, record, stored, password_facts, at, userId, ...more }: Replacement,
) => {
  const now = at.toISOString()
  const { active, role, employee_id, scope_branches } = record
  const hasPassword = more.passwordHash === null ? stored.has_password : more.passwordHash !== ''
  const { replaced } = await db.batchOfAllBranches({
    check: requireUpdatable({
      ...{ id, version: stored.version, password_facts, email_key, employee_id },
      admin_roles: JSON.stringify(more.adminRoles),
      stays_administrator:
        active === 1 && more.adminRoles.includes(role) && !scope_branches && hasPassword,
    }),
    user: updateRow({
      ...{ external: null, type_user: null, status_user: null, ...record },
      id,
      scope_branches: jsonOf(scope_branches),
      sources: jsonOf(record.sources),
      ends_tokens: more.endsAccess,
      password_hash: more.passwordHash,
    }),
    invitation: more.endsAccess && deleteInvitation({ user_id: id }),
    changes: recordChanges(more.changes, now, userId),
    replaced: firstOrFail(selectById({ id, now })),
  })
  return replaced
}
