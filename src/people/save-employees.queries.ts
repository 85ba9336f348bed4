import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { changedBy, type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { first, insertSelect, jsonFields, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { employees } from '../core/tables/people.ts'
import { invitations, users } from '../core/tables/users.ts'
import { nextTokenVersion } from '../session/session.queries.ts'
import {
  type EmployeeRecord,
  RECORD_FIELDS,
  recordFields,
  selectRecord,
} from './employee-records.queries.ts'
import { closingsState } from './stored-for-write.queries.ts'

interface Expected {
  /** A JSON array of `ExpectedPerson`. */
  people: string
  closings_state: string
}

/** An employee and the linked user as they were read. The version is 0 for who does not exist. */
export interface ExpectedPerson {
  employee_id: string
  version: number
  user_id: number | null
  user_version: number
}

/** Whether an employee, or the user who is linked to the employee, has changed since they were read. */
export const haveMoved = (people: SQL) => sql`EXISTS (SELECT 1 FROM json_each(${people}) AS expected
  LEFT JOIN ${employees} AS e ON e.employee_id = expected.value ->> 'employee_id'
  LEFT JOIN ${users} AS u ON u.employee_id = e.employee_id
  WHERE coalesce(e.version, 0) <> expected.value ->> 'version'
    OR u.id IS NOT expected.value ->> 'user_id'
    OR coalesce(u.version, 0) <> expected.value ->> 'user_version')`

/** The rules have been checked on what was read. It must still be so. */
const requireUnchanged = prepare((p: Params<Expected>) =>
  raiseIf([
    sql`${haveMoved(p.people)}
      OR ${closingsState} <> ${p.closings_state}`,
    'EMPLOYEE_MOVED',
  ]),
)

const upsertEmployees = prepare((p: Params<{ rows: string }>) =>
  insertSelect(
    employees,
    { ...jsonFields(recordFields), version: sql`1` },
    sql`FROM json_each(${p.rows}) WHERE true`,
  ).onConflictDoUpdate({
    target: employees.employee_id,
    set: Object.fromEntries(RECORD_FIELDS.map((name) => [name, sql.raw(`excluded."${name}"`)])),
  }),
)

const isLeaving = (user: AnyColumn, p: Params<{ leaving: string }>) =>
  sql`${user} IN (SELECT value FROM json_each(${p.leaving}))`

const deactivateUsers = prepare((p: Params<{ leaving: string }>) =>
  qb
    .update(users)
    .set({ active: 0, token_version: nextTokenVersion })
    .where(isLeaving(users.id, p)),
)

const deleteInvitations = prepare((p: Params<{ leaving: string }>) =>
  qb.delete(invitations).where(isLeaving(invitations.user_id, p)),
)

interface EmployeeWrites {
  /** The rows that are new or differ from the stored ones. */
  rows: readonly EmployeeRecord[]
  /** All checked employees, as they were read. */
  expected: readonly ExpectedPerson[]
  closings_state: string
  /** The ids of the users who are deactivated. */
  leaving: readonly number[]
  changes: readonly PeopleChange[]
  at: string
}

/**
 * Writes employees and the record of their changes, all or nothing. Returns the first employee as
 * it is stored.
 * @throws DomainError EMPLOYEE_MOVED if an employee, a linked user or the closings have changed since
 * they were read
 */
export const saveEmployees = async (
  db: AuthorizedDb,
  { changes, at, expected, closings_state, ...writes }: EmployeeWrites,
) => {
  const values = { rows: JSON.stringify(writes.rows), leaving: JSON.stringify(writes.leaving) }
  // The rows have only changed employees, so the id is taken from the expected ones.
  const employee_id = expected[0]?.employee_id ?? ''
  const { employee } = await db.batch((scope) => ({
    check: requireUnchanged({
      people: JSON.stringify(expected),
      closings_state,
    }),
    employees: upsertEmployees(values),
    users: deactivateUsers(values),
    invitations: deleteInvitations(values),
    changes: recordChanges(changes, at, changedBy(db)),
    employee: first(selectRecord({ employee_id, scope })),
  }))
  return employee
}
