import { type SQL, sql } from 'drizzle-orm'
import { LOG_KINDS, LOG_STATUSES, type LogKind, type LogStatus } from '../../shared/log-values.ts'
import type { Zones } from '../../shared/time-zone.ts'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { isInScope, type Scope } from '../core/scope.ts'
import {
  countIndex,
  type FilterInScope,
  type FilterParams,
  filterParams,
  filterWhere,
  preparedPerShape,
  withinScope,
} from '../logs/filter.ts'
import {
  employee_sources,
  employees,
  intake_sources,
  isOneOf,
  log_events,
  attendance_logs as logs,
} from '../schema.ts'

/** The queries of the hours: whose, then their logs a page of employees at a time. */

const employeesOfLogs = preparedPerShape(({ filter }: { filter: FilterInScope }) =>
  prepare((p: Params<FilterParams>) =>
    qb
      .selectDistinct({ employee_id: sql<string>`${logs.employee_id}`.as('employee_id') })
      .from(sql`${logs} INDEXED BY ${sql.identifier(countIndex(filter))}`)
      .where(filterWhere(filter, p))
      .orderBy(logs.employee_id),
  ),
)

interface OnPayroll {
  scope: Scope
  employee_id: string | null
  branch_office: string | null
  department: string | null
  payroll_group: string | null
  /** Nobody who left before this day. */
  since: string | null
}

const isAsked = (column: SQL, value: SQL): SQL => sql`(${value} IS NULL OR ${column} = ${value})`

const employeesOnPayroll = prepare((p: Params<OnPayroll>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      sql`${isInScope(employees.branch_office, p.scope)}
        AND ${isAsked(sql`${employees.employee_id}`, p.employee_id)}
        AND ${isAsked(sql`${employees.branch_office}`, p.branch_office)}
        AND ${isAsked(sql`${employees.department}`, p.department)}
        AND ${isAsked(sql`${employees.payroll_group}`, p.payroll_group)}
        AND (${p.since} IS NULL OR ${employees.ended_at} IS NULL OR ${employees.ended_at} >= ${p.since})`,
    )
    .orderBy(employees.employee_id),
)

interface LogsOf {
  /** A JSON array of [employee_id, from] pairs: from when on, UTC with milliseconds. */
  people: string
  before: string
  /** The ids of events. */
  as_of: number
  later: number
}

/** The status that a log had at an event; null where it had not arrived. `id` is the event's. */
const statusAsOf = (event: SQL) => sql<LogStatus | null>`(
  SELECT to_status FROM ${log_events} INDEXED BY log_events_log_id
  WHERE log_id = ${logs}.id AND id <= ${event} ORDER BY id DESC LIMIT 1)`

/** The statuses as they are, or as they were at one event, and at a later one or now. */
const logsOf = (times: 'now' | 'then and now' | 'then and later') =>
  prepare((p: Params<LogsOf>) =>
    qb
      .select({
        log_id: sql<number>`${logs.id}`.as('log_id'),
        employee_id: sql<string>`${logs.employee_id}`.as('employee_id'),
        kind: sql<LogKind>`${logs.kind}`.as('kind'),
        recorded_at: sql<string>`${logs.recorded_at}`.as('recorded_at'),
        received_at: sql<string>`${logs.created_at}`.as('received_at'),
        status: (times === 'then and later'
          ? statusAsOf(p.later)
          : sql<LogStatus | null>`${logs.status}`
        ).as('status'),
        past_status: (times === 'now' ? sql<null>`NULL` : statusAsOf(p.as_of)).as('past_status'),
        is_manual: sql`${logs.source} GLOB 'manual:*'`.mapWith(Boolean).as('is_manual'),
        department: sql<string>`${logs.department}`.as('department'),
        branch_office: sql<string>`${logs.branch_office}`.as('branch_office'),
        payroll_group: sql<string>`${logs.payroll_group}`.as('payroll_group'),
      })
      .from(
        sql`(SELECT value ->> '$[0]' AS person, value ->> '$[1]' AS since
            FROM json_each(${p.people}))
          CROSS JOIN ${logs} INDEXED BY attendance_logs_employee ON ${logs.employee_id} = person`,
      )
      .where(
        sql`${isOneOf(logs.status, LOG_STATUSES)} AND ${isOneOf(logs.kind, LOG_KINDS)}
          AND ${logs.recorded_at} >= since AND ${logs.recorded_at} < ${p.before}`,
      )
      // A salida and an entrada of the same moment: one shift ends, the next one begins.
      .orderBy(sql`${logs.employee_id}, ${logs.recorded_at}, ${logs.kind} DESC, ${logs.id}`),
  )

const currentLogs = logsOf('now')
const pastAndCurrentLogs = logsOf('then and now')
const pastAndLaterLogs = logsOf('then and later')

const peopleOf = prepare((p: Params<Pick<LogsOf, 'people'>>) =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      department: employees.department,
      branch_office: employees.branch_office,
      payroll_group: employees.payroll_group,
      started_at: employees.started_at,
      ended_at: employees.ended_at,
    })
    .from(employees)
    .where(sql`${employees.employee_id} IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))`)
    .orderBy(employees.employee_id),
)

