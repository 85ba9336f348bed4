import { eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { cancellationCount, newestClosingId } from '../core/db/shared-expressions.ts'
import { columns, number, text } from '../core/db/text-query.ts'
import { employee_sources, intake_sources } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_lines, closing_people, closings, isActiveClosing } from '../core/tables/payroll.ts'
import { employees, payroll_groups } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { HOUR_MS } from '../core/values/time-zone.ts'
import { type EmployeeRecord, shownFields } from './employee-records.queries.ts'
import { isOwnRfc } from './rfc.ts'
import { selectLeftOut, selectResembling } from './warning-facts.queries.ts'

const hasUnpaidLogs = sql`EXISTS (SELECT 1 FROM ${logs} AS log
  WHERE log.employee_id = ${employees.employee_id} AND log.status <> 'rejected'
    AND log.recorded_at >= coalesce((SELECT max(closed.end_at) FROM ${closing_people} AS closed
      JOIN ${closings} AS closing ON closing.id = closed.closing_id
      WHERE closed.employee_id = ${employees.employee_id} AND ${isActiveClosing}), ''))`

/**
 * Whether a source has not sent all logs up to `expected_until`. Only active sources that report
 * `complete_until` and have sent logs of people in the employee's branch are checked.
 */
const hasClockBehind = (p: Params<{ expected_until: string }>) =>
  sql`${employees.branch_office} IN (SELECT colleague.branch_office
    FROM ${intake_sources} AS clock JOIN ${employee_sources} AS es ON es.source = clock.source
    JOIN ${employees} AS colleague ON colleague.employee_id = es.employee_id
    WHERE clock.retired_at IS NULL AND clock.complete_until < ${p.expected_until})`

interface StoredValues {
  /** A JSON array of `EmployeeRecord`. */
  rows: string
  scope: Scope
  expected_until: string
}

/** The stored rows of the employees to write. Rows outside of the scope are included. */
const selectStored = prepare((p: Params<StoredValues>) =>
  qb
    .select({
      ...shownFields,
      visible: isInScope(employees.branch_office, p.scope).mapWith(Boolean),
      user_scope: users.scope_branches,
      user_version: sql<number | null>`${users.version}`.as('user_version'),
      has_unpaid_logs: hasUnpaidLogs.mapWith(Boolean),
      has_clock_behind: hasClockBehind(p).mapWith(Boolean),
    })
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      sql`${employees.employee_id} IN (SELECT value ->> 'employee_id' FROM json_each(${p.rows}))`,
    ),
)

const selectCaller = prepare((p: Params<{ user_id: number }>) =>
  qb
    .select({ employee_id: users.employee_id, role: users.role })
    .from(users)
    .where(eq(users.id, p.user_id)),
)

const selectGroups = prepare(() => qb.select({ name: payroll_groups.name }).from(payroll_groups))

/** Changes with each completed or cancelled closing. */
export const closingsState: SQL<string> = sql`${newestClosingId} || ' ' || ${cancellationCount}`

const selectClosingsState = prepare(() =>
  qb.select(columns({ state: text })).from(sql`(SELECT ${closingsState} AS state)`),
)

/**
 * The last day after each new last day that active closings have paid. Only employees whose last
 * day changes are checked. SQLite takes `closing_id` from the row with `max(day)`.
 */
const selectPaidAfterEnd = prepare((p: Params<{ rows: string }>) =>
  qb
    .select(columns({ employee_id: text, day: text, closing_id: number }))
    .from(sql`(WITH paid_day AS (
        SELECT line.employee_id, line.day, max(line.closing_id) AS closing_id
        FROM json_each(${p.rows}) AS written
        JOIN ${employees} AS e ON e.employee_id = written.value ->> 'employee_id'
          AND e.ended_at IS NOT written.value ->> 'ended_at'
        JOIN ${closing_lines} AS line ON line.employee_id = e.employee_id
          AND line.day > written.value ->> 'ended_at'
        JOIN ${closings} AS closing ON closing.id = line.closing_id
        WHERE ${isActiveClosing}
        GROUP BY line.employee_id, line.day HAVING sum(line.difference_seconds) > 0
      )
      SELECT employee_id, max(day) AS day, closing_id FROM paid_day GROUP BY employee_id)`),
)

/**
 * Reads what the rules and warnings of employees need: the stored rows of the employees to write,
 * the caller, the groups, the last paid day after each new last day, and what resembles the written
 * values. A clock is behind if it has not sent all logs up to an hour ago.
 */
export const readForWrite = async (
  db: AuthorizedDb,
  written: readonly Pick<EmployeeRecord, 'employee_id' | 'rfc' | 'ended_at'>[],
  now: Date,
) => {
  const rows = JSON.stringify(written)
  const rfcs = JSON.stringify(written.map(({ rfc }) => rfc).filter(isOwnRfc))
  const expected_until = new Date(now.getTime() - HOUR_MS).toISOString()
  return db.batch((scope) => ({
    stored: selectStored({ rows, expected_until, scope }),
    caller: first(selectCaller({ user_id: db.claims.userId })),
    groups: selectGroups({}),
    closings: firstOrFail(selectClosingsState({})),
    paidAfterEnd: selectPaidAfterEnd({ rows }),
    leftOut: selectLeftOut({ rows }),
    ...selectResembling({ rows, rfcs, scope }),
  }))
}

export type StoredForWrite = Awaited<ReturnType<typeof readForWrite>>
