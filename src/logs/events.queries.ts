import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName, isOtherNetwork, visibleComment } from '../core/db/shared-expressions.ts'
import { log_comments, log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { users } from '../core/tables/users.ts'
import type { LogEvent, LogStatus } from '../core/values/log-values.ts'
import { localAt, type Zones } from '../core/values/time-zone.ts'
import { type SourceReader, seesSource, selectSourceLimit } from './own-sources.queries.ts'

/**
 * Selects events of logs for the feed. `isSeen` is the condition under which the reader sees an
 * event. The caller adds the other conditions.
 */
export const selectFeed = (isSeen: SQL = sql`TRUE`) =>
  qb
    .select({
      id: sql<number>`${log_events.id}`.as('event_id'),
      event: sql<LogEvent>`${log_events.event}`.as('event'),
      log_id: sql<number>`${log_events.log_id}`.as('log_id'),
      source: logs.source,
      source_id: logs.source_id,
      employee_id: logs.employee_id,
      kind: logs.kind,
      recorded_at: logs.recorded_at,
      branch_office: logs.branch_office,
      other_network: isOtherNetwork.as('other_network'),
      from_status: log_events.from_status,
      to_status: sql<LogStatus>`${log_events.to_status}`.as('to_status'),
      comment: visibleComment,
      user: { id: users.id, full_name: fullName.as('full_name') },
      created_at: log_events.created_at,
      is_seen: isSeen.mapWith(Boolean).as('is_seen'),
    })
    .from(log_events)
    .innerJoin(logs, eq(logs.id, log_events.log_id))
    .leftJoin(users, eq(users.id, log_events.user_id))
    .leftJoin(log_comments, eq(log_comments.id, log_events.comment_id))
    .orderBy(log_events.id)
    .$dynamic()

type FeedRow = Awaited<ReturnType<typeof selectFeed>>[number]

export const toFeedEvent = ({ is_seen: _, branch_office, ...change }: FeedRow, zones: Zones) => ({
  ...change,
  local_at: localAt(change.recorded_at, branch_office, zones),
})

interface EventRange {
  after: number
  limit: number
}

/**
 * The ids of the events that a page reads, whatever their kind. A page returns only events of logs,
 * so it may be empty.
 */
const eventsOfPage = (p: Params<EventRange>) =>
  sql`(SELECT id FROM ${log_events} WHERE id > ${p.after} ORDER BY id LIMIT ${p.limit})`

const selectEvents = prepare((p: Params<SourceReader & EventRange & { scope: Scope }>) =>
  selectFeed(and(isInScope(logs.branch_office, p.scope), seesSource(logs.source, p))).where(
    sql`${log_events.id} > ${p.after} AND ${log_events.id} <=
      coalesce((SELECT max(id) FROM ${eventsOfPage(p)}), ${p.after})`,
  ),
)

const selectPageEnd = prepare((p: Params<EventRange>) =>
  qb
    .select({
      id: sql<number | null>`max(id)`.as('last_id'),
      events: sql<number>`count(*)`.as('events'),
    })
    .from(eventsOfPage(p)),
)

/**
 * Lists the events of logs after an id, oldest first. Ids have the order of the commits. Each call
 * reads up to `limit` events of any kind and returns only the matching ones, so a page may have
 * fewer events. The next page begins after `next_after`. `is_limited` means that the caller does
 * not see every source or branch. `next_after` skips the events that the caller does not see.
 * @param allSourcesRoles the roles that see all sources; other users see only the sources that they
 * may send logs for
 */
export const listEvents = async (
  db: AuthorizedDb,
  { after, limit, event }: { after: number; limit: number; event: LogEvent | undefined },
  allSourcesRoles: readonly string[],
) => {
  const all_sources_roles = JSON.stringify(allSourcesRoles)
  const reader = { user_id: db.claims.userId, all_sources_roles }
  const { events, end, sources } = await db.batch((scope) => ({
    events: selectEvents({ ...reader, after, limit, scope }),
    end: first(selectPageEnd({ after, limit })),
    sources: first(selectSourceLimit(reader)),
  }))
  const changes = events
    .filter((change) => change.is_seen && (event === undefined || change.event === event))
    .map((change) => toFeedEvent(change, db.zones()))
  const is_limited = db.scope() !== null || sources?.limited !== false
  // If `limit` events were read, the page ends at the last of them, whatever its kind. Otherwise it
  // ends at the last event of a log.
  const lastId = end?.events === limit ? end.id : events.at(-1)?.id
  return { changes, next_after: lastId ?? after, is_limited }
}
