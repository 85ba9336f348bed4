import { eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { employees, users } from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { type Invitation, upsertInvitations } from './invitations.queries.ts'
import { type PeopleChange, recordChanges } from './people-changes.queries.ts'
import { insertUsers, type UserRow } from './user-records.queries.ts'

const selectInvitees = prepare((p: Params<{ employee_ids: string; scope: Scope }>) =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      user: { id: users.id, email: users.email, role: users.role, active: users.active },
    })
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      sql`${employees.employee_id} IN (SELECT value FROM json_each(${p.employee_ids}))
        AND ${isInScope(employees.branch_office, p.scope)}`,
    ),
)

const selectKeys = prepare((p: Params<{ domain: string }>) =>
  qb
    .select({ email_key: users.email_key })
    .from(users)
    .where(sql`substr(${users.email_key}, -length(${p.domain})) = ${p.domain}`),
)

/**
 * Reads the employees with these ids within the scope, each with the user. Also reads all used
 * e-mail addresses that end with `domain`, such as `@x.mx`.
 */
export const readForInvitations = async (
  db: AuthorizedDb,
  employeeIds: readonly string[],
  domain: string,
) => {
  const employee_ids = JSON.stringify(employeeIds)
  const { invitees, keys } = await db.batch((scope) => ({
    invitees: selectInvitees({ employee_ids, scope }),
    keys: selectKeys({ domain }),
  }))
  return { invitees, usedKeys: new Set(keys.map(({ email_key }) => email_key)) }
}

interface Expected {
  /**
   * A JSON array of `{employee_id, user_id, email_key}`; `user_id` is null for an employee without
   * a user.
   */
  expected: string
  scope: Scope
}

/** Raises if the data that the invitations were made from has changed. */
const requireUnchanged = prepare((p: Params<Expected>) =>
  raiseIf([
    sql`EXISTS (SELECT 1 FROM json_each(${p.expected}) AS row
          LEFT JOIN ${employees} AS e ON e.employee_id = row.value ->> 'employee_id'
            AND ${isInScope(sql`e.branch_office`, p.scope)}
          LEFT JOIN ${users} AS u ON u.employee_id = e.employee_id
          WHERE e.employee_id IS NULL OR u.id IS NOT row.value ->> 'user_id'
            OR (u.id IS NOT NULL AND (u.role <> 'employee' OR u.active <> 1))
            OR (u.id IS NULL AND EXISTS (SELECT 1 FROM ${users} AS other
              WHERE other.email_key = row.value ->> 'email_key')))`,
    'EMPLOYEE_MOVED',
  ]),
)

interface EmployeeInvitations {
  expected: readonly { employee_id: string; user_id: number | null; email_key: string }[]
  newUsers: readonly UserRow[]
  invitations: readonly Invitation[]
  changes: readonly PeopleChange[]
  at: string
}

/**
 * Stores users and invitations, and records the changes, all or nothing.
 * @throws DomainError EMPLOYEE_MOVED if an employee or a user has changed since they were read
 */
export const saveEmployeeInvitations = async (
  db: AuthorizedDb,
  { expected, newUsers, invitations, changes, at }: EmployeeInvitations,
) => {
  await db.batch((scope) => ({
    check: requireUnchanged({ expected: JSON.stringify(expected), scope }),
    users: insertUsers({ rows: JSON.stringify(newUsers) }),
    invitations: upsertInvitations({
      rows: JSON.stringify(invitations),
      invited_by: db.claims.userId,
    }),
    changes: recordChanges(changes, at, db.claims.userId),
  }))
}
