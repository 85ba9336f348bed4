import { isNull, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import {
  first,
  firstOrFail,
  type Params,
  prepare,
  qb,
  type Results,
  type Statement,
} from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isBranchUsed, isRequest, ownEmployeeId } from '../core/db/shared-expressions.ts'
import { columns, number, orNull, text } from '../core/db/text-query.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import type { LogKind } from '../core/values/log-values.ts'
import { localDay, type Zones } from '../core/values/time-zone.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { byBranch, isAfterLastDay, logOfSecond, ofBranch } from './items.queries.ts'
import { insertCommented } from './replacements.queries.ts'

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

const isNew = (p: Params<Values>) => isNull(storedId(p))

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
    [isNull(ownEmployeeId(p)), 'NO_EMPLOYEE'],
    [isOfUnknownBranch(p), 'UNKNOWN_BRANCH'],
    [
      sql`${isNew(p)} AND EXISTS (SELECT 1 FROM ${employees} AS e
        WHERE e.employee_id = ${ownEmployeeId(p)} AND ${isAfterLastDay(p)})`,
      'REQUEST_AFTER_END',
    ],
    [sql`${isNew(p)} AND ${hasPendingRequests(p)}`, 'TOO_MANY_REQUESTED'],
  ),
)

/** The log as one row, or no row if it is known, or its time is not accepted. */
const insertNew = (p: Params<Values>) =>
  insertCommented(
    p,
    sql`(SELECT 0 AS key, ${employeeOf(p)} AS employee_id, ${p.kind} AS kind,
      ${instant(p)} AS recorded_at, ${p.client_id} AS source_id
    WHERE ${isNew(p)} AND ${instant(p)} IS NOT NULL)`,
  )

const insertComment = prepare((p: Params<Values>) => insertNew(p).comments)
const insertLog = prepare((p: Params<Values>) => insertNew(p).added)

const addedLog = columns({
  branch_office: text,
  log_id: orNull(number),
  recorded_at: orNull(text),
  log_branch: orNull(text),
})

/** The employee's branch, and the log. Its columns are null if its time was not accepted. */
const selectAdded = prepare((p: Params<Values>) =>
  qb.select(addedLog).from(
    sql`(SELECT e.branch_office, log.id AS log_id, log.recorded_at, log.branch_office AS log_branch
      FROM ${employees} AS e LEFT JOIN ${logs} AS log ON log.id = ${storedId(p)}
      WHERE e.employee_id = ${employeeOf(p)})`,
  ),
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
