import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import {
  clockOfSource,
  fullName,
  hasAnyStatusAndKind,
  isOtherNetwork,
  isRequest,
  requestComment,
} from '../../core/db/shared-expressions.ts'
import { columns, flag, json, number, orNull, text, word } from '../../core/db/text-query.ts'
import { employee_sources, intake_sources } from '../../core/tables/intake.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import {
  closing_lines,
  closing_people,
  closings,
  day_reviews,
  employee_shifts,
  isActiveClosing,
} from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import type { Dated } from '../../core/values/dated.ts'
import type { LogKind, LogStatus } from '../../core/values/log-values.ts'

interface PeopleParams {
  /** A JSON array of `ReadRange`. */
  people: string
  /** The moment before which logs are read. */
  until: string
}

const asked = (p: Params<PeopleParams>) => sql`asked(person, since, since_day) AS (
  SELECT value ->> 'employee_id', value ->> 'logsFrom', value ->> 'firstDay' FROM json_each(${p.people}))`

const selectLogs = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        log_id: number,
        employee_id: text,
        kind: word<LogKind>(),
        recorded_at: text,
        received_at: text,
        status: word<LogStatus>(),
        is_manual: flag,
        is_request: flag,
        is_other_network: flag,
        request_comment: orNull(text),
        department: text,
        branch_office: text,
      }),
    )
    .from(
      sql`(WITH ${asked(p)}
        SELECT id AS log_id, employee_id, kind, recorded_at, created_at AS received_at, status,
          source GLOB 'manual:*' AS is_manual, ${isRequest} AS is_request,
          ${isOtherNetwork} AS is_other_network, ${requestComment.sql} AS request_comment,
          department, branch_office
        FROM asked CROSS JOIN ${logs} INDEXED BY attendance_logs_employee ON employee_id = person
        WHERE ${hasAnyStatusAndKind} AND recorded_at >= since AND recorded_at < ${p.until})`,
    ),
)

/**
 * The longest shifts of a person, or of everybody if the employee is null. If two rules have the same
 * day, the newer one applies. SQLite takes the other columns from the row of max().
 */
const shiftsOf = (employee: string) =>
  sql`(SELECT json_group_array(json_array(valid_from, max_shift_hours)) FROM (
    SELECT valid_from, max_shift_hours, max(id) FROM ${employee_shifts} AS shift
    WHERE shift.employee_id IS ${sql.raw(employee)} GROUP BY valid_from ORDER BY valid_from))`.mapWith(
    json<Dated<number>>(),
  )

const selectCompanyShifts = prepare(() =>
  qb.select({ rules: shiftsOf('NULL') }).from(sql`(SELECT 1)`),
)

const selectEmployees = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      rfc: employees.rfc,
      department: employees.department,
      branch_office: employees.branch_office,
      payroll_group: employees.payroll_group,
      started_at: employees.started_at,
      paid_from: employees.paid_from,
      ended_at: employees.ended_at,
      shift_rules: shiftsOf('employees.employee_id'),
    })
    .from(employees)
    .where(
      sql`${employees.employee_id} IN (SELECT value ->> 'employee_id' FROM json_each(${p.people}))`,
    )
    .orderBy(employees.employee_id),
)

/** The active sources of these employees' logs that have a `complete_until`. */
const selectSources = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        employee_id: text,
        source: text,
        last_recorded_at: text,
        complete_until: text,
        from_day: orNull(text),
      }),
    )
    .from(
      sql`(SELECT employee_id, sent.source, last_recorded_at, complete_until,
          ${clockOfSource('from_day')} AS from_day
        FROM ${employee_sources} AS sent
          JOIN ${intake_sources} ON ${intake_sources.source} = sent.source
        WHERE employee_id IN (SELECT value ->> 'employee_id' FROM json_each(${p.people}))
          AND complete_until IS NOT NULL AND retired_at IS NULL)`,
    ),
)

/**
 * The active closings of the days that are read. A log that arrived after its day's closing is
 * late.
 */
