import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import {
  first,
  firstOrFail,
  insertSelect,
  type Params,
  prepare,
  qb,
  type Results,
  type Statement,
} from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isBranchUsed, isRequest, ownEmployeeId } from '../core/db/shared-expressions.ts'
import { randomSalt } from '../core/tables/columns.ts'
import { log_comments, attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import type { LogKind } from '../core/values/log-values.ts'
import { localDay, type Zones } from '../core/values/time-zone.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { byBranch, isAfterLastDay, lastServiceId, logOfSecond, ofBranch } from './intake.queries.ts'

/** Logs that people add with a comment. They add logs by hand, or ask for a log of their own. */

export interface AddedLog {
  client_id: string
  kind: LogKind
  /** The branch of the local time that was sent. Null for the employee's, or for an instant. */
  branch_office: string | null
  comment: string
}

/**
 * The time of the log if the employee is in this branch now, in UTC with milliseconds. Null if the
 * time is not accepted.
 */
export type InstantIn = (branch: string, zones: Zones) => string | null

export interface ManualLog extends AddedLog {
  employee_id: string
}

interface Values extends AddedLog {
  source: string
  /** The result of `InstantIn` for each branch, as `ofBranch` reads it. */
  instants: string
  /** Null for the caller's own employee. */
  employee_id: string | null
  user_id: number
  at: string
}

const employeeOf = (p: Params<Values>) => sql`coalesce(${p.employee_id}, ${ownEmployeeId(p)})`

/** The time of the log in UTC. Null if it is not accepted, and then nothing is written. */
const instant = (p: Params<Values>) =>
  ofBranch(
    p.instants,
    sql`(SELECT branch_office FROM ${employees} WHERE employee_id = ${employeeOf(p)})`,
  )

/** The stored log with the same source and `client_id`, or the same employee, kind and second. */
const storedId = (p: Params<Values>) => sql`coalesce(
  (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = ${p.client_id}),
  ${logOfSecond(employeeOf(p), p.kind, instant(p))})`

const isNew = (p: Params<Values>) => sql`${storedId(p)} IS NULL`

/** Whether the log is new, and the branch of its local time is unknown. */
const isOfUnknownBranch = (p: Params<Values>) =>
  sql`${p.branch_office} IS NOT NULL AND ${isNew(p)} AND NOT ${isBranchUsed(p.branch_office)}`

const requireAddable = prepare(
  (p: Params<Values & { employee_id: string; forbid_self_approval: number; scope: Scope }>) =>
    raiseIf(
      [sql`${p.forbid_self_approval} AND ${p.employee_id} = ${ownEmployeeId(p)}`, 'OWN_LOG'],
      [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
      [
        sql`${p.branch_office} IS NOT NULL AND ${isNew(p)}
          AND NOT ${isInScope(p.branch_office, p.scope)}`,
        'BRANCH_OUT_OF_SCOPE',
      ],
      [isOfUnknownBranch(p), 'UNKNOWN_BRANCH'],
    ),
)

/** Whether the employee already has 10 pending requests, the maximum. */
const hasPendingRequests = (p: Params<Values>) => sql`10 <= (SELECT count(*)
  FROM ${logs} INDEXED BY attendance_logs_employee
  WHERE ${logs.employee_id} = ${ownEmployeeId(p)} AND ${logs.status} = 'pending' AND ${isRequest})`

/** Raises unless the caller has an employee and may ask for this log. Any stored log is allowed. */
const requireRequestable = prepare((p: Params<Values & { days: string }>) =>
  raiseIf(
    [sql`${ownEmployeeId(p)} IS NULL`, 'NO_EMPLOYEE'],
    [isOfUnknownBranch(p), 'UNKNOWN_BRANCH'],
    [
      sql`${isNew(p)} AND EXISTS (SELECT 1 FROM ${employees} AS e
        WHERE e.employee_id = ${ownEmployeeId(p)} AND ${isAfterLastDay(p)})`,
      'REQUEST_AFTER_END',
    ],
    [sql`${isNew(p)} AND ${hasPendingRequests(p)}`, 'TOO_MANY_REQUESTED'],
  ),
)

/**
 * Inserts the comment before its log, because the log's first event copies it. The foreign key to
 * the log is checked only at the end of the transaction.
 */
const insertComment = prepare((p: Params<Values>) =>
  insertSelect(
    log_comments,
    {
      id: null,
      log_id: sql`${lastServiceId} + 1`,
      user_id: p.user_id,
      comment: p.comment,
      salt: randomSalt,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`WHERE ${isNew(p)} AND ${instant(p)} IS NOT NULL`,
  ),
)

const insertLog = prepare((p: Params<Values>) =>
  insertSelect(
    logs,
    {
      id: sql`${lastServiceId} + 1`,
      employee_id: sql`employee_id`,
      kind: p.kind,
      recorded_at: instant(p),
      status: sql`'pending'`,
      source: p.source,
      source_id: p.client_id,
      branch_office: sql`branch_office`,
      department: sql`department`,
      recorded_by: p.user_id,
      comment_id: sql`(SELECT max(id) FROM ${log_comments} WHERE log_id = ${lastServiceId} + 1)`,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM ${employees} WHERE employee_id = ${employeeOf(p)} AND ${isNew(p)}
      AND ${instant(p)} IS NOT NULL`,
  ).returning({ log_id: logs.id }),
)

/** The employee's branch, and the log. Its columns are null if its time was not accepted. */
const selectAdded = prepare((p: Params<Values>) =>
  qb
    .select({
      branch_office: employees.branch_office,
      log_id: sql<number | null>`${logs.id}`.as('log_id'),
      recorded_at: sql<string | null>`${logs.recorded_at}`.as('recorded_at'),
      log_branch: sql<string | null>`${logs.branch_office}`.as('log_branch'),
    })
    .from(employees)
    .leftJoin(logs, sql`${logs.id} = ${storedId(p)}`)
    .where(sql`${employees.employee_id} = ${employeeOf(p)}`),
)

/** The values that depend on the zones. `days` has the local days of the instants. */
const timesOf = (instantIn: InstantIn, zones: Zones) => ({
  instants: byBranch((branch) => instantIn(branch, zones), zones),
  days: byBranch((branch) => {
    const instant = instantIn(branch, zones)
    return instant && localDay(instant, branch, zones)
  }, zones),
})

/** The rule, then the statements that add a log with its comment, unless the log is known. */
const insertAfter = (check: Statement<unknown>, values: Values) => ({
  check,
  comment: insertComment(values),
  created: first(insertLog(values)),
  added: firstOrFail(selectAdded(values)),
})

interface StoredLog {
  log_id: number
  recorded_at: string
  branch_office: string
}

/** The employee's branch of now, and the log, unless its time was not accepted. */
const addedOf = ({ created, added }: Results<ReturnType<typeof insertAfter>>) => {
  const { branch_office, log_id, recorded_at, log_branch } = added
  const log: StoredLog | undefined =
    log_id === null || recorded_at === null || log_branch === null
      ? undefined
      : { log_id, recorded_at, branch_office: log_branch }
  return { branch_office, log, isCreated: created !== undefined }
}

/**
 * Adds a log of any employee within the caller's scope, in one transaction.
 * @throws DomainError OWN_LOG, UNKNOWN_EMPLOYEE, BRANCH_OUT_OF_SCOPE or UNKNOWN_BRANCH
 */
export const saveManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  instantIn: InstantIn,
  { forbidSelfApproval, at }: { forbidSelfApproval: boolean; at: string },
) => {
  const user_id = db.claims.userId
  const own = { ...log, source: `manual:${user_id}`, user_id, at }
  const forbid_self_approval = forbidSelfApproval ? 1 : 0
  const results = await db.batch((scope, zones) => {
    const values = { ...own, ...timesOf(instantIn, zones) }
    return insertAfter(requireAddable({ ...values, forbid_self_approval, scope }), values)
  })
  return addedOf(results)
}

/**
 * Adds a log of the caller's own employee, whatever the caller's scope, in one transaction.
 * @throws DomainError NO_EMPLOYEE, UNKNOWN_BRANCH, REQUEST_AFTER_END or TOO_MANY_REQUESTED
 */
export const saveRequest = async (
  db: AuthorizedDb,
  log: AddedLog,
  instantIn: InstantIn,
  at: string,
) => {
  const user_id = db.claims.userId
  const own = { ...log, source: `request:${user_id}`, employee_id: null, user_id, at }
  const results = await db.batch((_, zones) => {
    const values = { ...own, ...timesOf(instantIn, zones) }
    return insertAfter(requireRequestable(values), values)
  })
  return addedOf(results)
}

interface Replacements {
  /** The logs as a JSON list. */
  items: string
  source: string
  comment: string
  user_id: number
  at: string
}

const idOfItem = sql`${lastServiceId} + 1 + given.key`

/** As in `insertComment`, the comments are inserted before their logs. */
const insertItemComments = prepare((p: Params<Replacements>) =>
  insertSelect(
    log_comments,
    {
      id: null,
      log_id: idOfItem,
      user_id: p.user_id,
      comment: p.comment,
      salt: randomSalt,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM json_each(${p.items}) AS given`,
  ),
)

const insertItemLogs = prepare((p: Params<Replacements>) =>
  insertSelect(
    logs,
    {
      id: idOfItem,
      employee_id: sql`e.employee_id`,
      kind: sql`given.value ->> 'kind'`,
      recorded_at: sql`given.value ->> 'recorded_at'`,
      status: sql`'pending'`,
      source: p.source,
      source_id: sql`given.value ->> 'source_id'`,
      branch_office: sql`e.branch_office`,
      department: sql`e.department`,
      recorded_by: p.user_id,
      comment_id: sql`(SELECT max(id) FROM ${log_comments} WHERE log_id = ${idOfItem})`,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM json_each(${p.items}) AS given
      JOIN ${employees} AS e ON e.employee_id = given.value ->> 'employee_id'`,
  ).returning({ log_id: logs.id }),
)

interface Replacement {
  source_id: string
  employee_id: string
  kind: LogKind
  recorded_at: string
}

/**
 * The statements that add logs by hand in place of logs that the same transaction rejects, each with
 * the same comment. The times have been judged already.
 */
export const insertReplacements = (
  replacements: readonly Replacement[],
  { user_id, ...values }: { comment: string; user_id: number; at: string },
) => {
  const items = JSON.stringify(replacements)
  const row = { ...values, items, user_id, source: `manual:${user_id}` }
  return { addedComments: insertItemComments(row), added: insertItemLogs(row) }
}
