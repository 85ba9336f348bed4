import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { hasAnyStatusAndKind } from '../../core/db/shared-expressions.ts'
import { waiting_punches } from '../../core/tables/clocks.ts'
import { isOneOf } from '../../core/tables/columns.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { closing_people, closings, isActiveClosing } from '../../core/tables/payroll.ts'
import { employees, payroll_groups } from '../../core/tables/people.ts'
import { waitForOtherRequests } from '../../core/values/event-loop.ts'
import { LOG_KINDS } from '../../core/values/log-values.ts'

/** Selects everyone unless a group or a person is given. */
export interface Selection {
  payroll_group: string | null
  employee_id: string | null
}

export interface ClosedSelection extends Selection {
  /** The first day that the closing does not pay. */
  before: string
}

interface SelectionParams extends ClosedSelection {
  /** Only greater employee ids. */
  after: string
  limit: number
}

const activeClosingsOf = (employee: SQL) => sql`${closing_people} AS closed
  CROSS JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE closed.employee_id = ${employee} AND ${isActiveClosing}`

/**
 * The person's last closing: the active closing with the latest `before`, and the newest of several
 * with the same `before`. To use the index on `lock_at`, it compares only the closings whose
 * `lock_at` is at most four days before the latest. `lock_at` is later than the day `before` by at
 * most a shift and a zone offset.
 */
const lastClosingOf = (employee: SQL) => sql`(SELECT closing.id FROM ${activeClosingsOf(employee)}
    AND closed.lock_at >= strftime('%Y-%m-%dT%H:%M:%fZ', (SELECT closed.lock_at
      FROM ${activeClosingsOf(employee)} ORDER BY closed.lock_at DESC LIMIT 1), '-4 days')
  ORDER BY closing.before DESC, closing.id DESC LIMIT 1)`

/** The earliest day that an active closing was the first to pay the person. */
const earliestPaidDayOf = (employee: SQL) =>
  sql`(SELECT closed.from_day FROM ${activeClosingsOf(employee)} AND closed.from_day IS NOT NULL
    ORDER BY closed.from_day LIMIT 1)`

const isSelected = (p: Params<Selection>) => sql`(${p.employee_id} IS NULL
    OR ${employees.employee_id} = ${p.employee_id})
  AND (${p.payroll_group} IS NULL OR ${employees.payroll_group} = ${p.payroll_group})`

/**
 * The first day that the service pays the person. It is `paid_from`, or else the first day of the
 * group or of work, whichever is later. A day that an active closing pays stays payable. Null if the
 * group has no `pays_from`, the person no `paid_from`, and no active closing paid a day.
 */
const firstDay = sql`coalesce(min(rule_day, earliest_paid_day), rule_day, earliest_paid_day)`

/**
 * True if a closing of the person was cancelled, or the first day became earlier, since the last
 * closing. Then every day is compared again. `cancelled_after` is the id of the newest closing at
 * the time of the cancellation.
 */
const comparesAll = sql`(EXISTS (
    SELECT 1 FROM cancelled CROSS JOIN ${closing_people} AS closed ON closed.closing_id = cancelled.id
    WHERE closed.employee_id = selected.employee_id AND cancelled.cancelled_after >= last_closing.id)
  OR selected.first_day < last_person.first_day)`

/** The oldest time of the logs that arrived or were decided since the last closing. */
const oldestChangedAt = sql`(SELECT min(recorded_at) FROM ${log_events} AS event
  WHERE event.employee_id = selected.employee_id AND event.id > last_closing.last_event_id)`

/** SQLite has no days of zones. A day more on each side is enough for any zone. */
const fromDay = (day: SQL) => sql`coalesce(date(${day}, '-1 day'), '')`
const untilDay = (day: SQL) => sql`date(${day}, '+1 day')`

/**
 * The times of pending logs from the first day to `before`, and a day more on each side.
 * `pendingTotals` counts exactly.
 */
