import { type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { clocks, other_network_logs } from '../tables/clocks.ts'
import { isOneOf } from '../tables/columns.ts'
import { intake_sources } from '../tables/intake.ts'
import { log_comments, log_events, attendance_logs as logs } from '../tables/logs.ts'
import { closings } from '../tables/payroll.ts'
import { employees } from '../tables/people.ts'
import { users } from '../tables/users.ts'
import { LOG_KINDS, LOG_STATUSES } from '../values/log-values.ts'
import { CLOCK_PREFIX } from '../values/text.ts'
import type { Params } from './query.ts'

/** A comment, or null if it was erased. */
export const visibleComment = sql<string | null>`nullif(${log_comments.comment}, '')`.as('comment')

/** Whether an employee asked for the log. Another user decides such a request. */
export const isRequest = sql`${logs.source} GLOB 'request:*'`.mapWith(Boolean)

/** Whether a clock's log came from another address while the clock also called from its own. */
export const isOtherNetwork = sql`(${logs.source} GLOB 'clock *'
  AND EXISTS (SELECT 1 FROM ${other_network_logs} WHERE log_id = ${logs.id}))`.mapWith(Boolean)

/** What an employee wrote to ask for the log. Null for other logs, or if the comment was erased. */
export const requestComment = sql<string | null>`CASE WHEN ${isRequest} THEN (
  SELECT nullif(asked.comment, '') FROM ${log_comments} AS asked
  WHERE asked.id = ${logs.comment_id}) END`.as('request_comment')

type NameColumns = Record<'first_name' | 'last_name' | 'mother_last_name', AnySQLiteColumn>

/** @param user the table of users, or an alias of it */
export const fullNameOf = ({ first_name, last_name, mother_last_name }: NameColumns) =>
  sql<string>`trim(replace(
  ${first_name} || ' ' || ${last_name} || ' ' || ${mother_last_name}, '  ', ' '
))`

export const fullName = fullNameOf(users)

/** The id of the newest event. 0 if there is none. */
export const newestEventId = sql<number>`coalesce((SELECT max(id) FROM ${log_events}), 0)`

/** Whether the event is the last decision of the log. */
export const isLastDecision = sql`${log_events.log_id} = ${logs.id}
  AND ${log_events.id} = (SELECT max(id) FROM ${log_events}
    WHERE ${log_events.log_id} = ${logs.id} AND ${log_events.event} = 'decided')`

/**
 * A condition that every log meets. It names status and kind, so that SQLite can seek in
 * `attendance_logs_employee`, where they come before the time.
 */
export const hasAnyStatusAndKind = sql`${isOneOf(logs.status, LOG_STATUSES)}
  AND ${isOneOf(logs.kind, LOG_KINDS)}`

/** The id of the newest completed closing. 0 if there is none. */
export const newestClosingId = sql<number>`coalesce((SELECT max(id) FROM ${closings}
  WHERE completed_at IS NOT NULL), 0)`

export const cancellationCount = sql<number>`(SELECT count(*) FROM ${closings}
  WHERE cancelled_at IS NOT NULL)`

/** The employee that the caller is linked to. Null if there is none. */
export const ownEmployeeId = (p: Params<{ user_id: number }>) =>
  sql`(SELECT ${users.employee_id} FROM ${users} WHERE ${users.id} = ${p.user_id})`

/** Whether somebody is in the branch, or was there when a log was recorded. */
export const isBranchUsed = (branch: SQL): SQL<boolean> =>
  sql`(EXISTS (SELECT 1 FROM ${employees} WHERE branch_office = ${branch})
    OR EXISTS (SELECT 1 FROM ${logs} WHERE branch_office = ${branch}))`

/**
 * A column of the clock that connects by itself and sends as the source of `intake_sources`. Null
 * for other sources.
 */
export const clockOfSource = (column: 'branch_office' | 'from_day') => sql<string | null>`(
  SELECT ${sql.raw(column)} FROM ${clocks}
  WHERE serial = upper(substr(${intake_sources}.source, ${sql.raw(`${CLOCK_PREFIX.length + 1}`)}))
    AND ${intake_sources}.source GLOB ${sql.raw(`'${CLOCK_PREFIX}*'`)})`
