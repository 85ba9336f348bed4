import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { first, type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
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
import type { LogKind, LogStatus } from '../../core/values/log-values.ts'
import type { Zones } from '../../core/values/time-zone.ts'
import {
  type FilterInScope,
  type FilterParams,
  filterParams,
  filterWhere,
  indexForFilter,
  preparedPerShape,
  withinScope,
} from '../../logs/filter.queries.ts'

/** Finds the employees of a period, and reads the data that their hours depend on. */

const employeesOfLogs = preparedPerShape(({ filter }: { filter: FilterInScope }) =>
  prepare((p: Params<FilterParams>) =>
    qb
      .selectDistinct({ employee_id: sql<string>`${logs.employee_id}`.as('employee_id') })
      .from(sql`${logs} INDEXED BY ${sql.identifier(indexForFilter(filter))}`)
      .where(filterWhere(filter, p)),
  ),
)

/** The filter of hours. An undefined field does not filter. */
export interface PeopleFilter {
  employee_id?: string | undefined
  department?: string | undefined
  branch_office?: string | undefined
  /** The employee's current group. */
  payroll_group?: string | undefined
}

interface OnPayroll extends Record<keyof PeopleFilter, string | null> {
  scope: Scope
  /** Skips people who left before this day. */
  since: string | null
}

const matches = (column: SQL, value: SQL): SQL => sql`(${value} IS NULL OR ${column} = ${value})`

const employeesOnPayroll = prepare((p: Params<OnPayroll>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      sql`${isInScope(employees.branch_office, p.scope)}
        AND ${matches(sql`${employees.employee_id}`, p.employee_id)}
        AND ${matches(sql`${employees.branch_office}`, p.branch_office)}
        AND ${matches(sql`${employees.department}`, p.department)}
        AND ${matches(sql`${employees.payroll_group}`, p.payroll_group)}
        AND (${p.since} IS NULL OR ${employees.ended_at} IS NULL OR ${employees.ended_at} >= ${p.since})`,
    ),
)

/**
 * The ids of employees who may have a row in a period. The branch and department of their logs
 * count, so that someone who moved is found. With the day `onPayroll`, employees without logs who
 * had not left before that day are included.
 */
export const listEmployeesOfPeriod = async (
  db: AuthorizedDb,
  filter: PeopleFilter,
  { from, before, onPayroll }: { from: string; before: string; onPayroll: string | undefined },
): Promise<string[]> => {
  const {
    employee_id = null,
    department = null,
    branch_office = null,
    payroll_group = null,
  } = filter
  const everybody = {
    employee_id,
    department: null,
    branch_office: null,
    payroll_group,
    since: null,
  }
  const withLogs = (scope: Scope, zones: Zones) => {
    const { payroll_group: _, ...place } = filter
    const inScope = withinScope({ ...place, from, to: before }, scope, zones)
    return (inScope.branches ?? inScope.department) == null
      ? employeesOnPayroll({ ...everybody, scope })
      : employeesOfLogs({ filter: inScope }, filterParams(inScope))
  }
  const onPayrollOf = (scope: Scope, since: string) =>
    employeesOnPayroll({ employee_id, department, branch_office, payroll_group, scope, since })
  const lists = await db.batch((scope, zones) => ({
    withLogs: withLogs(scope, zones),
    ...(onPayroll !== undefined && { onPayroll: onPayrollOf(scope, onPayroll) }),
  }))
  const rows = [...lists.withLogs, ...(lists.onPayroll ?? [])]
  return [...new Set(rows.map((row) => row.employee_id))].sort()
}

const selectEmployeeOfLog = prepare((p: Params<{ id: number; scope: Scope }>) =>
  qb
    .select({ employee_id: logs.employee_id })
    .from(logs)
    .where(sql`${logs.id} = ${p.id} AND ${isInScope(logs.branch_office, p.scope)}`),
)

/** The employee of a log. Undefined if the caller may not see the log. */
export const findEmployeeOfLog = async (
  db: AuthorizedDb,
  id: number,
): Promise<string | undefined> => {
  const { log } = await db.batch((scope) => ({ log: first(selectEmployeeOfLog({ id, scope })) }))
  return log?.employee_id
}

interface PeopleParams {
  /**
   * A JSON array of [employee_id, moment, day]. Logs are read from the moment on, payments and
   * reviews from the day on.
   */
  people: string
  /** The moment before which logs are read. */
  until: string
}

const people = (p: Params<PeopleParams>) => sql`(SELECT value ->> '$[0]' AS person,
  value ->> '$[1]' AS since, value ->> '$[2]' AS since_day FROM json_each(${p.people}))`

const selectLogs = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      log_id: sql<number>`${logs.id}`.as('log_id'),
      employee_id: sql<string>`${logs.employee_id}`.as('employee_id'),
      kind: sql<LogKind>`${logs.kind}`.as('kind'),
      recorded_at: sql<string>`${logs.recorded_at}`.as('recorded_at'),
      received_at: sql<string>`${logs.created_at}`.as('received_at'),
      status: sql<LogStatus>`${logs.status}`.as('status'),
      is_manual: sql`${logs.source} GLOB 'manual:*'`.mapWith(Boolean).as('is_manual'),
      is_request: isRequest.as('is_request'),
      is_other_network: isOtherNetwork.as('is_other_network'),
      request_comment: requestComment,
      department: sql<string>`${logs.department}`.as('department'),
      branch_office: sql<string>`${logs.branch_office}`.as('branch_office'),
    })
    .from(
      sql`${people(p)} CROSS JOIN ${logs} INDEXED BY attendance_logs_employee
        ON ${logs.employee_id} = person`,
    )
    .where(
      sql`${hasAnyStatusAndKind}
        AND ${logs.recorded_at} >= since AND ${logs.recorded_at} < ${p.until}`,
    ),
)

