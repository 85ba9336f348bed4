import { type SQL, sql } from 'drizzle-orm'
import {
  type Expression,
  expression,
  fieldsOf,
  insertSelect,
  type Params,
  prepare,
  qb,
} from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { columns, number, orNull, word } from '../core/db/text-query.ts'
import { isOneOf } from '../core/tables/columns.ts'
import { employee_sources } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { FIRST_SERVICE_ID, LOG_STATUSES, type LogKind } from '../core/values/log-values.ts'
import type { Zones } from '../core/values/time-zone.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import type { CheckedLog, Refusal, RefusalDetail } from './outcome.ts'

/** Stores the logs of a request, the items, and says what the database has of each. */

export interface Items {
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
  at: string
}

/**
 * Writes items as a JSON list, in the order sent. Each item is a list of its values, because SQLite
 * reads a position faster than a name, and every statement of a call reads all items.
 */
export const toJson = (items: readonly CheckedLog[]): string =>
  JSON.stringify(
    items.map(({ source_id, log_id, employee_id, kind, recorded_at, wrong, reason }) => [
      ...[source_id, log_id, employee_id, kind, recorded_at, wrong, reason],
    ]),
  )

// Without the LIMIT, SQLite parses the JSON again each time that a statement uses a field.
const rowsOf = (items: SQL, p: Params<Items>) => sql`(SELECT key, value ->> 0 AS source_id,
    value ->> 1 AS log_id, coalesce(value ->> 2,
      (SELECT employee_id FROM ${users} WHERE id = ${p.employee_of})) AS employee_id,
    value ->> 3 AS kind, value ->> 4 AS recorded_at, value ->> 5 AS wrong, value ->> 6 AS reason
  FROM json_each(${items}) LIMIT -1) AS item`

/** The id of the stored log with the item's `log_id`, or with the same source and `source_id`. */
export const sameId = (p: Params<Pick<Items, 'source'>>) => sql`CASE WHEN item.log_id IS NULL
  THEN (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = item.source_id)
  ELSE (SELECT id FROM ${logs} WHERE id = item.log_id) END`

/** The id of a stored log with this employee, kind and second. Each status is one index range. */
export const logOfSecond = (employee_id: Expression, kind: Expression, recorded_at: Expression) =>
  sql`(SELECT ${logs.id} FROM ${logs} INDEXED BY attendance_logs_employee
    WHERE ${logs.employee_id} = ${expression(employee_id)} AND ${isOneOf(logs.status, LOG_STATUSES)}
      AND ${logs.kind} = ${expression(kind)} AND ${logs.recorded_at} BETWEEN substr(${expression(recorded_at)}, 1, 20) || '000Z'
        AND substr(${expression(recorded_at)}, 1, 20) || '999Z' LIMIT 1)`

const sameSecond = logOfSecond('item.employee_id', 'item.kind', 'item.recorded_at')

/**
 * Whether an item has a `log_id` that the caller may not send. Callers limited to sources or
 * branches may not send any, because the id could be of another person's log in the legacy
 * database.
 */
const hasForbiddenId = (p: Params<Items>) => sql`(item.log_id IS NOT NULL
  AND (${p.scope} IS NOT NULL OR EXISTS (SELECT 1 FROM ${users}
    WHERE ${users.id} = ${p.user_id} AND ${users.sources} IS NOT NULL)))`

/**
 * A value for each branch with a zone of its own, and for all other branches, as the JSON list that
 * `ofBranch` reads.
 */
export const byBranch = (of: (branch: string) => string | null, zones: Zones): string =>
  JSON.stringify(['', ...zones.branches].map((branch) => [branch, of(branch)]))

/** The value of a branch in a JSON list of `[branch, value]`. The branch '' stands for the others. */
export const ofBranch = (list: Expression, branch: Expression) =>
  sql`(SELECT value ->> 1 FROM json_each(${expression(list)})
    WHERE value ->> 0 IN (${expression(branch)}, '') ORDER BY value ->> 0 DESC LIMIT 1)`

/** Whether the day of the log is after the last day of the employee `e`. Not if `days` is null. */
export const isAfterLastDay = (p: Params<Pick<Items, 'days'>>) => sql`(${p.days} IS NOT NULL
  AND coalesce(e.ended_at < ${ofBranch(p.days, 'e.branch_office')}, 0))`

/** The items that may be stored, each with its employee's branch and department. */
const storable = (p: Params<Items>) =>
  sql`(SELECT item.*, e.branch_office, e.department
    FROM ${rowsOf(p.items, p)} JOIN ${employees} AS e ON e.employee_id = item.employee_id
    WHERE item.reason IS NULL AND ${isInScope('e.branch_office', p.scope)}
      AND NOT ${hasForbiddenId(p)} AND NOT ${isAfterLastDay(p)}) AS item`

/** The newest id that this service has assigned, or the number before the first id it assigns. */
export const lastServiceId = sql`max(${sql.raw(String(FIRST_SERVICE_ID - 1))},
  coalesce((SELECT max(id) FROM ${logs}), 0))`

/**
 * Inserts the items that are not stored yet. Among items with the same id, or the same employee,
 * kind and second, it inserts only the first item, because SQLite takes a group's columns from the
 * row of `min(key)`.
 */
