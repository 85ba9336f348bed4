import { eq, sql } from 'drizzle-orm'
import { batch, build, type D1, query, run, type Slots } from './query.ts'
import { attendance_logs, type LogStatus, log_audit, log_comments, users } from './schema.ts'
import { type Caller, stillAlive } from './users.ts'

export interface StatusChange {
  logId: number
  status: LogStatus
  comment: string | undefined
  /** Whose token, with the role that the door judged. */
  caller: Caller & { role: string }
  /** UTC with milliseconds. */
  at: string
}

const selectLog = query(($: Slots<{ id: number }>) =>
  build
    .select({ id: attendance_logs.id })
    .from(attendance_logs)
    .where(eq(attendance_logs.id, $.id)),
)

type Guard = { log_id: number; user_id: number; token_version: number; jti: string; role: string }

/** The log is there, and the caller is still who the door let in: guards every write alike. */
const allowed = ($: Slots<Guard>) =>
  sql`${attendance_logs.id} = ${$.log_id} AND ${stillAlive($)}
    AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${$.user_id} AND ${users.role} = ${$.role})`

const insertComment = query(($: Slots<Guard & { comment: string; at: string }>) =>
  build.insert(log_comments).select(
    sql`SELECT NULL, ${attendance_logs.id}, ${$.user_id}, ${$.comment}, ${$.at}, ${$.at}
        FROM ${attendance_logs} WHERE ${allowed($)}`,
  ),
)

const insertAudit = query(
  ($: Slots<Guard & { status: LogStatus; commented: number; at: string }>) =>
    build.insert(log_audit).select(
      sql`SELECT NULL, ${attendance_logs.id}, ${$.user_id}, ${attendance_logs.status}, ${$.status},
          CASE WHEN ${$.commented} THEN (
            SELECT max(${log_comments.id}) FROM ${log_comments}
            WHERE ${log_comments.log_id} = ${attendance_logs.id}
          ) END, ${$.at}
        FROM ${attendance_logs} WHERE ${allowed($)}`,
    ),
)

const updateStatus = query(($: Slots<Guard & { status: LogStatus; at: string }>) =>
  build
    .update(attendance_logs)
    .set({ status: $.status, updated_at: $.at })
    .where(allowed($))
    .returning({ log_id: attendance_logs.id, status: attendance_logs.status }),
)

export const findLog = async (db: D1, id: number) => (await run(db, selectLog({ id })))[0]

/**
 * One transaction, in the contract's order (section 4.6): the comment, if any; the audit row, with
 * the status it came from; the status. Returns the stored values, or undefined where the log or the
 * caller is no longer there, with nothing written.
 */
export const changeStatus = async (db: D1, change: StatusChange) => {
  const { logId: log_id, status, comment, at, caller } = change
  const { userId: user_id, version: token_version, jti, role } = caller
  const guard = { log_id, user_id, token_version, jti, role }
  const audit = insertAudit({ ...guard, status, commented: comment === undefined ? 0 : 1, at })
  const update = updateStatus({ ...guard, status, at })

  const [changed] =
    comment === undefined
      ? (await batch(db, audit, update))[1]
      : (await batch(db, insertComment({ ...guard, comment, at }), audit, update))[2]
  return changed
}

/** Whether the database's own words blame the comments for a failed transaction. */
export const blamesComments = (error: unknown): boolean =>
  error instanceof Error && /\blog_comments(?![a-z])/.test(error.message)
