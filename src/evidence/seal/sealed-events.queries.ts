import { eq, type SQL, sql } from 'drizzle-orm'
import { qb } from '../../core/db/query.ts'
import { statements } from '../../core/tables/agreements.ts'
import {
  erased_comments,
  log_comments,
  log_events,
  attendance_logs as logs,
} from '../../core/tables/logs.ts'
import { closings } from '../../core/tables/payroll.ts'
import type { EvidenceEvent } from '../../core/values/log-values.ts'

/**
 * The id of the newest earlier event of the same employee. It is not stored, because it follows
 * from the ids of the events, which never change.
 */
const previous = sql<number | null>`(SELECT max(earlier.id) FROM ${log_events} AS earlier
  WHERE earlier.employee_id = ${log_events.employee_id} AND earlier.id < ${log_events.id})`

/** Of those that are not of logs. */
const statement = sql<number | null>`(SELECT max(earlier.id)
  FROM ${log_events} AS earlier INDEXED BY log_events_person
  WHERE earlier.employee_id = ${log_events.employee_id} AND earlier.log_id IS NULL
    AND earlier.id < ${log_events.id})`

/**
 * The columns of an event: the sealed fields, named as in `Leaf`, the comment, and the JSON of the
 * fields that depend on the kind.
 */
const eventFields = {
  id: sql<number>`${log_events.id}`.as('event_id'),
  event: sql<EvidenceEvent>`${log_events.event}`.as('event'),
  log_id: sql<number>`${log_events.log_id}`.as('log_id'),
  user_id: sql<number | null>`${log_events.user_id}`.as('user_id'),
  actor: sql<string>`${log_events.actor}`.as('actor'),
  employee_id: sql<string | null>`coalesce(${log_events.employee_id}, ${closings.employee_id})`.as(
    'employee_id',
  ),
  kind: sql<string>`${log_events.kind}`.as('kind'),
  recorded_at: sql<string>`${log_events.recorded_at}`.as('recorded_at'),
  source: sql<string>`${log_events.source}`.as('source'),
  from: sql<string | null>`${log_events.from_status}`.as('from'),
  to: sql<string>`${log_events.to_status}`.as('to'),
  at: sql<string>`${log_events.created_at}`.as('at'),
  salt: sql<string>`${log_events.salt}`.as('event_salt'),
  comment_id: sql<number | null>`${log_events.comment_id}`.as('comment_id'),
  comment: sql<string | null>`coalesce(${log_comments.comment}, ${statements.text})`.as('comment'),
  comment_salt: sql<string | null>`coalesce(${log_comments.salt}, ${statements.salt})`.as(
    'comment_salt',
  ),
  erased_hash: sql<string | null>`${erased_comments.hash}`.as('erased_hash'),
  closing_id: sql<number | null>`${log_events.closing_id}`.as('closing_id'),
  before: sql<string | null>`${closings.before}`.as('before'),
  payroll_group: sql<string | null>`${closings.payroll_group}`.as('payroll_group'),
  lines: sql<string | null>`${closings.hash}`.as('lines'),
  previous: previous.as('previous'),
  statement: statement.as('statement'),
  branch: sql<string | null>`${logs.branch_office}`.as('branch'),
  details: sql<string | null>`${log_events.details}`.as('details'),
}

/**
 * Selects events with their comments or closings, in the order of their ids. `from` can name the
 * index to use.
 */
export const selectStoredEvents = (where: SQL, from: SQL = sql`${log_events}`) =>
  qb
    .select(eventFields)
    .from(from)
    .leftJoin(log_comments, eq(log_comments.id, log_events.comment_id))
    .leftJoin(erased_comments, eq(erased_comments.comment_id, log_events.comment_id))
    .leftJoin(statements, eq(statements.event_id, log_events.id))
    .leftJoin(closings, eq(closings.id, log_events.closing_id))
    .leftJoin(logs, eq(logs.id, log_events.log_id))
    .where(where)
    .orderBy(log_events.id)

export type StoredEvent = Awaited<ReturnType<typeof selectStoredEvents>>[number]