/** Sources that say until when they are complete, and when each last recorded these employees. */
const sourcesOf = prepare((p: Params<Pick<LogsOf, 'people'>>) =>
  qb
    .select({
      employee_id: employee_sources.employee_id,
      last_recorded_at: employee_sources.last_recorded_at,
      complete_until: sql<string>`${intake_sources.complete_until}`.as('complete_until'),
    })
    .from(employee_sources)
    .innerJoin(intake_sources, sql`${intake_sources.source} = ${employee_sources.source}`)
    .where(
      sql`${employee_sources.employee_id} IN (SELECT value ->> '$[0]' FROM json_each(${p.people}))
        AND ${intake_sources.complete_until} IS NOT NULL AND ${intake_sources.retired_at} IS NULL`,
    ),
)

interface Changes {
  /** The ids of events: changes after the first, and not after the second. */
  after: number
  until: number
  before: string
  /** Where the closed period ends. */
  closed_at: string
}

/** A log that arrived late and waits for a decision has changed nothing yet. */
const changedBetween = prepare((p: Params<Changes>) =>
  qb
    .select({
      employee_id: log_events.employee_id,
      first: sql<string>`min(${log_events.recorded_at})`.as('first'),
    })
    .from(log_events)
    .where(
      sql`${log_events.id} > ${p.after} AND ${log_events.id} <= ${p.until}
        AND ${log_events.recorded_at} < ${p.before}
        AND (${log_events.event} = 'decided' OR ${log_events.to_status} <> 'pending'
          OR ${log_events.recorded_at} >= ${p.closed_at})`,
    )
    .groupBy(log_events.employee_id)
    .orderBy(log_events.employee_id),
)

/** Whose hours are asked for. */
export interface HoursFilter {
  employee_id?: string | undefined
  department?: string | undefined
  branch_office?: string | undefined
  payroll_group?: string | undefined
}

const NOTHING_ASKED = {
  employee_id: null,
  branch_office: null,
  department: null,
  payroll_group: null,
  since: null,
}

/**
 * The ids of employees who may have a row in a period: by the branch and department of their logs, so
 * that somebody who moved does not vanish. With `onPayroll`, a day, also those without any log who
 * had not left before it.
 */
export const listCandidates = async (
  db: AuthorizedDb,
  { payroll_group, ...place }: HoursFilter,
  { from, before, onPayroll }: { from: Date; before: Date; onPayroll: string | undefined },
): Promise<string[]> => {
  const withLogs = (scope: Scope, zones: Zones) => {
    const [first, last] = [from.toISOString(), new Date(before.getTime() - 1).toISOString()]
    const filter = withinScope({ ...place, from: first, to: last }, scope, zones)
    return (filter.employee_id ?? filter.branches ?? filter.department) == null
      ? employeesOnPayroll({ ...NOTHING_ASKED, scope })
      : employeesOfLogs({ filter }, filterParams(filter))
  }
  const asked = Object.fromEntries(
    Object.entries({ ...place, payroll_group }).filter(([, value]) => value !== undefined),
  )
  const found = await db.batch((scope, zones) =>
    onPayroll === undefined
      ? [withLogs(scope, zones)]
      : [
          withLogs(scope, zones),
          employeesOnPayroll({ ...NOTHING_ASKED, ...asked, scope, since: onPayroll }),
        ],
  )
  const ids = found.flatMap((rows) => rows.map(({ employee_id }) => employee_id))
  return [...new Set(ids)].sort()
}

export interface PeoplePage {
  /** Whom, and from when on. */
  people: { employee_id: string; from: Date }[]
  before: Date
  /** The id of an event whose statuses are asked for as well. */
  asOf: number | undefined
  /** The id of a later event, whose statuses are asked for in place of today's. */
  later?: number | undefined
}

/** Employees with their logs in order of time, and their sources. */
export const readPeople = async (db: AuthorizedDb, { people, before, asOf, later }: PeoplePage) => {
  const pairs = people.map(({ employee_id, from }) => [employee_id, from.toISOString()])
  const values = {
    people: JSON.stringify(pairs),
    before: before.toISOString(),
    as_of: asOf ?? 0,
    later: later ?? 0,
  }
  const past = later === undefined ? pastAndCurrentLogs : pastAndLaterLogs
  const select = asOf === undefined ? currentLogs : past
  const [found, logs, sources] = await db.batch(() => [
    peopleOf(values),
    select(values),
    sourcesOf(values),
  ])
  const logsById = Map.groupBy(logs, ({ employee_id }) => employee_id)
  const sourcesById = Map.groupBy(sources, ({ employee_id }) => employee_id)
  return found.map((person) => ({
    ...person,
    logs: logsById.get(person.employee_id) ?? [],
    sources: sourcesById.get(person.employee_id) ?? [],
  }))
}

export type PersonWithLogs = Awaited<ReturnType<typeof readPeople>>[number]

/** Employees with changes between two events, on logs recorded before a moment; the first of these. */
export const listChanged = async (
  db: AuthorizedDb,
  changes: { after: number; until: number | undefined; before: Date; closed_at: string },
) => {
  const { until = Number.MAX_SAFE_INTEGER, before, ...rest } = changes
  const values = { ...rest, until, before: before.toISOString() }
  return (await db.batch(() => [changedBetween(values)]))[0]
}