/**
 * The longest shifts of a person, or of everybody if the employee is null. If two rules have the same
 * day, the newer one applies. SQLite takes the other columns from the row of max().
 */
const shiftsOf = (employee: SQL) => sql<[day: string, hours: number][]>`(
  SELECT json_group_array(json_array(valid_from, max_shift_hours)) FROM (
    SELECT valid_from, max_shift_hours, max(id) FROM ${employee_shifts} AS shift
    WHERE shift.employee_id IS ${employee} GROUP BY valid_from ORDER BY valid_from))`

const selectCompanyShifts = prepare(() =>
  qb
    .select({ rules: shiftsOf(sql`NULL`).mapWith(JSON.parse).as('company_shifts') })
    .from(sql`(SELECT 1)`),
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
      shift_rules: shiftsOf(sql`${employees}.employee_id`).mapWith(JSON.parse).as('shift_rules'),
    })
    .from(employees)
    .where(sql`${employees.employee_id} IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))`)
    .orderBy(employees.employee_id),
)

/** The active sources of these employees' logs that have a `complete_until`. */
const selectSources = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      source: employee_sources.source,
      employee_id: employee_sources.employee_id,
      last_recorded_at: employee_sources.last_recorded_at,
      complete_until: sql<string>`${intake_sources.complete_until}`.as('complete_until'),
      from_day: clockOfSource('from_day').as('from_day'),
    })
    .from(employee_sources)
    .innerJoin(intake_sources, sql`${intake_sources.source} = ${employee_sources.source}`)
    .where(
      sql`${employee_sources.employee_id} IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))
        AND ${intake_sources.complete_until} IS NOT NULL AND ${intake_sources.retired_at} IS NULL`,
    ),
)

/**
 * The active closings of the days that are read. A log that arrived after its day's closing is
 * late.
 */
const selectClosedPeriods = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      employee_id: sql<string>`person`.as('employee_id'),
      end_at: sql<string>`closed.end_at`.as('end_at'),
      created_at: sql<string>`closing.created_at`.as('created_at'),
    })
    .from(
      sql`${people(p)} JOIN ${closing_people} AS closed
          ON closed.employee_id = person AND closed.lock_at > since
        JOIN ${closings} AS closing ON closing.id = closed.closing_id AND ${isActiveClosing}`,
    ),
)

/**
 * The seconds that active closings have paid for each day, and the place in the day's newest line.
 * SQLite takes the place from the row of max().
 */
const selectPaid = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      employee_id: sql<string>`person`.as('employee_id'),
      day: sql<string>`line.day`.as('day'),
      seconds: sql<number>`sum(line.difference_seconds)`.as('seconds'),
      closing_id: sql<number>`max(line.closing_id)`.as('closing_id'),
      department: sql<string>`line.department`.as('department'),
      branch_office: sql<string>`line.branch_office`.as('branch_office'),
    })
    .from(
      sql`${people(p)} JOIN ${closing_lines} AS line INDEXED BY closing_lines_employee_id
          ON line.employee_id = person AND line.day >= since_day
        JOIN ${closings} AS closing ON closing.id = line.closing_id AND ${isActiveClosing}`,
    )
    .groupBy(sql`person, line.day`),
)

/**
 * The newest review of each day, with the ids of the person's logs that have changed since then.
 */
const selectReviews = prepare((p: Params<PeopleParams>) =>
  qb
    .select({
      employee_id: sql<string>`person`.as('employee_id'),
      day: sql<string>`review.day`.as('day'),
      review_id: sql<number>`max(review.id)`.as('review_id'),
      at: sql<string>`review.created_at`.as('reviewed_at'),
      comment: sql<string | null>`review.comment`.as('comment'),
      confirmed_seconds: sql<number | null>`review.confirmed_seconds`.as('confirmed_seconds'),
      user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
      changed_ids: sql<
        number[]
      >`(SELECT json_group_array(DISTINCT log_id) FROM ${log_events} AS event
        WHERE event.employee_id = person AND event.id > review.last_event_id
          AND log_id IS NOT NULL)`
        .mapWith(JSON.parse)
        .as('changed_ids'),
    })
    .from(
      sql`${people(p)} JOIN ${day_reviews} AS review
          ON review.employee_id = person AND review.day >= since_day`,
    )
    .innerJoin(users, sql`${users.id} = review.user_id`)
    .groupBy(sql`person, review.day`),
)

export interface ReadRange {
  employee_id: string
  /** Logs are read from this moment on. '' means that all logs are read. */
  logsFrom: string
  /** Payments and reviews are read from this day on. */
  firstDay: string
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
  const results = await db.batch(() => ({
    companyShifts: first(selectCompanyShifts({})),
    staff: selectEmployees(values),
    staffLogs: selectLogs(values),
    sources: selectSources(values),
    closedPeriods: selectClosedPeriods(values),
    paid: selectPaid(values),
    reviews: selectReviews(values),
  }))
  const { staff, staffLogs, sources, closedPeriods, paid, reviews } = results
  const company_shifts = results.companyShifts?.rules ?? []
  const byPerson = <Row extends { employee_id: string }>(rows: readonly Row[]) => {
    const groups = Map.groupBy(rows, ({ employee_id }) => employee_id)
    return (employee_id: string): Row[] => groups.get(employee_id) ?? []
  }
  const [logsOf, sourcesOf] = [byPerson(staffLogs), byPerson(sources)]
  const [closedPeriodsOf, paidOf, reviewsOf] = [
    byPerson(closedPeriods),
    byPerson(paid),
    byPerson(reviews),
  ]
  return staff.map((person) => ({
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