const selectClosedPeriods = prepare((p: Params<PeopleParams>) =>
  qb.select(columns({ employee_id: text, end_at: text, created_at: text })).from(
    sql`(WITH ${asked(p)}
        SELECT person AS employee_id, closed.end_at, closing.created_at
        FROM asked JOIN ${closing_people} AS closed
            ON closed.employee_id = person AND closed.lock_at > since
          JOIN ${closings} AS closing ON closing.id = closed.closing_id AND ${isActiveClosing})`,
  ),
)

/**
 * The seconds that active closings have paid for each day, and the place in the day's newest line.
 * SQLite takes the place from the row of max().
 */
const selectPaid = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        employee_id: text,
        day: text,
        seconds: number,
        closing_id: number,
        department: text,
        branch_office: text,
      }),
    )
    .from(
      sql`(WITH ${asked(p)}
        SELECT person AS employee_id, day, sum(difference_seconds) AS seconds,
          max(closing_id) AS closing_id, department, branch_office
        FROM asked JOIN ${closing_lines} AS line INDEXED BY closing_lines_employee_id
            ON line.employee_id = person AND day >= since_day
          JOIN ${closings} AS closing ON closing.id = closing_id AND ${isActiveClosing}
        GROUP BY person, day)`,
    ),
)

/** The newest review of each day, with the ids of the person's logs that have changed since then. */
const selectReviews = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        employee_id: text,
        day: text,
        at: text,
        comment: orNull(text),
        confirmed_seconds: orNull(number),
        user_id: number,
        full_name: text,
        changed_ids: json<number[]>(),
      }),
    )
    .from(
      sql`(WITH ${asked(p)}
        SELECT person AS employee_id, day, max(review.id), review.created_at AS at, comment,
          confirmed_seconds, user_id, ${fullName} AS full_name,
          (SELECT json_group_array(DISTINCT log_id) FROM ${log_events} AS event
            WHERE event.employee_id = person AND event.id > review.last_event_id
              AND log_id IS NOT NULL) AS changed_ids
        FROM asked JOIN ${day_reviews} AS review
            ON review.employee_id = person AND day >= since_day
          JOIN ${users} ON ${users.id} = user_id
        GROUP BY person, day)`,
    ),
)

export interface ReadRange {
  employee_id: string
  /** Logs are read from this moment on. '' means that all logs are read. */
  logsFrom: string
  /** Payments and reviews are read from this day on. */
  firstDay: string
}

const byPerson = <Row extends { employee_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ employee_id }) => employee_id)

/** Everything that the hours of employees depend on, with their logs before a moment. */
export const readPeopleWithLogs = async (
  db: AuthorizedDb,
  ranges: readonly ReadRange[],
  until: string,
) => {
  const values = { people: JSON.stringify(ranges), until }
  // Pairing needs the logs of every branch. Filter and scope are applied to the rows afterwards.
  const read = await db.batch(() => ({
    companyShifts: firstOrFail(selectCompanyShifts({})),
    staff: selectEmployees(values),
    logs: selectLogs(values),
    sources: selectSources(values),
    closedPeriods: selectClosedPeriods(values),
    paid: selectPaid(values),
    reviews: selectReviews(values),
  }))
  const company_shifts = read.companyShifts.rules
  const [logs, sources] = [byPerson(read.logs), byPerson(read.sources)]
  const closedPeriods = byPerson(read.closedPeriods)
  const [paid, reviews] = [byPerson(read.paid), byPerson(read.reviews)]
  return read.staff.map((person) => ({
    ...person,
    company_shifts,
    logs: logs.get(person.employee_id) ?? [],
    sources: sources.get(person.employee_id) ?? [],
    closedPeriods: closedPeriods.get(person.employee_id) ?? [],
    paid: paid.get(person.employee_id) ?? [],
    reviews: reviews.get(person.employee_id) ?? [],
  }))
}

export type PersonWithLogs = Awaited<ReturnType<typeof readPeopleWithLogs>>[number]
