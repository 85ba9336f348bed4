import { inArray, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { insertSelect, type Params, prepare, qb, valuesOf } from '../core/db/query.ts'
import { anyRow, idsWhere, listWhere, raise } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isRequest } from '../core/db/shared-expressions.ts'
import { columns, number } from '../core/db/text-query.ts'
import { randomSalt } from '../core/tables/columns.ts'
import { log_comments, log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { users } from '../core/tables/users.ts'
import type { LogStatus } from '../core/values/log-values.ts'
import { isOwnLog, isPaid } from './deciding.queries.ts'

export interface StatusChange {
  status: LogStatus
  comment: string | undefined
  /** If it is given, every log must still have this status. */
  expectedStatus?: LogStatus | undefined
  /**
   * Whether callers are forbidden to change logs of their own employee or logs that they recorded.
   * Callers may never change logs that they requested.
   */
  forbidSelfApproval: boolean
  /** The roles whose users may also decide logs that are paid, with a comment. */
  payRoles: readonly string[]
  /** The time of the change: UTC with milliseconds. */
  at: string
}

interface Given {
  /** A JSON list of the ids of the logs to change, without duplicates. */
  ids: string
}

interface Conditions extends Given {
  user_id: number
  scope: Scope
  /** A JSON list of the roles whose users may decide paid logs. */
  pay_roles: string
  expected_status: LogStatus | null
  forbid_self_approval: number
  has_comment: number
}

const isGiven = (p: Params<Given>) => inArray(logs.id, valuesOf(p.ids))

/** What refuses the change of each given log. A materialized row is computed once. */
const givenLogs = (p: Params<Conditions>) => sql`(
  WITH given AS MATERIALIZED (
    SELECT value AS id, ${logs.status} AS status, ${logs.id} IS NULL AS is_unknown,
      ${isPaid} AS is_paid, ${logs.status} <> ${p.expected_status} AS has_moved,
      (${p.forbid_self_approval} OR ${isRequest}) AND ${isOwnLog(p)} AS is_forbidden
    FROM json_each(${p.ids})
    LEFT JOIN ${logs} ON ${logs.id} = value AND ${isInScope(logs.branch_office, p.scope)}
  )
  SELECT *, is_paid AND NOT ${p.has_comment} AS lacks_comment,
    is_paid AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${p.user_id}
      AND ${users.role} IN ${valuesOf(p.pay_roles)}) AS may_not_pay
  FROM given) AS given`

/**
 * Raises unless all given logs exist within the scope and have the expected status, and the
 * caller is allowed to change the caller's own logs and the paid logs among them. The details of
 * the error are `RefusedLogs`.
 */
const requireChangeable = prepare((p: Params<Conditions>) =>
  qb
    .select({
      rule: raise(
        [anyRow('is_forbidden'), 'OWN_LOG'],
        [anyRow('is_unknown'), 'UNKNOWN_LOG_ID', idsWhere('is_unknown')],
        [
          anyRow('has_moved'),
          'STATUS_MOVED',
          sql`json_object('ids', ${listWhere('has_moved')},
            'statuses', ${listWhere('has_moved', 'status')},
            'paid', ${listWhere('may_not_pay AND NOT has_moved')})`,
        ],
        [anyRow('may_not_pay'), 'LOG_CLOSED', idsWhere('may_not_pay')],
        [anyRow('lacks_comment'), 'PAID_WITHOUT_COMMENT', idsWhere('lacks_comment')],
      ),
    })
    .from(givenLogs(p)),
)

const insertComments = prepare(
  (p: Params<Given & { user_id: number; comment: string; at: string }>) =>
    insertSelect(
      log_comments,
      {
        id: null,
        log_id: sql`value`,
        user_id: p.user_id,
        comment: p.comment,
        salt: randomSalt,
        created_at: p.at,
        updated_at: p.at,
      },
      sql`FROM json_each(${p.ids})`,
    ),
)

const insertEvents = prepare(
  (p: Params<Given & { user_id: number; status: LogStatus; has_comment: number; at: string }>) =>
    insertSelect(
      log_events,
      {
        id: null,
        event: 'decided',
        log_id: logs.id,
        closing_id: null,
        user_id: p.user_id,
        from_status: logs.status,
        to_status: p.status,
        comment_id: sql`CASE WHEN ${p.has_comment} THEN (SELECT max(${log_comments.id})
          FROM ${log_comments} WHERE ${log_comments.log_id} = ${logs.id}) END`,
        created_at: p.at,
        employee_id: logs.employee_id,
        kind: logs.kind,
        recorded_at: logs.recorded_at,
        source: logs.source,
        actor: sql`(SELECT ${users.actor_hash} FROM ${users} WHERE ${users.id} = ${p.user_id})`,
        salt: randomSalt,
        details: null,
      },
      sql`FROM ${logs} WHERE ${isGiven(p)}`,
    ),
)

const updateStatus = prepare((p: Params<Given & { status: LogStatus; at: string }>) =>
  qb
    .update(logs)
    .set({ status: p.status, updated_at: p.at })
    .where(isGiven(p))
    .returning({ log_id: logs.id, status: logs.status }),
)

const selectUnknown = prepare((p: Params<Given & { scope: Scope }>) =>
  qb
    .select(columns({ id: number }))
    .from(sql`(SELECT value AS id FROM json_each(${p.ids}) LEFT JOIN ${logs}
      ON ${logs.id} = value AND ${isInScope(logs.branch_office, p.scope)} WHERE ${logs.id} IS NULL)`),
)

/**
 * The statements that change the status of logs in one transaction. If a comment is given, it is
 * written for each log. Then the events with the previous statuses are written, and then the new
 * statuses.
 */
export const statusStatements = (
  logIds: readonly number[],
  { status, comment, at, expectedStatus, forbidSelfApproval, payRoles }: StatusChange,
  { user_id, scope }: { user_id: number; scope: Scope },
) => {
  const ids = JSON.stringify(logIds)
  const has_comment = comment === undefined ? 0 : 1
  const conditions = {
    expected_status: expectedStatus ?? null,
    forbid_self_approval: forbidSelfApproval ? 1 : 0,
    pay_roles: JSON.stringify(payRoles),
    has_comment,
  }
  return {
    changeable: requireChangeable({ ids, user_id, scope, ...conditions }),
    comments: comment !== undefined && insertComments({ ids, user_id, comment, at }),
    events: insertEvents({ ids, user_id, status, has_comment, at }),
    saved: updateStatus({ ids, status, at }),
  }
}

/**
 * Changes the status of logs, all or nothing. Returns the stored ids and statuses.
 * @throws DomainError OWN_LOG, UNKNOWN_LOG_ID, STATUS_MOVED, LOG_CLOSED or PAID_WITHOUT_COMMENT if
 * one of the logs may not be changed; nothing is written then
 */
export const saveStatuses = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  change: StatusChange,
) => {
  const { userId: user_id } = db.claims
  const { saved } = await db.batch((scope) => statusStatements(logIds, change, { user_id, scope }))
  return saved
}

export type SavedStatus = Awaited<ReturnType<typeof saveStatuses>>[number]

/** The ids of logs that do not exist within the scope, in the given order. */
export const findUnknownLogIds = async (db: AuthorizedDb, logIds: readonly number[]) => {
  const ids = JSON.stringify(logIds)
  const { unknown } = await db.batch((scope) => ({ unknown: selectUnknown({ ids, scope }) }))
  return unknown.map(({ id }) => id)
}
