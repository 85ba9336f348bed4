import { eq, not, or, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { changedBy, type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { hasRow, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { clock_numbers } from '../core/tables/clocks.ts'
import { employee_sources } from '../core/tables/intake.ts'
import { attendance_logs, log_events } from '../core/tables/logs.ts'
import { closing_people, closings, day_reviews, employee_shifts } from '../core/tables/payroll.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'

/** The tables that may name an employee. All with a foreign key to employees are among them. */
export const NAMING_TABLES = [
  attendance_logs,
  log_events,
  users,
  employee_sources,
  employee_shifts,
  clock_numbers,
  day_reviews,
  closing_people,
  closings,
]

const isNamed = (p: Params<{ employee_id: string }>) =>
  or(...NAMING_TABLES.map((table) => hasRow(table, eq(table.employee_id, p.employee_id)))) as SQL

const requireDeletable = prepare(
  (p: Params<{ employee_id: string; version: number; scope: Scope; user_id: number }>) =>
    raiseIf(
      [
        not(
          hasRow(
            employees,
            eq(employees.employee_id, p.employee_id),
            eq(employees.version, p.version),
            isInScope(employees.branch_office, p.scope),
          ),
        ),
        'EMPLOYEE_MOVED',
      ],
      [sql`${p.employee_id} IS ${ownEmployeeId(p)}`, 'OWN_EMPLOYEE'],
      [isNamed(p), 'EMPLOYEE_IN_USE'],
    ),
)

const deleteRow = prepare((p: Params<{ employee_id: string }>) =>
  qb.delete(employees).where(eq(employees.employee_id, p.employee_id)),
)

/**
 * @throws DomainError EMPLOYEE_MOVED, OWN_EMPLOYEE, or EMPLOYEE_IN_USE if anything names the employee
 */
export const removeEmployee = async (
  db: AuthorizedDb,
  { employee_id, version }: { employee_id: string; version: number },
  { changes, at }: { changes: readonly PeopleChange[]; at: string },
): Promise<void> => {
  const user_id = db.claims.userId
  await db.batch((scope) => ({
    check: requireDeletable({ employee_id, version, scope, user_id }),
    employee: deleteRow({ employee_id }),
    changes: recordChanges(changes, at, changedBy(db)),
  }))
}
