import { eq, sql } from 'drizzle-orm'
import { batch, build, type D1, query, run, type Slots } from './query.ts'
import { attendance_logs, type LogStatus, log_audit, log_comments } from './schema.ts'

export interface StatusChange {
  logId: number
  status: LogStatus
  comment: string | undefined
  actorId: number
  /** UTC with milliseconds. */
  at: string
}

const selectLog = query(($: Slots<{ id: number }>) =>
  build
    .select({ id: attendance_logs.id })
    .from(attendance_logs)
    .where(eq(attendance_logs.id, $.id)),
)

// The two inserts select from the log itself: where it is gone, they insert nothing.

const insertComment = query(
  ($: Slots<{ log_id: number; user_id: number; comment: string; at: string }>) =>
    build.insert(log_comments).select(
      sql`SELECT NULL, ${attendance_logs.id}, ${$.user_id}, ${$.comment}, ${$.at}, ${$.at}
        FROM ${attendance_logs} WHERE ${attendance_logs.id} = ${$.log_id}`,
    ),
)

const insertAudit = query(
  (
    $: Slots<{ log_id: number; user_id: number; status: LogStatus; commented: number; at: string }>,
  ) =>
    build.insert(log_audit).select(
      sql`SELECT NULL, ${attendance_logs.id}, ${$.user_id}, ${attendance_logs.status}, ${$.status},
          CASE WHEN ${$.commented} THEN (
            SELECT max(${log_comments.id}) FROM ${log_comments}
            WHERE ${log_comments.log_id} = ${attendance_logs.id}
          ) END, ${$.at}
        FROM ${attendance_logs} WHERE ${attendance_logs.id} = ${$.log_id}`,
    ),
)

const updateStatus = query(($: Slots<{ log_id: number; status: LogStatus; at: string }>) =>
  build
    .update(attendance_logs)
    .set({ status: $.status, updated_at: $.at })
    .where(eq(attendance_logs.id, $.log_id))
    .returning({ log_id: attendance_logs.id, status: attendance_logs.status }),
)

export const findLog = async (db: D1, id: number) => (await run(db, selectLog({ id })))[0]

/**
 * One transaction, in the contract's order (section 4.6): the comment, if any; the audit row, with
 * the status it came from; the status. Returns the stored values, or undefined where the log is
 * gone, with nothing written.
 */
export const changeStatus = async (db: D1, change: StatusChange) => {
  const { logId: log_id, actorId: user_id, status, comment, at } = change
  const audit = insertAudit({
    log_id,
    user_id,
    status,
    commented: comment === undefined ? 0 : 1,
    at,
  })
  const update = updateStatus({ log_id, status, at })

  const [changed] =
    comment === undefined
      ? (await batch(db, audit, update))[1]
      : (await batch(db, insertComment({ log_id, user_id, comment, at }), audit, update))[2]
  return changed
}

/** Whether the database's own words blame the comments for a failed transaction. */
export const blamesComments = (error: unknown): boolean =>
  error instanceof Error && /\blog_comments(?![a-z])/.test(error.message)
