import { sql } from 'drizzle-orm'
import type { LogEvent } from '../../shared/log-values.ts'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { isInScope, type Scope } from '../core/scope.ts'
import { fullName, visibleComment } from '../core/shown.ts'
import { log_audit, log_comments, attendance_logs as logs, users } from '../schema.ts'

const selectEvents = prepare((p: Params<{ after: number; limit: number; scope: Scope }>) =>
  qb
    .select({
      id: sql<number>`${log_audit.id}`.as('event_id'),
      event: log_audit.event,
      log_id: log_audit.log_id,
      source: log_audit.source,
      source_id: logs.source_id,
      employee_id: log_audit.employee_id,
      kind: log_audit.kind,
      recorded_at: log_audit.recorded_at,
      from_status: log_audit.from_status,
      to_status: log_audit.to_status,
      comment: visibleComment,
      user: { id: users.id, full_name: fullName.as('full_name') },
      created_at: log_audit.created_at,
      in_scope: isInScope(logs.branch_office, p.scope).mapWith(Boolean).as('in_scope'),
    })
    .from(log_audit)
    .innerJoin(logs, sql`${logs.id} = ${log_audit.log_id}`)
    .leftJoin(users, sql`${users.id} = ${log_audit.user_id}`)
    .leftJoin(log_comments, sql`${log_comments.id} = ${log_audit.comment_id}`)
    .where(sql`${log_audit.id} > ${p.after}`)
    .orderBy(log_audit.id)
    .limit(p.limit),
)

/**
 * The events after an id, oldest first, and where the next page begins. Ids are given in the order of
 * the commits. Each call reads `limit` events at most, and returns those that match.
 */
export const listEvents = async (
  db: AuthorizedDb,
  { after, limit, event }: { after: number; limit: number; event: LogEvent | undefined },
) => {
  const [events] = await db.batchInScope((scope) => [selectEvents({ after, limit, scope })])
  const changes = events.flatMap(({ in_scope, ...one }) =>
    in_scope && (event === undefined || one.event === event) ? [one] : [],
  )
  return { changes, next_after: events.at(-1)?.id ?? after }
}