const pendingOf = (p: Params<SelectionParams>) => sql`(SELECT json_group_array(recorded_at)
  FROM ${logs} INDEXED BY attendance_logs_employee WHERE employee_id = selected.employee_id
    AND status = 'pending' AND ${isOneOf(logs.kind, LOG_KINDS)}
    AND recorded_at >= ${fromDay(sql`selected.first_day`)} AND recorded_at < ${untilDay(p.before)})`

/**
 * The time of the oldest pending log since the first day. Days that it held in earlier closings are
 * compared again, so that each closing says the hours that still wait.
 */
const oldestPendingAt = sql`(SELECT min(recorded_at)
  FROM ${logs} INDEXED BY attendance_logs_employee WHERE employee_id = selected.employee_id
    AND status = 'pending' AND ${isOneOf(logs.kind, LOG_KINDS)}
    AND recorded_at >= ${fromDay(sql`selected.first_day`)})`

/**
 * The time of the oldest approved log between the group's first day and the person's first day, with
 * a day more on each side. Null if there is none. `leftOutOf` finds out what is unpaid.
 */
const oldestLeftOutAt = (p: Params<SelectionParams>) => sql`iif(
  selected.pays_from < min(coalesce(selected.first_day, ''), ${p.before}),
  (SELECT min(recorded_at) FROM ${logs} INDEXED BY attendance_logs_employee
    WHERE employee_id = selected.employee_id AND status = 'approved'
      AND ${isOneOf(logs.kind, LOG_KINDS)} AND recorded_at >= ${fromDay(sql`selected.pays_from`)}
      AND recorded_at < ${untilDay(sql`min(selected.first_day, ${p.before})`)}),
  NULL)`

/**
 * Whether something may be paid to the person. People who left before the end of their last closing,
 * or before their first day, must have changed, pending or later logs, or all of their days are
 * compared again.
 */
const mayBePaid = sql`(person.ended_at IS NULL
  OR person.ended_at >= coalesce(person.closed_before, person.first_day)
  OR person.oldest_changed_at IS NOT NULL OR person.oldest_pending_at IS NOT NULL
  OR person.compares_all OR EXISTS (
    SELECT 1 FROM ${logs} INDEXED BY attendance_logs_employee
    WHERE ${logs}.employee_id = person.employee_id AND ${hasAnyStatusAndKind}
      AND ${logs}.recorded_at >= coalesce(person.last_lock_at, ${fromDay(sql`person.first_day`)})))`

/** A page of the selected employees with their first day and their last closing. */
const selectedEmployees = (p: Params<SelectionParams>) => sql`SELECT *, ${firstDay} AS first_day
  FROM (SELECT ${employees.employee_id} AS employee_id,
      ${employees.payroll_group} AS payroll_group, ${employees.branch_office} AS branch_office,
      ${employees.ended_at} AS ended_at, ${employees.paid_from} AS paid_from, pays_from,
      -- max() is null if the group has no pays_from.
      coalesce(${employees.paid_from}, max(pays_from, ${employees.started_at})) AS rule_day,
      ${earliestPaidDayOf(sql`${employees.employee_id}`)} AS earliest_paid_day,
      ${lastClosingOf(sql`${employees.employee_id}`)} AS last_closing_id
    FROM ${employees} JOIN ${payroll_groups} ON ${payroll_groups.name} = ${employees.payroll_group}
    WHERE ${isSelected(p)} AND ${employees.employee_id} > ${p.after}
    ORDER BY ${employees.employee_id} LIMIT ${p.limit})`

