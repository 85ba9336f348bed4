import { sql } from 'drizzle-orm'
import { type Door, mayPass, type Pass, passOf } from './authorization.ts'
import { build, query, type Slots } from './query.ts'
import { attendance_logs, type LogStatus, log_audit, log_comments, users } from './schema.ts'

export interface StatusChange {
  /** Distinct. */
  logIds: readonly number[]
  status: LogStatus
  comment: string | undefined
  /** Where given, every log must still have this status. */
  expected?: LogStatus | undefined
  /** Whether the caller may not touch logs of the own employee record. */
  forbidOwn: boolean
  /** UTC with milliseconds. */
  at: string
}

interface Asked extends Pass {
  /** The logs' ids, as a JSON array. */
  ids: string
}

interface Guard extends Asked {
  expected: LogStatus | null
  forbid_own: number
}

/** The ids asked for: none where the caller may not pass the door. */
const asked = ($: Slots<Asked>) =>
  sql`SELECT value FROM json_each(CASE WHEN ${mayPass($)} THEN ${$.ids} ELSE '[]' END)`

const selectLogs = query(($: Slots<Asked>) =>
  build
    .select({ id: attendance_logs.id })
    .from(attendance_logs)
    .where(sql`${attendance_logs.id} IN (${asked($)})`),
)

/** Which of these logs there are. */
export const findLogs = async (door: Door, ids: readonly number[]): Promise<Set<number>> => {
  const [found] = await door.ask(selectLogs({ ...passOf(door), ids: JSON.stringify(ids) }))
  return new Set(found.map((log) => log.id))
}

const isOwn = ($: Slots<Pick<Guard, 'user_id'>>) =>
  sql`${attendance_logs.employee_id} = (
    SELECT ${users.employee_id} FROM ${users} WHERE ${users.id} = ${$.user_id}
  )`

/** What the logs are before the change, in the change's own transaction. */
const selectCurrent = query(($: Slots<Asked>) =>
  build
    .select({
      id: attendance_logs.id,
      status: attendance_logs.status,
      own: sql`coalesce(${isOwn($)}, 0)`.mapWith(Boolean).as('own'),
    })
    .from(attendance_logs)
    .where(sql`${attendance_logs.id} IN (${asked($)})`),
)

/**
 * Guards every write alike, so that either all happen or none: the caller may pass the door, and each
 * log is there, is what the caller expected and may be changed by the caller.
 */
const allowed = ($: Slots<Guard>) => sql`
  ${attendance_logs.id} IN (${asked($)})
  AND json_array_length(${$.ids}) = (
    SELECT count(*) FROM ${attendance_logs}
    WHERE ${attendance_logs.id} IN (SELECT value FROM json_each(${$.ids}))
      AND (${$.expected} IS NULL OR ${attendance_logs.status} = ${$.expected})
      AND NOT (${$.forbid_own} AND coalesce(${isOwn($)}, 0))
  )`

const insertComments = query(($: Slots<Guard & { comment: string; at: string }>) =>
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

/**
 * One transaction, in the contract's order (section 4.6): the comments, if any; the audit rows, with
 * the statuses they came from; the statuses. Returns what the logs were before, and what was written:
 * nothing at all where one log or the caller is not as it must be.
 */
export const changeStatuses = async (door: Door, change: StatusChange) => {
  const { logIds, status, comment, at, expected, forbidOwn } = change
  const guard = {
    ...passOf(door),
    ids: JSON.stringify(logIds),
    expected: expected ?? null,
    forbid_own: forbidOwn ? 1 : 0,
  }
  const current = selectCurrent(guard)
  const audit = insertAudit({ ...guard, status, commented: comment === undefined ? 0 : 1, at })
  const update = updateStatus({ ...guard, status, at })

  if (comment === undefined) {
    const [before, , changed] = await door.ask(current, audit, update)
    return { before, changed }
  }
  const insert = insertComments({ ...guard, comment, at })
  const [before, , , changed] = await door.ask(current, insert, audit, update)
  return { before, changed }
}

/** Whether the database's own words blame the comments for a failed transaction. */
export const blamesComments = (error: unknown): boolean =>
  error instanceof Error && /\blog_comments(?![a-z])/.test(error.message)
