import { type SQL, sql } from 'drizzle-orm'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { columns, number, text } from '../core/db/text-query.ts'
import { clocks, waiting_punches } from '../core/tables/clocks.ts'
import { isOneOf } from '../core/tables/columns.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_people, closings, isActiveClosing } from '../core/tables/payroll.ts'
import { employees, payroll_groups } from '../core/tables/people.ts'
import { LOG_KINDS } from '../core/values/log-values.ts'
import type { EmployeeRecord } from './employee-records.queries.ts'

interface Compared {
  /** A JSON array of `EmployeeRecord`. */
  rows: string
  scope: Scope
}

/** The numbers of punches that wait at clocks of the scope because nobody is known to have them. */
const selectWaitingNumbers = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(columns({ number: text, branch_office: text, count: number }))
    .from(sql`(SELECT number, branch_office, count(*) AS count
      FROM ${waiting_punches} JOIN ${clocks} USING (serial)
      WHERE dismissed_at IS NULL AND reason = 'number' AND ${isInScope('branch_office', p.scope)}
      GROUP BY number, branch_office)`),
)

/** The ids of the scope, if one of the written employees is new. */
const selectIdsForNew = prepare((p: Params<Compared>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      sql`(SELECT count(*) FROM json_each(${p.rows})
          WHERE value ->> 'employee_id' NOT IN (SELECT employee_id FROM ${employees})) > 0
        AND ${isInScope(employees.branch_office, p.scope)}`,
    ),
)

/** The other employees of the scope who have an RFC of a written one, one for each RFC. */
const selectRfcOwners = prepare((p: Params<Compared & { rfcs: string }>) =>
  qb
    .select(columns({ rfc: text, employee_id: text }))
    .from(sql`(SELECT rfc, min(employee_id) AS employee_id FROM ${employees}
      WHERE rfc IN (SELECT value FROM json_each(${p.rfcs}))
        AND employee_id NOT IN (SELECT value ->> 'employee_id' FROM json_each(${p.rows}))
        AND ${isInScope(employees.branch_office, p.scope)}
      GROUP BY rfc)`),
)

/** The combinations of branch and department within the scope. */
const selectPlaces = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .selectDistinct({
      branch_office: employees.branch_office,
      department: employees.department,
    })
    .from(employees)
    .where(isInScope(employees.branch_office, p.scope)),
)

/** What the caller may see of others that resembles the written values. */
export const selectResembling = (values: Compared & { rfcs: string }) => ({
  ids: selectIdsForNew(values),
  rfcOwners: selectRfcOwners(values),
  places: selectPlaces(values),
  waitingNumbers: selectWaitingNumbers(values),
})

/** The first day by the rule: `paid_from`, or the later of the group's first day and the first day of work. */
const ruleDay = (paid_from: SQL, group: SQL, started_at: SQL) => sql`coalesce(${paid_from},
  max(coalesce((SELECT pays_from FROM ${payroll_groups} WHERE name = ${group}), ''), ${started_at}))`

const written = (field: keyof EmployeeRecord) => sql.raw(`written.value ->> '${field}'`)

/** A write without `paid_from` keeps the stored day. */
const writtenPaidFrom = sql`iif(json_type(written.value, '$.paid_from') IS NULL, e.paid_from,
  ${written('paid_from')})`

const placedMoments = (json: unknown): [recorded_at: string, branch_office: string][] =>
  JSON.parse(String(json))

/**
 * The approved logs of days that a new `started_at` or `paid_from` would leave unpaid: from the stored
 * first day to the new one, if no active closing keeps them payable. SQLite has no days of zones, so a
 * day more is read on each side.
 */
export const selectLeftOut = prepare((p: Params<{ rows: string }>) =>
  qb
    .select(
      columns({
        employee_id: text,
        from: text,
        until: text,
        logs: placedMoments,
      }),
    )
    .from(sql`(WITH first_day AS (
        SELECT e.employee_id,
          ${ruleDay(sql`e.paid_from`, sql`e.payroll_group`, sql`e.started_at`)} AS "from",
          min(${ruleDay(writtenPaidFrom, written('payroll_group'), written('started_at'))},
            coalesce((SELECT min(closed.from_day) FROM ${closing_people} AS closed
              JOIN ${closings} AS closing ON closing.id = closed.closing_id
              WHERE closed.employee_id = e.employee_id AND ${isActiveClosing}), '9999')) AS until
        FROM json_each(${p.rows}) AS written
        JOIN ${employees} AS e ON e.employee_id = ${written('employee_id')}
        WHERE e.started_at <> ${written('started_at')} OR e.paid_from IS NOT ${writtenPaidFrom}
      )
      SELECT employee_id, "from", until, (
        SELECT json_group_array(json_array(recorded_at, branch_office))
        FROM ${logs} INDEXED BY attendance_logs_employee
        WHERE employee_id = first_day.employee_id
          AND status = 'approved' AND ${isOneOf(logs.kind, LOG_KINDS)}
          AND recorded_at >= date("from", '-1 day') AND recorded_at < date(until, '+1 day')
      ) AS logs
      FROM first_day WHERE "from" < until)`),
)
