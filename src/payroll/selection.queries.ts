import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import {
  closing_people,
  closings,
  employees,
  isActiveClosing,
  isOneOf,
  log_events,
  attendance_logs as logs,
  openings,
} from '../core/db/schema.ts'
import { hasAnyStatusAndKind } from '../core/db/shared-expressions.ts'
import { waitForOtherRequests } from '../core/event-loop.ts'
import { LOG_KINDS, LOG_STATUSES } from '../core/log-values.ts'
import { selectPaidRules, selectPaidRulesOf } from './hour-rules.queries.ts'

/** Selects everyone unless a group or a person is given. */
export interface Selection {
  payroll_group: string | null
  employee_id: string | null
}

interface SelectionParams extends Selection {
  /** The first day that the closing does not pay. */
  before: string
  /** Skips people without an opening who left before this day. */
  earliestOpening: string
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

const openingOf = (employee: SQL, column: SQL) => sql`(SELECT ${column} FROM ${openings}
  WHERE ${openings.employee_id} = ${employee} ORDER BY ${openings.id} DESC LIMIT 1)`

/** Sorts after every moment. */
const NEVER = sql.raw(`':'`)

/** The time of the first log. Each combination of status and kind takes one index seek. */
const firstLogOf = (employee: SQL) => {
  const firsts = LOG_STATUSES.flatMap((status) =>
    LOG_KINDS.map(
      (kind) => sql`coalesce((SELECT min(recorded_at) FROM ${logs} WHERE employee_id = ${employee}
        AND status = ${sql.raw(`'${status}'`)} AND kind = ${sql.raw(`'${kind}'`)}), ${NEVER})`,
    ),
  )
  return sql`nullif(min(${sql.join(firsts, sql`, `)}), ${NEVER})`
}

const isSelected = (p: Params<Selection>) => sql`(${p.employee_id} IS NULL
    OR ${employees.employee_id} = ${p.employee_id})
  AND (${p.payroll_group} IS NULL OR ${employees.payroll_group} = ${p.payroll_group})`

/**
 * True if a closing of the person was cancelled, or the opening was moved to an earlier day, since
 * the last closing. Then every day is compared again. `cancelled_after` is the id of the newest
 * closing at the time of the cancellation. `closings_before` is the id of the newest closing at the
 * time of the new opening.
 */
const comparesAll = sql`(EXISTS (
    SELECT 1 FROM cancelled CROSS JOIN ${closing_people} AS closed ON closed.closing_id = cancelled.id
    WHERE closed.employee_id = selected.employee_id AND cancelled.cancelled_after >= last_closing.id)
  OR ${openingOf(sql`selected.employee_id`, sql`closings_before`)} >= last_closing.id)`

/** The oldest time of the logs that arrived or were decided since the last closing. */
const oldestChangedAt = sql`(SELECT min(recorded_at) FROM ${log_events} AS event
  WHERE event.employee_id = selected.employee_id AND event.id > last_closing.last_event_id)`

/**
 * The times of pending logs from a day before the opening to a day after `before`, which is enough
 * for any zone. `pendingTotals` counts exactly.
 */
const pendingOf = (p: Params<SelectionParams>) => sql`(SELECT json_group_array(recorded_at)
  FROM ${logs} INDEXED BY attendance_logs_employee WHERE employee_id = selected.employee_id
    AND status = 'pending' AND ${isOneOf(logs.kind, LOG_KINDS)}
    AND recorded_at >= coalesce(date(selected.opening, '-1 day'), '')
    AND recorded_at < date(${p.before}, '+1 day'))`

/**
 * Whether the closing may select the person. For people without an opening, the first and the last
 * day of work decide. Of the people with an opening, the closing may select those who had not left
 * before the end of their last closing. It may also select leavers who have a changed or later log,
 * or whose days are all compared again.
 */
const isSelectable = (p: Params<SelectionParams>) => sql`CASE
  WHEN person.opening IS NULL THEN person.started_at < ${p.before}
    AND (person.ended_at IS NULL OR person.ended_at >= ${p.earliestOpening})
  WHEN person.closed_before IS NULL OR person.ended_at IS NULL OR person.ended_at >= person.closed_before
    THEN 1
  ELSE person.oldest_changed_at IS NOT NULL OR person.compares_all OR EXISTS (
    SELECT 1 FROM ${closing_people} AS closed CROSS JOIN ${logs} INDEXED BY attendance_logs_employee
      ON ${logs}.employee_id = closed.employee_id AND ${logs}.recorded_at >= closed.lock_at
    WHERE closed.closing_id = person.last_closing_id AND closed.employee_id = person.employee_id
      AND ${hasAnyStatusAndKind}) END`

const selectCandidates = prepare((p: Params<SelectionParams>) =>
  qb
    .select({
      employee_id: sql<string>`employee_id`.as('employee_id'),
      payroll_group: sql<string>`payroll_group`.as('payroll_group'),
      branch_office: sql<string>`branch_office`.as('branch_office'),
      opening: sql<string | null>`opening`.as('opening'),
      first_log_at: sql<string | null>`first_log_at`.as('first_log_at'),
      started_at: sql<string>`started_at`.as('started_at'),
      ended_at: sql<string | null>`ended_at`.as('ended_at'),
      /** The `before` of the person's last active closing. */
      closed_before: sql<string | null>`closed_before`.as('closed_before'),
      oldest_changed_at: sql<string | null>`oldest_changed_at`.as('oldest_changed_at'),
      compares_all: sql`coalesce(compares_all, 0)`.mapWith(Boolean).as('compares_all'),
      pending: sql<string[]>`pending`.mapWith(JSON.parse).as('pending'),
    })
    .from(
      sql`(WITH cancelled AS MATERIALIZED (SELECT id, cancelled_after FROM ${closings}
          WHERE cancelled_at IS NOT NULL)
        SELECT selected.*, last_closing.before AS closed_before, ${oldestChangedAt} AS oldest_changed_at,
          ${comparesAll} AS compares_all, ${pendingOf(p)} AS pending,
          iif(selected.opening IS NULL, ${firstLogOf(sql`selected.employee_id`)}, NULL) AS first_log_at
        FROM (SELECT ${employees.employee_id} AS employee_id, ${employees.started_at} AS started_at,
            ${employees.payroll_group} AS payroll_group,
            ${employees.branch_office} AS branch_office,
            ${employees.ended_at} AS ended_at,
            ${openingOf(sql`${employees.employee_id}`, sql`first_day`)} AS opening,
            ${lastClosingOf(sql`${employees.employee_id}`)} AS last_closing_id
          FROM ${employees} WHERE ${isSelected(p)} AND ${employees.employee_id} > ${p.after}
          ORDER BY ${employees.employee_id} LIMIT ${p.limit}) AS selected
        LEFT JOIN ${closings} AS last_closing ON last_closing.id = selected.last_closing_id) AS person`,
    )
    .where(isSelectable(p))
    .orderBy(sql`employee_id`),
)

const selectLast = prepare((p: Params<SelectionParams>) =>
  qb.select({ employee_id: sql<string | null>`max(employee_id)`.as('last_employee_id') }).from(
    sql`(SELECT ${employees.employee_id} AS employee_id FROM ${employees}
        WHERE ${isSelected(p)} AND ${employees.employee_id} > ${p.after}
        ORDER BY ${employees.employee_id} LIMIT ${p.limit})`,
  ),
)

const countSelected = prepare((p: Params<Selection>) =>
  qb
    .select({ people: sql<number>`count(*)`.as('people') })
    .from(employees)
    .where(isSelected(p)),
)

/** The number of selected employees, and the rules of all active closings. */
export const readSelection = async (db: AuthorizedDb, selection: Selection) => {
  const { counted, paidRules } = await db.batchOfAllBranches({
    counted: first(countSelected(selection)),
    paidRules: selectPaidRules({}),
  })
  return { people: counted?.people ?? 0, paidRules }
}

const selectPaidRulesOfSelected = prepare((p: Params<Selection>) =>
  selectPaidRulesOf(isSelected(p)),
)

/** The rules of the active closings that have paid any of the selected people. */
export const readPaidRules = async (db: AuthorizedDb, selection: Selection) =>
  (await db.batchOfAllBranches({ rules: selectPaidRulesOfSelected({ ...selection }) })).rules

export type ClosingCandidate = Awaited<ReturnType<typeof listClosingCandidates>>[number]

/** The number of employees per query. Each employee takes about twenty index seeks. */
const PAGE = 250

/** The people that a closing may select, by employee id. */
export const listClosingCandidates = async (
  db: AuthorizedDb,
  selection: Selection & { before: string; earliestOpening: string },
) => {
  const rows = []
  for (let after = ''; ; ) {
    const values = { ...selection, after, limit: PAGE }
    const { page, last } = await db.batchOfAllBranches({
      page: selectCandidates(values),
      last: first(selectLast(values)),
    })
    rows.push(...page)
    if (last?.employee_id == null) return rows
    after = last.employee_id
    await waitForOtherRequests()
  }
}