const selectCandidates = prepare((p: Params<SelectionParams>) =>
  qb
    .select({
      employee_id: sql<string>`employee_id`.as('employee_id'),
      payroll_group: sql<string>`payroll_group`.as('payroll_group'),
      branch_office: sql<string>`branch_office`.as('branch_office'),
      ended_at: sql<string | null>`ended_at`.as('ended_at'),
      paid_from: sql<string | null>`paid_from`.as('paid_from'),
      /** The first day that the service pays the group. */
      pays_from: sql<string | null>`pays_from`.as('pays_from'),
      first_day: sql<string | null>`first_day`.as('first_day'),
      earliest_paid_day: sql<string | null>`earliest_paid_day`.as('earliest_paid_day'),
      /** The `before` of the person's last active closing. */
      closed_before: sql<string | null>`closed_before`.as('closed_before'),
      /** The `first_day` of the person's last active closing. */
      last_first_day: sql<string | null>`last_first_day`.as('last_first_day'),
      oldest_changed_at: sql<string | null>`oldest_changed_at`.as('oldest_changed_at'),
      oldest_pending_at: sql<string | null>`oldest_pending_at`.as('oldest_pending_at'),
      compares_all: sql`coalesce(compares_all, 0)`.mapWith(Boolean).as('compares_all'),
      oldest_left_out_at: sql<string | null>`oldest_left_out_at`.as('oldest_left_out_at'),
      may_be_paid: mayBePaid.mapWith(Boolean).as('may_be_paid'),
      pending: sql<string[]>`pending`.mapWith(JSON.parse).as('pending'),
    })
    .from(
      sql`(WITH cancelled AS MATERIALIZED (SELECT id, cancelled_after FROM ${closings}
          WHERE cancelled_at IS NOT NULL)
        SELECT selected.*, last_closing.before AS closed_before,
          last_person.first_day AS last_first_day, last_person.lock_at AS last_lock_at,
          ${oldestChangedAt} AS oldest_changed_at, ${oldestPendingAt} AS oldest_pending_at,
          ${comparesAll} AS compares_all,
          ${pendingOf(p)} AS pending, ${oldestLeftOutAt(p)} AS oldest_left_out_at
        FROM (${selectedEmployees(p)}) AS selected
        LEFT JOIN ${closings} AS last_closing ON last_closing.id = selected.last_closing_id
        LEFT JOIN ${closing_people} AS last_person ON last_person.closing_id = last_closing.id
          AND last_person.employee_id = selected.employee_id) AS person`,
    )
    .orderBy(sql`employee_id`),
)

/**
 * The punches of clocks that have become no log yet and may be of days before the closing's end. Whose
 * they are is not known, so that a closing of one person has none.
 */
const waitingPunches = (p: Params<ClosedSelection>) => sql<number>`(SELECT count(*)
  FROM ${waiting_punches} WHERE ${p.employee_id} IS NULL AND dismissed_at IS NULL
    AND (recorded_at IS NULL OR substr(local_at, 1, 10) < ${p.before}))`

const countSelected = prepare((p: Params<ClosedSelection>) =>
  qb
    .select({
      waiting: waitingPunches(p).as('waiting'),
      people: sql<number>`count(*)`.as('people'),
      isKnownGroup: sql`EXISTS (SELECT 1 FROM ${payroll_groups} WHERE name = ${p.payroll_group})`
        .mapWith(Boolean)
        .as('is_known_group'),
    })
    .from(employees)
    .where(isSelected(p)),
)

/** The number of selected employees and of waiting punches, and whether the selected group exists. */
export const readSelection = async (db: AuthorizedDb, selection: ClosedSelection) => {
  const { counted } = await db.batchOfAllBranches({
    counted: firstOrFail(countSelected(selection)),
  })
  return counted
}

export type ClosingCandidate = Awaited<ReturnType<typeof listClosingCandidates>>[number]

/** The number of employees per query. Each employee takes about twenty index seeks. */
const PAGE = 250

/** The selected people by employee id, with what says which of their days a closing pays. */
export const listClosingCandidates = async (
  db: AuthorizedDb,
  selection: Selection & { before: string },
) => {
  const rows = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const values: SelectionParams = { ...selection, after, limit: PAGE }
    const { page } = await db.batchOfAllBranches({ page: selectCandidates(values) })
    rows.push(...page)
    after = page.length < PAGE ? undefined : page.at(-1)?.employee_id
    await waitForOtherRequests()
  }
  return rows
}
