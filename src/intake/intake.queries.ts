import { type AnyColumn, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { requireOwnEmployee } from '../core/db/own-employee.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isOneOf } from '../core/tables/columns.ts'
import { employee_sources, intake_problems, intake_sources } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { FIRST_SERVICE_ID, LOG_STATUSES, type LogKind } from '../core/values/log-values.ts'
import { DAY_MS, localAt, localDay, type Zones } from '../core/values/time-zone.ts'
import { requireSource } from '../logs/own-sources.queries.ts'
import { employeeIdKey } from '../people/employees.queries.ts'

/**
 * Why a log is not stored. `invalid`, `future` and `too_old` are found before the database is read,
 * but the detail `forbidden_id` of `invalid` by the query.
 */
export type Refusal = 'invalid' | 'future' | 'too_old' | 'unknown_employee' | 'other_branch'

/** The name of a field is the detail of `invalid`, and `near:` with an id of `unknown_employee`. */
export type RefusalDetail = 'forbidden_id' | 'ended' | 'clock' | FieldName | `near:${string}`

/** The id in a detail that begins with `near:`. Null in any other detail. */
export const nearOf = (detail: string | null): string | null =>
  detail?.startsWith('near:') ? detail.slice('near:'.length) : null

/** A log of a request. An invalid log has only its ids, or no ids if these cannot be read. */
export interface SentLog {
  source_id: string | null
  /** The log's id in the legacy API. */
  log_id: number | null
  /** Null in an invalid log, and if the log is for the caller's own employee. */
  employee_id: string | null
  kind: LogKind | null
  /** UTC with milliseconds. */
  recorded_at: string | null
  /** The offset that was sent with the time, such as `-06:00`. Null for `Z`. */
  offset: string | null
  /** What is wrong with an invalid log: the first wrong field, or the phone's clock. */
  wrong: FieldName | 'clock' | null
}

type FieldName = keyof Omit<SentLog, 'wrong' | 'offset'>

/** A sent log with the reason to refuse it, if that is known before the database is queried. */
export interface CheckedLog extends SentLog {
  reason: Refusal | null
}

/** The fields of an item, in the order in which they are passed to statements. */
const ITEM_FIELDS = [
  ...(['source_id', 'log_id', 'employee_id', 'kind', 'recorded_at'] as const),
  ...(['wrong', 'reason'] as const),
]

interface Items {
  /** The result of `toJson`. */
  items: string
  source: string
  /** Null for a clock that sends its punches by itself. */
  user_id: number | null
  /** The user whose employee is used for items without an employee. Null if every item has one. */
  employee_of: number | null
  /** Employees of other branches are refused. Null for all branches. */
  scope: Scope
  /**
   * The log's local day in each branch, as a JSON list of `[branch, day]`. The branch '' stands for
   * every branch without a zone of its own. Logs after an employee's last day are refused, unless
   * this list is null.
   */
  days: string | null
}

/**
 * Writes items as a JSON list, in the order sent. Each item is a list of its values, because SQLite
 * reads a position faster than a name, and every statement of a call reads all items.
 */
const toJson = (items: readonly CheckedLog[]): string =>
  JSON.stringify(items.map((item) => ITEM_FIELDS.map((name) => item[name])))

const ownEmployee = (p: Params<Items>) =>
  sql`(SELECT ${users.employee_id} FROM ${users} WHERE ${users.id} = ${p.employee_of})`

// Without the LIMIT, SQLite parses the JSON again each time that a statement uses a field.
const rowsOf = (items: SQL, p: Params<Items>) => {
  const fields = ITEM_FIELDS.map((name, index) => {
    const value = sql.raw(`value ->> ${index}`)
    const field = name === 'employee_id' ? sql`coalesce(${value}, ${ownEmployee(p)})` : value
    return sql`${field} AS ${sql.raw(name)}`
  })
  return sql`(SELECT key, ${sql.join(fields, sql`, `)} FROM json_each(${items}) LIMIT -1) AS item`
}

/**
 * All items, or none if `insertItems` has inserted all of them. `changes()` counts the rows of the
 * last write, so only reads may stand between the two statements.
 */
const unlessAllInserted = (p: Params<Items>) =>
  sql`iif(changes() < json_array_length(${p.items}), ${p.items}, '[]')`

/** The id of the stored log with the item's `log_id`, or with the same source and `source_id`. */
const sameId = (p: Params<Pick<Items, 'source'>>) => sql`CASE WHEN item.log_id IS NULL
  THEN (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = item.source_id)
  ELSE (SELECT id FROM ${logs} WHERE id = item.log_id) END`

/** The id of a stored log with this employee, kind and second. Each status is one index range. */
export const logOfSecond = (employee_id: SQL, kind: SQL, recorded_at: SQL) =>
  sql`(SELECT ${logs.id} FROM ${logs} INDEXED BY attendance_logs_employee
    WHERE ${logs.employee_id} = ${employee_id} AND ${isOneOf(logs.status, LOG_STATUSES)}
      AND ${logs.kind} = ${kind} AND ${logs.recorded_at} BETWEEN substr(${recorded_at}, 1, 20) || '000Z'
        AND substr(${recorded_at}, 1, 20) || '999Z' LIMIT 1)`

/**
 * Whether an item has a `log_id` that the caller may not send. Callers limited to sources or
 * branches may not send any, because the id could be of another person's log in the legacy
 * database.
 */
const hasForbiddenId = (p: Params<Items>) => sql`(item.log_id IS NOT NULL
  AND (${p.scope} IS NOT NULL OR EXISTS (SELECT 1 FROM ${users}
    WHERE ${users.id} = ${p.user_id} AND ${users.sources} IS NOT NULL)))`

/** The value of a branch in a JSON list of `[branch, value]`. The branch '' stands for the others. */
export const ofBranch = (list: SQLWrapper, branch: SQLWrapper) =>
  sql`(SELECT value ->> 1 FROM json_each(${list})
    WHERE value ->> 0 IN (${branch}, '') ORDER BY value ->> 0 DESC LIMIT 1)`

/** Whether the day of the log is after the last day of the employee `e`. Not if `days` is null. */
export const isAfterLastDay = (p: Params<Pick<Items, 'days'>>) => sql`(${p.days} IS NOT NULL
  AND coalesce(e.ended_at < ${ofBranch(p.days, sql`e.branch_office`)}, 0))`

/**
 * Names the employee within the scope whose id resembles the item's unknown one. With the LIMIT,
 * SQLite makes the keys of all employees once, and only if there is an unknown employee.
 */
const nearEmployee = (p: Params<Items>) => sql`(SELECT 'near:' || min(near.employee_id)
  FROM (SELECT employee_id, ${employeeIdKey(sql`employee_id`)} AS id_key FROM ${employees}
    WHERE ${isInScope(sql`branch_office`, p.scope)} LIMIT -1) AS near
  WHERE near.id_key = ${employeeIdKey(sql`item.employee_id`)})`

const sameSecond = logOfSecond(sql`item.employee_id`, sql`item.kind`, sql`item.recorded_at`)

/** The newest id that this service has assigned, or the number before the first id it assigns. */
export const lastServiceId = sql`max(${sql.raw(String(FIRST_SERVICE_ID - 1))},
  coalesce((SELECT max(id) FROM ${logs}), 0))`

/**
 * Inserts the items that are not stored yet. Among items with the same id, or the same employee,
 * kind and second, it inserts only the first item, because SQLite takes a group's columns from the
 * row of `min(key)`.
 */
const insertItems = prepare((p: Params<Items & { at: string }>) =>
  insertSelect(
    logs,
    {
      id: sql`coalesce(log_id,
        ${lastServiceId} + row_number() OVER (PARTITION BY log_id IS NULL ORDER BY key))`,
      employee_id: sql`employee_id`,
      kind: sql`kind`,
      recorded_at: sql`recorded_at`,
      status: sql`'pending'`,
      source: p.source,
      source_id: sql`source_id`,
      branch_office: sql`branch_office`,
      department: sql`department`,
      recorded_by: p.user_id,
      comment_id: null,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM (SELECT *, min(key) FROM (
        SELECT item.*, e.branch_office, e.department, min(item.key)
        FROM ${rowsOf(p.items, p)} JOIN ${employees} AS e ON e.employee_id = item.employee_id
        WHERE item.reason IS NULL AND ${isInScope(sql`e.branch_office`, p.scope)}
          AND NOT ${hasForbiddenId(p)} AND NOT ${isAfterLastDay(p)}
          AND ${sameId(p)} IS NULL AND ${sameSecond} IS NULL
        GROUP BY item.log_id, item.source_id)
      GROUP BY employee_id, kind, substr(recorded_at, 1, 19)) ORDER BY key`,
  ).returning({ log_id: logs.id }),
)

/**
 * The result of each item after the insert: accepted, differs or refused. `accepted_id` is the id
 * of the log with the item's id, employee, kind and time, or else of the log of the same second. An
 * item that is stored already is accepted even if its time is too old or in the future, because the
 * log may have been imported. `same_second_id` is computed only if the log with the item's id has
 * other facts, or does not exist.
 */
const outcomes = (items: SQL, p: Params<Items>) => sql`(SELECT *,
    CASE WHEN refusal NOT IN ('future', 'too_old') OR NOT in_scope THEN 'refused'
      WHEN same_facts OR same_second_id IS NOT NULL THEN 'accepted'
      WHEN refusal IS NOT NULL THEN 'refused' ELSE 'differs' END AS result,
    iif(same_facts, stored_id, same_second_id) AS accepted_id
  FROM (SELECT item.*, stored.id AS stored_id, e.branch_office AS branch_office,
      stored.employee_id = item.employee_id AND stored.kind = item.kind
        AND stored.recorded_at = item.recorded_at AS same_facts,
      CASE WHEN (stored.employee_id, stored.kind, stored.recorded_at)
        IS NOT (item.employee_id, item.kind, item.recorded_at) THEN ${sameSecond} END AS same_second_id,
      CASE WHEN ${hasForbiddenId(p)} THEN 'invalid' WHEN item.reason IS NOT NULL THEN item.reason
        WHEN e.employee_id IS NULL OR ${isAfterLastDay(p)} THEN 'unknown_employee'
        WHEN NOT ${isInScope(sql`e.branch_office`, p.scope)} THEN 'other_branch' END AS refusal,
      CASE WHEN ${hasForbiddenId(p)} THEN 'forbidden_id'
        WHEN item.reason IS NOT NULL THEN item.wrong WHEN ${isAfterLastDay(p)} THEN 'ended'
        WHEN e.employee_id IS NULL THEN ${nearEmployee(p)} END AS detail,
      ${isInScope(sql`e.branch_office`, p.scope)} AS in_scope
    FROM ${rowsOf(items, p)}
    LEFT JOIN ${logs} AS stored ON stored.id = ${sameId(p)}
    LEFT JOIN ${employees} AS e ON e.employee_id = item.employee_id)) AS outcome`

const selectOutcomes = prepare((p: Params<Items>) =>
  qb
    .select({
      result: sql<'accepted' | 'differs' | 'refused'>`result`.as('result'),
      refusal: sql<Refusal | null>`refusal`.as('refusal'),
      detail: sql<RefusalDetail | null>`detail`.as('detail'),
      stored_id: sql<number | null>`stored_id`.as('stored_id'),
      accepted_id: sql<number | null>`accepted_id`.as('accepted_id'),
    })
    .from(outcomes(unlessAllInserted(p), p))
    .orderBy(sql`key`),
)

/** The id of an item as problems store it, or '' if it cannot be read. */
const itemId = sql`coalesce(outcome.source_id, CAST(outcome.log_id AS TEXT), '')`

const keepDismissed = (column: AnyColumn): SQL => sql`CASE
  WHEN (${intake_problems.result}, ${intake_problems.reason}) IS (excluded.result, excluded.reason)
  THEN ${column} END`

/** Adds the count of a problem that occurs again. */
const onRepeated = {
  target: [intake_problems.source, intake_problems.source_id, intake_problems.employee_id],
  set: {
    branch_office: sql`excluded.branch_office`,
    result: sql`excluded.result`,
    reason: sql`excluded.reason`,
    detail: sql`excluded.detail`,
    last_at: sql`excluded.last_at`,
    count: sql`${intake_problems.count} + excluded.count`,
    // A dismissed problem is shown again if its result or reason has changed.
    dismissed_at: keepDismissed(intake_problems.dismissed_at),
    dismissed_reason: keepDismissed(intake_problems.dismissed_reason),
  },
}

const upsertProblems = prepare((p: Params<Items & { at: string }>) =>
  insertSelect(
    intake_problems,
    {
      id: null,
      source: p.source,
      source_id: itemId,
      employee_id: sql`coalesce(outcome.employee_id, '')`,
      branch_office: sql`outcome.branch_office`,
      result: sql`outcome.result`,
      reason: sql`outcome.refusal`,
      first_at: p.at,
      last_at: p.at,
      count: sql`1`,
      dismissed_at: null,
      dismissed_reason: null,
      detail: sql`outcome.detail`,
    },
    sql`FROM ${outcomes(unlessAllInserted(p), p)} WHERE outcome.result <> 'accepted'`,
  ).onConflictDoUpdate(onRepeated),
)

interface Offsets extends Pick<Items, 'source' | 'user_id'> {
  /** The result of `offsetsOf`. */
  offsets: string
  at: string
}

/** The logs of this request that were stored with an offset. `fits` is 0 if their branch has another. */
const storedOffsets = (p: Params<Offsets>) => sql`(SELECT DISTINCT ${logs.id} AS log_id,
    ${logs.employee_id} AS employee_id, ${logs.branch_office} AS branch_office,
    ${ofBranch(sql`item.offsets`, logs.branch_office)} AS fits
  FROM (SELECT value ->> 0 AS source_id, value ->> 1 AS log_id,
      value ->> 2 AS recorded_at, value ->> 3 AS offsets
    FROM json_each(${p.offsets}) LIMIT -1) AS item
  JOIN ${logs} ON ${logs.id} = ${sameId(p)}
  WHERE ${logs.created_at} = ${p.at} AND ${logs.recorded_by} = ${p.user_id}
    AND ${logs.recorded_at} = item.recorded_at)`

/** Deletes the open problem of an employee's offset once all logs of a request have a right one. */
const deleteOtherZone = prepare((p: Params<Offsets>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.source_id} = '' AND ${intake_problems.reason} = 'otra_zona'
    AND ${intake_problems.dismissed_at} IS NULL AND ${intake_problems.employee_id} IN (
      SELECT employee_id FROM ${storedOffsets(p)} GROUP BY employee_id HAVING min(fits))`),
)

/** Stores one problem for each employee with a log whose offset the branch does not have then. */
const upsertOtherZone = prepare((p: Params<Offsets>) =>
  insertSelect(
    intake_problems,
    {
      id: null,
      source: p.source,
      source_id: sql`''`,
      employee_id: sql`employee_id`,
      branch_office: sql`branch_office`,
      result: sql`'created'`,
      reason: sql`'otra_zona'`,
      first_at: p.at,
      last_at: p.at,
      count: sql`count(*)`,
      dismissed_at: null,
      dismissed_reason: null,
      detail: null,
    },
    sql`FROM ${storedOffsets(p)} WHERE NOT fits GROUP BY employee_id`,
  ).onConflictDoUpdate(onRepeated),
)

/**
 * Deletes the problems of ids whose items were all accepted. An accepted item does not solve the
 * problem of another item with the same id. With the +, SQLite does not compute the outcomes if the
 * source has no problems.
 */
const deleteSolved = prepare((p: Params<Items>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.dismissed_at} IS NULL
    AND +${intake_problems.source_id} IN (SELECT ${itemId} AS id FROM ${outcomes(p.items, p)}
      GROUP BY id HAVING min(outcome.result = 'accepted'))`),
)

/** The maximum number of open problems that are stored for one source. */
const PROBLEMS_MAX = 1_000

/**
 * Deletes open problems that are too old. If there are more than the maximum, it deletes the newest
 * of them, so that new problems never displace older problems.
 */
export const pruneProblems = prepare((p: Params<{ source: string; oldest: string }>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.dismissed_at} IS NULL
    AND (${intake_problems.last_at} < ${p.oldest} OR ${intake_problems.id} IN (
      SELECT id FROM ${intake_problems}
      WHERE source = ${p.source} AND dismissed_at IS NULL AND last_at >= ${p.oldest}
      ORDER BY id LIMIT -1 OFFSET ${sql.raw(String(PROBLEMS_MAX))}))`),
)

export const upsertSource = prepare(
  (p: Params<{ source: string; complete_until: string | null; at: string }>) =>
    qb
      .insert(intake_sources)
      .values({ source: p.source, complete_until: p.complete_until, last_seen_at: p.at })
      .onConflictDoUpdate({
        target: intake_sources.source,
        set: {
          // The later of the stored and the sent moment. Both have the same format, so they can be
          // compared as texts.
          complete_until: sql`nullif(max(coalesce(${intake_sources.complete_until}, ''),
            coalesce(excluded.complete_until, '')), '')`,
          last_seen_at: sql`excluded.last_seen_at`,
          retired_at: null,
        },
      }),
)

const upsertEmployeeSources = prepare((p: Params<Items>) =>
  insertSelect(
    employee_sources,
    {
      employee_id: sql`e.employee_id`,
      source: p.source,
      last_recorded_at: sql`max(item.recorded_at)`,
    },
    sql`FROM ${rowsOf(p.items, p)} JOIN ${employees} AS e ON e.employee_id = item.employee_id
      WHERE item.reason IS NULL AND ${isInScope(sql`e.branch_office`, p.scope)}
        AND NOT ${hasForbiddenId(p)} AND NOT ${isAfterLastDay(p)}
      GROUP BY e.employee_id`,
  ).onConflictDoUpdate({
    target: [employee_sources.employee_id, employee_sources.source],
    set: {
      last_recorded_at: sql`max(${employee_sources.last_recorded_at}, excluded.last_recorded_at)`,
    },
  }),
)

/** Open problems are kept for 90 days after they last occurred. */
const PROBLEM_MS = 90 * DAY_MS

/**
 * The items with an offset, as a JSON list of `[source_id, log_id, recorded_at, [[branch, fits], …]]`.
 * `fits` is 1 if the branch has this offset at that moment. The branch '' stands for every branch
 * without a zone of its own.
 */
const offsetsOf = (items: readonly CheckedLog[], zones: Zones): string =>
  JSON.stringify(
    items.flatMap(({ source_id, log_id, recorded_at, offset, reason }) => {
      if (reason !== null || offset === null || recorded_at === null) return []
      const fits = (branch: string) => Number(localAt(recorded_at, branch, zones).endsWith(offset))
      return [
        [
          source_id,
          log_id,
          recorded_at,
          ['', ...zones.branches].map((branch) => [branch, fits(branch)]),
        ],
      ]
    }),
  )

interface Intake {
  source: string
  items: readonly CheckedLog[]
  completeUntil: string | null
  at: Date
}

/**
 * Stores the new logs of a source in one transaction. Returns their ids and each item's outcome, or
 * no outcomes if all items are new.
 * @throws DomainError FOREIGN_SOURCE
 */
export const saveIntake = async (
  db: AuthorizedDb,
  { source, items, completeUntil, at: now }: Intake,
) => {
  const at = now.toISOString()
  const user_id = db.claims.userId
  const sent = { items: toJson(items), source, user_id, employee_of: null, at, days: null }
  const sourceAllowed = requireSource({ user_id, source })
  const sourceSeen = upsertSource({ source, complete_until: completeUntil, at })
  if (items.length === 0) {
    await db.batchOfAllBranches({ sourceAllowed, sourceSeen })
    return { created: [], outcomes: [] }
  }
  const oldest = new Date(now.getTime() - PROBLEM_MS).toISOString()
  const { created, outcomes } = await db.batch((scope, zones) => {
    const values = { ...sent, scope }
    const offsets = { source, user_id, at, offsets: offsetsOf(items, zones) }
    return {
      sourceAllowed,
      created: insertItems(values),
      outcomes: selectOutcomes(values),
      problems: upsertProblems(values),
      solved: deleteSolved(values),
      otherZoneSolved: deleteOtherZone(offsets),
      otherZone: upsertOtherZone(offsets),
      pruned: pruneProblems({ source, oldest }),
      sourceSeen,
      employeeSources: upsertEmployeeSources(values),
    }
  })
  return { created: created.map(({ log_id }) => log_id), outcomes }
}

/**
 * A value for each branch with a zone of its own, and for all other branches, as the JSON list that
 * `ofBranch` reads.
 */
export const byBranch = (of: (branch: string) => string | null, zones: Zones): string =>
  JSON.stringify(['', ...zones.branches].map((branch) => [branch, of(branch)]))

/**
 * Stores a log of the caller's own employee in one transaction. A log after the employee's last day
 * is refused.
 * @throws DomainError NO_EMPLOYEE
 */
export const saveOwnLog = async (
  db: AuthorizedDb,
  item: CheckedLog & { recorded_at: string },
  now: Date,
) => {
  const user_id = db.claims.userId
  const source = `app:${user_id}`
  const at = now.toISOString()
  const sent = { items: toJson([item]), source, user_id, employee_of: user_id, at, scope: null }
  // The caller's scope does not matter for the caller's own employee.
  const { created, outcomes } = await db.batch((_, zones) => {
    const values = {
      ...sent,
      days: byBranch((branch) => localDay(item.recorded_at, branch, zones), zones),
    }
    return {
      check: requireOwnEmployee({ user_id }),
      created: insertItems(values),
      outcomes: selectOutcomes(values),
      employeeSources: upsertEmployeeSources(values),
    }
  })
  return { created: created.map(({ log_id }) => log_id), outcomes }
}

export type ItemOutcome = Awaited<ReturnType<typeof saveIntake>>['outcomes'][number]

interface AssignedLog {
  source_id: string
  employee_id: string
  kind: LogKind
  recorded_at: string
}

interface AssignedLogs {
  source: string
  logs: readonly AssignedLog[]
  /** Null for a clock that sends its punches by itself. */
  user_id: number | null
  at: string
}

/**
 * The statements that store logs whose employees and times have been judged already. A log that is
 * stored, or that has the employee, kind and second of a stored one, is left out.
 */
export const insertAssignedLogs = ({ source, logs, user_id, at }: AssignedLogs) => {
  const judged = { log_id: null, offset: null, wrong: null, reason: null }
  const items = toJson(logs.map((log) => ({ ...log, ...judged })))
  const values = { items, source, user_id, employee_of: null, scope: null, days: null, at }
  return { created: insertItems(values), employeeSources: upsertEmployeeSources(values) }
}
