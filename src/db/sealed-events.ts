import { type SQL, sql } from 'drizzle-orm'
import { qb } from './query.ts'
import { erased_comments, log_audit, log_comments } from './schema.ts'

/** The columns of an event that are sealed, under the names of the leaf. */
const eventFields = {
  id: sql<number>`${log_audit.id}`.as('event_id'),
  event: log_audit.event,
  log_id: log_audit.log_id,
  user_id: log_audit.user_id,
  actor: log_audit.actor,
  employee_id: log_audit.employee_id,
  kind: log_audit.kind,
  recorded_at: log_audit.recorded_at,
  source: log_audit.source,
  from: sql<string | null>`${log_audit.from_status}`.as('from'),
  to: sql<string>`${log_audit.to_status}`.as('to'),
  at: sql<string>`${log_audit.created_at}`.as('at'),
  salt: sql<string>`${log_audit.salt}`.as('event_salt'),
  comment_id: log_audit.comment_id,
  comment: sql<string | null>`${log_comments.comment}`.as('comment'),
  comment_salt: sql<string | null>`${log_comments.salt}`.as('comment_salt'),
  erased_hash: sql<string | null>`${erased_comments.hash}`.as('erased_hash'),
}

/** Selects events with their comments, in the order of their ids. */
export const selectSealedEvents = (where: SQL) =>
  qb
    .select(eventFields)
    .from(log_audit)
    .leftJoin(log_comments, sql`${log_comments.id} = ${log_audit.comment_id}`)
    .leftJoin(erased_comments, sql`${erased_comments.comment_id} = ${log_audit.comment_id}`)
    .where(where)
    .orderBy(log_audit.id)

/** An event as it is stored, with the comment that belongs to it. */
export type SealedEvent = Awaited<ReturnType<typeof selectSealedEvents>>[number]
