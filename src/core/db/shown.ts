import { sql } from 'drizzle-orm'
import { log_comments, log_events, attendance_logs as logs, users } from './schema.ts'

/** Expressions that the queries of several responses select. */

/** A comment, or null if it was erased. */
export const visibleComment = sql<string | null>`nullif(${log_comments.comment}, '')`.as('comment')

export const fullName = sql<string>`trim(replace(
  ${users.first_name} || ' ' || ${users.last_name} || ' ' || ${users.mother_last_name}, '  ', ' '
))`

/** The event of a log's last decision. */
export const lastDecisionId = sql`(SELECT max(id) FROM ${log_events}
  WHERE ${log_events.log_id} = ${logs.id} AND ${log_events.event} = 'decided')`
