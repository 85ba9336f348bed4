import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  columns,
  firstOrFail,
  json,
  type Params,
  prepare,
  qb,
  stored,
} from '../../core/db/query.ts'
import {
  clockOfSource,
  fullName,
  hasAnyStatusAndKind,
  isOtherNetwork,
  isRequest,
  requestComment,
} from '../../core/db/shared-expressions.ts'
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

/** Reads everything that the hours of people depend on. */

interface PeopleParams {
  /**
   * A JSON array of [employee_id, moment, day]. Logs are read from the moment on, payments and
   * reviews from the day on.
   */
  people: string
  /** The moment before which logs are read. */
  until: string
}

const asked = (p: Params<PeopleParams>) => sql`asked(person, since, since_day) AS (
  SELECT value ->> '$[0]', value ->> '$[1]', value ->> '$[2]' FROM json_each(${p.people}))`

const selectLogs = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        log_id: stored<number>,
        employee_id: stored<string>,
        kind: stored<LogKind>,
        recorded_at: stored<string>,
        received_at: stored<string>,
        status: stored<LogStatus>,
        is_manual: Boolean,
        is_request: Boolean,
        is_other_network: Boolean,
        request_comment: stored<string | null>,
        department: stored<string>,
        branch_office: stored<string>,
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
const shiftsOf = (employee: SQL) =>
  sql`(SELECT json_group_array(json_array(valid_from, max_shift_hours)) FROM (
    SELECT valid_from, max_shift_hours, max(id) FROM ${employee_shifts} AS shift
    WHERE shift.employee_id IS ${employee} GROUP BY valid_from ORDER BY valid_from))`.mapWith(
    json<Dated<number>>,
  )

const selectCompanyShifts = prepare(() =>
  qb.select({ rules: shiftsOf(sql`NULL`) }).from(sql`(SELECT 1)`),
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
      shift_rules: shiftsOf(sql`${employees}.employee_id`),
    })
    .from(employees)
    .where(sql`${employees.employee_id} IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))`)
    .orderBy(employees.employee_id),
)

/** The active sources of these employees' logs that have a `complete_until`. */
const selectSources = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        employee_id: stored<string>,
        source: stored<string>,
        last_recorded_at: stored<string>,
        complete_until: stored<string>,
        from_day: stored<string | null>,
      }),
    )
    .from(
      sql`(SELECT employee_id, sent.source, last_recorded_at, complete_until,
          ${clockOfSource('from_day')} AS from_day
        FROM ${employee_sources} AS sent
          JOIN ${intake_sources} ON ${intake_sources.source} = sent.source
        WHERE employee_id IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))
          AND complete_until IS NOT NULL AND retired_at IS NULL)`,
    ),
)

/**
 * The active closings of the days that are read. A log that arrived after its day's closing is
 * late.
 */
const selectClosedPeriods = prepare((p: Params<PeopleParams>) =>
  qb
    .select(
      columns({
        employee_id: stored<string>,
        end_at: stored<string>,
        created_at: stored<string>,
      }),
    )
    .from(
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
        employee_id: stored<string>,
        day: stored<string>,
        seconds: stored<number>,
        closing_id: stored<number>,
        department: stored<string>,
        branch_office: stored<string>,
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
        employee_id: stored<string>,
        day: stored<string>,
        at: stored<string>,
        comment: stored<string | null>,
        confirmed_seconds: stored<number | null>,
        user_id: stored<number>,
        full_name: stored<string>,
        changed_ids: json<number[]>,
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

/** Finds the rows of a person. */
const byPerson = <Row extends { employee_id: string }>(rows: readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ employee_id }) => employee_id)
  return (employee_id: string): Row[] => groups.get(employee_id) ?? []
}

/** Employees with their logs before a moment, and the payments and reviews of their days. */
export const readPeopleWithLogs = async (
  db: AuthorizedDb,
  ranges: readonly ReadRange[],
  until: string,
) => {
  const list = ranges.map(({ employee_id, logsFrom, firstDay }) => [
    employee_id,
    logsFrom,
    firstDay,
  ])
  const values = { people: JSON.stringify(list), until }
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
  const [logsOf, sourcesOf] = [byPerson(read.logs), byPerson(read.sources)]
  const closedPeriodsOf = byPerson(read.closedPeriods)
  const [paidOf, reviewsOf] = [byPerson(read.paid), byPerson(read.reviews)]
  return read.staff.map((person) => ({
    ...person,
    company_shifts,
    logs: logsOf(person.employee_id),
    sources: sourcesOf(person.employee_id),
    closedPeriods: closedPeriodsOf(person.employee_id),
    paid: paidOf(person.employee_id),
    reviews: reviewsOf(person.employee_id),
  }))
}

export type PersonWithLogs = Awaited<ReturnType<typeof readPeopleWithLogs>>[number]

export type PaidDay = PersonWithLogs['paid'][number]
