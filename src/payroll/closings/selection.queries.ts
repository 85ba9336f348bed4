import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  type Expression,
  expression,
  firstOrFail,
  hasRow,
  matches,
  type Params,
  prepare,
  qb,
} from '../../core/db/query.ts'
import { hasAnyStatusAndKind } from '../../core/db/shared-expressions.ts'
import { columns, flag, json, orNull, text } from '../../core/db/text-query.ts'
import { waiting_punches } from '../../core/tables/clocks.ts'
import { isOneOf } from '../../core/tables/columns.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { closing_people, closings, isActiveClosing } from '../../core/tables/payroll.ts'
import { employees, payroll_groups } from '../../core/tables/people.ts'
import { waitForOtherRequests } from '../../core/values/event-loop.ts'
import { LOG_KINDS, type LogStatus } from '../../core/values/log-values.ts'

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

const isSelected = (p: Params<Selection>) =>
  and(
    matches(employees.employee_id, p.employee_id),
    matches(employees.payroll_group, p.payroll_group),
  )

/** SQLite has no days of zones. A day more on each side is enough for any zone. */
const fromDay = (day: Expression) => sql`coalesce(date(${expression(day)}, '-1 day'), '')`
const untilDay = (day: SQL) => sql`date(${day}, '+1 day')`

/**
 * A value of the logs of one status, from a day on, before another day. They are of the person in
 * `with_last` of `selectCandidates`.
 */
const ofLogs = (
  value: string,
  status: LogStatus,
  { from, before }: { from: Expression; before?: SQL },
) => sql`(SELECT ${expression(value)} FROM ${logs} INDEXED BY attendance_logs_employee
  WHERE ${logs.employee_id} = with_last.employee_id AND ${isOneOf(logs.status, [status])}
    AND ${isOneOf(logs.kind, LOG_KINDS)} AND ${logs.recorded_at} >= ${fromDay(from)}
    ${before ? sql`AND ${logs.recorded_at} < ${untilDay(before)}` : sql.raw('')})`

/** A value of the first active `closing` of the employee, of those that meet a condition. */
const ofClosing = (value: string, order: string, condition: Expression = 'true') => sql`(
  SELECT ${expression(value)} FROM ${closing_people} AS closed
    CROSS JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE closed.employee_id = ${employees.employee_id} AND ${isActiveClosing}
    AND ${expression(condition)} ORDER BY ${expression(order)} LIMIT 1)`

/**
 * The last closing is the active one with the latest `before`, and the newest of several with the
 * same `before`. To use the index on `lock_at`, only the closings whose `lock_at` is at most four days
 * before the latest are compared: `lock_at` is later than the day `before` by at most a shift and a
 * zone offset.
 */
const isNearLatestLock = sql`closed.lock_at >= strftime('%Y-%m-%dT%H:%M:%fZ',
  ${ofClosing('closed.lock_at', 'closed.lock_at DESC')}, '-4 days')`

