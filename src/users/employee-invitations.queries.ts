import { eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { type ExpectedPerson, haveMoved } from '../people/save-employees.queries.ts'
import { type Invitation, upsertInvitations } from './invitations.queries.ts'
import { insertUsers, type UserRow } from './new-users.queries.ts'

const selectInvitees = prepare((p: Params<{ employee_ids: string; scope: Scope }>) =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      version: employees.version,
      user_version: sql<number | null>`${users.version}`.as('user_version'),
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

/** Raises if an invited employee has changed, or if somebody else has got one of the new addresses. */
const requireUnchanged = prepare((p: Params<{ people: string; new_users: string }>) =>
  raiseIf([
    sql`${haveMoved(p.people)} OR EXISTS (SELECT 1 FROM ${users}
      WHERE email_key IN (SELECT value ->> 'email_key' FROM json_each(${p.new_users})))`,
    'EMPLOYEE_MOVED',
  ]),
)

interface EmployeeInvitations {
  expected: readonly ExpectedPerson[]
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
  const new_users = JSON.stringify(newUsers)
  await db.batch(() => ({
    check: requireUnchanged({ people: JSON.stringify(expected), new_users }),
    users: insertUsers({ rows: new_users }),
    invitations: upsertInvitations({
      rows: JSON.stringify(invitations),
      invited_by: db.claims.userId,
    }),
    changes: recordChanges(changes, at, db.claims.userId),
  }))
}
