import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import {
  first,
  insertSelect,
  type Params,
  prepare,
  qb,
  type Results,
  type Statement,
} from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { employees, log_comments, attendance_logs as logs, randomSalt } from '../core/db/schema.ts'
import type { Scope } from '../core/db/scope.ts'
import { isRequest, ownEmployeeId } from '../core/db/shared-expressions.ts'
import type { LogKind } from '../core/log-values.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { isAfterLastDay, lastServiceId, localDays, logOfSecond } from './intake.queries.ts'

/** Logs that people add with a comment. They add logs by hand, or ask for a log of their own. */

export interface AddedLog {
  client_id: string
  kind: LogKind
  /** UTC with milliseconds. */
  recorded_at: string
  comment: string
}

export interface ManualLog extends AddedLog {
  employee_id: string
}

interface Values extends AddedLog {
  source: string
  /** Null for the caller's own employee. */
  employee_id: string | null
  user_id: number
  at: string
}

const employeeOf = (p: Params<Values>) => sql`coalesce(${p.employee_id}, ${ownEmployeeId(p)})`

/** The stored log with the same source and `client_id`, or the same employee, kind and second. */
const storedId = (p: Params<Values>) => sql`coalesce(
  (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = ${p.client_id}),
  ${logOfSecond(employeeOf(p), p.kind, p.recorded_at)})`

const requireAddable = prepare(
  (p: Params<Values & { employee_id: string; forbid_self_approval: number; scope: Scope }>) =>
    raiseIf(
      [sql`${p.forbid_self_approval} AND ${p.employee_id} = ${ownEmployeeId(p)}`, 'OWN_LOG'],
      [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
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
    [
      sql`${storedId(p)} IS NULL AND EXISTS (SELECT 1 FROM ${employees} AS e
        WHERE e.employee_id = ${ownEmployeeId(p)} AND ${isAfterLastDay(p)})`,
      'REQUEST_AFTER_END',
    ],
    [sql`${storedId(p)} IS NULL AND ${hasPendingRequests(p)}`, 'TOO_MANY_REQUESTED'],
  ),
)

const selectStored = prepare((p: Params<Values>) =>
  qb.select({ log_id: sql<number | null>`${storedId(p)}`.as('log_id') }).from(sql`(SELECT 1)`),
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
    sql`WHERE ${storedId(p)} IS NULL`,
  ),
)

const insertLog = prepare((p: Params<Values>) =>
  insertSelect(
    logs,
    {
      id: sql`${lastServiceId} + 1`,
      employee_id: sql`employee_id`,
      kind: p.kind,
      recorded_at: p.recorded_at,
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
    sql`FROM ${employees} WHERE employee_id = ${employeeOf(p)} AND ${storedId(p)} IS NULL`,
  ).returning({ log_id: logs.id }),
)

/**
 * The rule, then the statements that add a log with its comment, unless the log is stored already.
 */
const insertAfter = (check: Statement<unknown>, values: Values) => ({
  check,
  stored: first(selectStored(values)),
  comment: insertComment(values),
  created: first(insertLog(values)),
})

const resultOf = ({ stored, created }: Results<ReturnType<typeof insertAfter>>) =>
  created
    ? { log_id: created.log_id, result: 'created' as const }
    : { log_id: stored?.log_id ?? null, result: 'known' as const }

/**
 * Adds a log of any employee within the caller's scope, in one transaction.
 * @throws DomainError OWN_LOG or UNKNOWN_EMPLOYEE
 */
export const saveManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  { forbidSelfApproval, at }: { forbidSelfApproval: boolean; at: string },
) => {
  const user_id = db.claims.userId
  const values = { ...log, source: `manual:${user_id}`, user_id, at }
  const forbid_self_approval = forbidSelfApproval ? 1 : 0
  const results = await db.batch((scope) =>
    insertAfter(requireAddable({ ...values, forbid_self_approval, scope }), values),
  )
  return resultOf(results)
}

/**
 * Adds a log of the caller's own employee, whatever the caller's scope, in one transaction.
 * @throws DomainError NO_EMPLOYEE, REQUEST_AFTER_END or TOO_MANY_REQUESTED
 */
export const saveRequest = async (db: AuthorizedDb, log: AddedLog, at: string) => {
  const user_id = db.claims.userId
  const values = { ...log, source: `request:${user_id}`, employee_id: null, user_id, at }
  const results = await db.batch((_, zones) => {
    const days = localDays(log.recorded_at, zones)
    return insertAfter(requireRequestable({ ...values, days }), values)
  })
  return resultOf(results)
}
