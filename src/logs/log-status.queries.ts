import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import {
  log_comments,
  log_events,
  attendance_logs as logs,
  randomSalt,
  users,
} from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isRequest } from '../core/db/shared-expressions.ts'
import type { LogStatus } from '../core/log-values.ts'
import { isLocked } from './locks.queries.ts'
import { isOwnLog } from './own-logs.queries.ts'

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
  /** The time of the change: UTC with milliseconds. */
  at: string
}

interface LogIds {
  /** A JSON list of ids without duplicates. */
  ids: string
}

interface Conditions extends LogIds {
  user_id: number
  scope: Scope
  expected_status: LogStatus | null
  forbid_self_approval: number
}

const requestedIds = (p: Params<LogIds>) => sql`(SELECT value FROM json_each(${p.ids}))`

/**
 * Raises unless all requested logs exist within the scope and have the expected status, and the
 * caller is allowed to change the caller's own logs among them. A trigger checks the locks.
 */
const requireChangeable = prepare((p: Params<Conditions>) =>
  qb
    .select({
      rule: raise(
        [sql`max((${p.forbid_self_approval} OR ${isRequest}) AND ${isOwnLog(p)})`, 'OWN_LOG'],
        [sql`count(${logs.id}) < count(*)`, 'UNKNOWN_LOG_ID'],
        [sql`max(${p.expected_status} <> ${logs.status})`, 'STATUS_MOVED'],
      ),
    })
    .from(sql`${requestedIds(p)} AS requested LEFT JOIN ${logs}
      ON ${logs.id} = requested.value AND ${isInScope(logs.branch_office, p.scope)}`),
)

const insertComments = prepare(
  (p: Params<LogIds & { user_id: number; comment: string; at: string }>) =>
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

const lastCommentId = sql`(
  SELECT max(${log_comments.id}) FROM ${log_comments} WHERE ${log_comments.log_id} = ${logs.id}
)`

const insertEvents = prepare(
  (p: Params<LogIds & { user_id: number; status: LogStatus; has_comment: number; at: string }>) =>
    insertSelect(
      log_events,
      {
        id: null,
        event: sql`'decided'`,
        log_id: sql`${logs.id}`,
        closing_id: null,
        user_id: p.user_id,
        from_status: sql`${logs.status}`,
        to_status: p.status,
        comment_id: sql`CASE WHEN ${p.has_comment} THEN ${lastCommentId} END`,
        created_at: p.at,
        employee_id: sql`${logs.employee_id}`,
        kind: sql`${logs.kind}`,
        recorded_at: sql`${logs.recorded_at}`,
        source: sql`${logs.source}`,
        actor: sql`(SELECT ${users.actor_hash} FROM ${users} WHERE ${users.id} = ${p.user_id})`,
        salt: randomSalt,
        details: null,
      },
      sql`FROM ${logs} WHERE ${logs.id} IN ${requestedIds(p)}`,
    ),
)

const updateStatus = prepare((p: Params<LogIds & { status: LogStatus; at: string }>) =>
  qb
    .update(logs)
    .set({ status: p.status, updated_at: p.at })
    .where(sql`${logs.id} IN ${requestedIds(p)}`)
    .returning({ log_id: logs.id, status: logs.status }),
)

const selectCurrent = prepare((p: Params<LogIds & { scope: Scope }>) =>
  qb
    .select({
      id: logs.id,
      status: logs.status,
      locked: isLocked.mapWith(Boolean).as('locked'),
    })
    .from(logs)
    .where(sql`${logs.id} IN ${requestedIds(p)} AND ${isInScope(logs.branch_office, p.scope)}`),
)

/**
 * Changes the status of logs in one transaction. If a comment is given, it is written for each log.
 * Then the events with the previous statuses are written, and then the new statuses (contract,
 * section 4.6). Returns the stored ids and statuses.
 * @throws DomainError OWN_LOG, UNKNOWN_LOG_ID, STATUS_MOVED or LOG_CLOSED if one of the logs may
 * not be changed; nothing is written then
 */
export const saveStatuses = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  { status, comment, at, expectedStatus, forbidSelfApproval }: StatusChange,
) => {
  const [ids, user_id] = [JSON.stringify(logIds), db.claims.userId]
  const conditions = {
    expected_status: expectedStatus ?? null,
    forbid_self_approval: forbidSelfApproval ? 1 : 0,
  }
  const has_comment = comment === undefined ? 0 : 1
  const { saved } = await db.batch((scope) => ({
    check: requireChangeable({ ids, user_id, scope, ...conditions }),
    ...(comment !== undefined && { comments: insertComments({ ids, user_id, comment, at }) }),
    events: insertEvents({ ids, user_id, status, has_comment, at }),
    saved: updateStatus({ ids, status, at }),
  }))
  return saved
}

export type SavedStatus = Awaited<ReturnType<typeof saveStatuses>>[number]

/** Maps the ids of logs within the scope to their status and whether they are locked. */
export const findLogStatuses = async (db: AuthorizedDb, logIds: readonly number[]) => {
  const ids = JSON.stringify(logIds)
  const { current } = await db.batch((scope) => ({ current: selectCurrent({ ids, scope }) }))
  return new Map(current.map((log) => [log.id, log]))
}