const insertItems = prepare((p: Params<Items>) =>
  insertSelect(
    logs,
    {
      id: sql`coalesce(log_id,
        ${lastServiceId} + row_number() OVER (PARTITION BY log_id IS NULL ORDER BY key))`,
      ...fieldsOf('item', 'employee_id', 'kind', 'recorded_at', 'source_id'),
      ...fieldsOf('item', 'branch_office', 'department'),
      status: 'pending',
      source: p.source,
      recorded_by: p.user_id,
      comment_id: null,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM (SELECT *, min(key) FROM (
        SELECT item.*, min(item.key) FROM ${storable(p)}
        WHERE ${sameId(p)} IS NULL AND ${sameSecond} IS NULL
        GROUP BY item.log_id, item.source_id)
      GROUP BY employee_id, kind, substr(recorded_at, 1, 19)) AS item ORDER BY key`,
  ).returning({ log_id: logs.id }),
)

/**
 * Names the employee within the scope whose id resembles the item's unknown one. With the LIMIT,
 * SQLite makes the keys of all employees once, and only if there is an unknown employee.
 */
const nearEmployee = (p: Params<Items>) => sql`(SELECT 'near:' || min(near.employee_id)
  FROM (SELECT employee_id, ${employeeIdKey('employee_id')} AS id_key FROM ${employees}
    WHERE ${isInScope('branch_office', p.scope)} LIMIT -1) AS near
  WHERE near.id_key = ${employeeIdKey('item.employee_id')})`

/**
 * The `ItemFacts` of each item after the insert, which `outcomeOf` turns into a word. SQLite computes
 * the log of the same second only if the log with the item's id says something else, or is missing.
 */
export const factsOf = (items: SQL, p: Params<Items>) => sql`(
  WITH found AS (
    SELECT item.*, stored.id AS stored_id, e.branch_office,
      (stored.employee_id, stored.kind, stored.recorded_at)
        IS (item.employee_id, item.kind, item.recorded_at) AS says_the_same,
      ${hasForbiddenId(p)} AS has_forbidden_id, e.employee_id IS NULL AS is_unknown,
      ${isAfterLastDay(p)} AS has_ended, ${isInScope('e.branch_office', p.scope)} AS is_in_scope
    FROM ${rowsOf(items, p)} LEFT JOIN ${logs} AS stored ON stored.id = ${sameId(p)}
      LEFT JOIN ${employees} AS e ON e.employee_id = item.employee_id),
  refused AS (
    SELECT *,
      CASE WHEN has_forbidden_id THEN 'invalid' WHEN reason IS NOT NULL THEN reason
        WHEN is_unknown OR has_ended THEN 'unknown_employee'
        WHEN NOT is_in_scope THEN 'other_branch' END AS refusal,
      CASE WHEN has_forbidden_id THEN 'forbidden_id' WHEN reason IS NOT NULL THEN wrong
        WHEN has_ended THEN 'ended' WHEN is_unknown THEN ${nearEmployee(p)} END AS detail
    FROM found AS item)
  SELECT *, iif(is_in_scope AND coalesce(refusal, 'future') IN ('future', 'too_old'),
    iif(says_the_same, stored_id, ${sameSecond}), NULL) AS accepted_id
  FROM refused AS item) AS item`

/**
 * All items, or none if `insertItems` has inserted all of them. `changes()` counts the rows of the
 * last write, so no other write may stand between `insertItems` and the statements that ask.
 */
export const unlessAllInserted = (p: Params<Items>) =>
  sql`iif(changes() < json_array_length(${p.items}), ${p.items}, '[]')`

const itemFacts = columns({
  stored_id: orNull(number),
  accepted_id: orNull(number),
  refusal: orNull(word<Refusal>()),
  detail: orNull(word<RefusalDetail>()),
})

const selectFacts = prepare((p: Params<Items>) =>
  qb
    .select(itemFacts)
    .from(factsOf(unlessAllInserted(p), p))
    .orderBy(sql`key`),
)

/** The statements that insert new items and read the facts of all, or no facts if all are new. */
export const itemStatements = (values: Items) => ({
  created: insertItems(values),
  facts: selectFacts(values),
})

/** Remembers which sources have sent logs of the employees, and the newest one. */
export const upsertEmployeeSources = prepare((p: Params<Items>) =>
  insertSelect(
    employee_sources,
    {
      ...fieldsOf('item', 'employee_id'),
      source: p.source,
      last_recorded_at: sql`max(item.recorded_at)`,
    },
    sql`FROM ${storable(p)} WHERE true GROUP BY item.employee_id`,
  ).onConflictDoUpdate({
    target: [employee_sources.employee_id, employee_sources.source],
    set: {
      last_recorded_at: sql`max(${employee_sources.last_recorded_at}, excluded.last_recorded_at)`,
    },
  }),
)

interface AssignedLogs {
  source: string
  logs: readonly { source_id: string; employee_id: string; kind: LogKind; recorded_at: string }[]
  /** Null for a clock that sends its punches by itself. */
  user_id: number | null
  at: string
}

/**
 * The statements that store logs whose employees and times have been judged already. A log that is
 * stored, or that has the employee, kind and second of a stored one, is left out.
 */
export const assignedLogStatements = ({ source, logs, user_id, at }: AssignedLogs) => {
  const judged = { log_id: null, offset: null, wrong: null, reason: null }
  const items = toJson(logs.map((log) => ({ ...log, ...judged })))
  const values = { items, source, user_id, employee_of: null, scope: null, days: null, at }
  return { created: insertItems(values), employeeSources: upsertEmployeeSources(values) }
}