/** A page of the selected employees by id, with what says which of their days a closing pays. */
const selectCandidates = prepare((p: Params<SelectionParams>) =>
  qb
    .select(
      columns({
        employee_id: text,
        payroll_group: text,
        branch_office: text,
        ended_at: orNull(text),
        paid_from: orNull(text),
        /** The first day that the service pays the group. */
        pays_from: orNull(text),
        /**
         * The first day that the service pays the person: `paid_from`, or else the first day of the
         * group or of work, whichever is later. A day that an active closing pays stays payable. Null
         * if no group, person or closing says it.
         */
        first_day: orNull(text),
        /** The earliest day that an active closing was the first to pay the person. */
        earliest_paid_day: orNull(text),
        /** The `before` of the last closing. */
        closed_before: orNull(text),
        /** The `first_day` of the person in the last closing. */
        last_first_day: orNull(text),
        /** The oldest time of the logs that arrived or were decided since the last closing. */
        oldest_changed_at: orNull(text),
        /**
         * The time of the oldest pending log since the first day. Days that it held in earlier
         * closings are compared again, so that each closing says the hours that still wait.
         */
        oldest_pending_at: orNull(text),
        /**
         * True if a closing of the person was cancelled, or the first day became earlier, since the
         * last closing. Then every day is compared again.
         */
        compares_all: flag,
        /**
         * The time of the oldest approved log between the group's first day and the person's first
         * day, with a day more on each side. `leftOutOf` finds out what is unpaid.
         */
        oldest_left_out_at: orNull(text),
        /**
         * The times of pending logs from the first day to `before`, and a day more on each side.
         * `pendingTotals` counts exactly.
         */
        pending: json<string[]>(),
        /**
         * Whether something may be paid to the person. People who left before the end of their last
         * closing, or before their first day, must have changed, pending or later logs, or all of
         * their days are compared again.
         */
        may_be_paid: flag,
      }),
    )
    .from(
      sql`(WITH cancelled AS MATERIALIZED (
        SELECT id, cancelled_after FROM ${closings} WHERE cancelled_at IS NOT NULL),
      selected AS (
        SELECT employee_id, payroll_group, branch_office, ended_at, paid_from, pays_from,
          coalesce(paid_from, max(pays_from, started_at)) AS rule_day,
          ${ofClosing('closed.from_day', 'closed.from_day', 'closed.from_day IS NOT NULL')}
            AS earliest_paid_day,
          ${ofClosing('closing.id', 'closing.before DESC, closing.id DESC', isNearLatestLock)}
            AS last_closing_id
        FROM ${employees} JOIN ${payroll_groups} ON name = payroll_group
        WHERE ${isSelected(p)} AND employee_id > ${p.after}
        ORDER BY employee_id LIMIT ${p.limit}),
      dated AS (
        SELECT *, coalesce(min(rule_day, earliest_paid_day), rule_day, earliest_paid_day) AS first_day
        FROM selected),
      with_last AS (
        SELECT dated.*, last_closing.before AS closed_before, last_closing.last_event_id,
          last_person.first_day AS last_first_day, last_person.lock_at AS last_lock_at
        FROM dated
          LEFT JOIN ${closings} AS last_closing ON last_closing.id = last_closing_id
          LEFT JOIN ${closing_people} AS last_person ON last_person.closing_id = last_closing.id
            AND last_person.employee_id = dated.employee_id),
      person AS (
        SELECT *,
          (SELECT min(recorded_at) FROM ${log_events} AS event
            WHERE event.employee_id = with_last.employee_id AND event.id > with_last.last_event_id
          ) AS oldest_changed_at,
          ${ofLogs('min(recorded_at)', 'pending', { from: 'with_last.first_day' })}
            AS oldest_pending_at,
          coalesce(with_last.first_day < with_last.last_first_day OR EXISTS (SELECT 1 FROM cancelled
            CROSS JOIN ${closing_people} AS closed ON closed.closing_id = cancelled.id
            WHERE closed.employee_id = with_last.employee_id
              AND cancelled.cancelled_after >= with_last.last_closing_id), 0) AS compares_all,
          ${ofLogs('json_group_array(recorded_at)', 'pending', {
            from: 'with_last.first_day',
            before: p.before,
          })} AS pending,
          iif(pays_from < min(coalesce(first_day, ''), ${p.before}),
            ${ofLogs('min(recorded_at)', 'approved', {
              from: 'with_last.pays_from',
              before: sql`min(with_last.first_day, ${p.before})`,
            })},
            NULL) AS oldest_left_out_at
        FROM with_last)
      SELECT *, (ended_at IS NULL OR ended_at >= coalesce(closed_before, first_day)
        OR oldest_changed_at IS NOT NULL OR oldest_pending_at IS NOT NULL OR compares_all
        OR EXISTS (SELECT 1 FROM ${logs} INDEXED BY attendance_logs_employee
          WHERE ${logs.employee_id} = person.employee_id AND ${hasAnyStatusAndKind}
            AND recorded_at >= coalesce(person.last_lock_at, ${fromDay('person.first_day')}))
        ) AS may_be_paid
      FROM person)`,
    )
    .orderBy(({ employee_id }) => employee_id),
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
      waiting: waitingPunches(p),
      people: count(),
      isKnownGroup: hasRow(payroll_groups, eq(payroll_groups.name, p.payroll_group)).mapWith(
        Boolean,
      ),
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
export const listClosingCandidates = async (db: AuthorizedDb, selection: ClosedSelection) => {
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
