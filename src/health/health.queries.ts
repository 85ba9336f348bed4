import { type SQL, sql } from 'drizzle-orm'
import { batch, type D1, first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { newestEventId } from '../core/db/shared-expressions.ts'
import { zoneRules } from '../core/db/zones.ts'
import { log_seals } from '../core/tables/evidence.ts'
import { intake_sources } from '../core/tables/intake.ts'
import { log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { FIRST_SERVICE_ID } from '../core/values/log-values.ts'
import { selectLag } from '../logs/notifications.queries.ts'
import { selectPushState } from '../push/news.queries.ts'

/**
 * The maximum number of sources that are counted. A machine that names many sources must not make
 * the query slow.
 */
const SOURCES_MAX = 1_000

export const NEWEST_MIGRATION = '0003_clock_bounds.sql'

/**
 * Whether the database has this version's migrations. A restore writes the names of migrations
 * last, so they are missing after an unfinished restore.
 */
const isMigrated = sql<number>`EXISTS (SELECT 1 FROM d1_migrations WHERE name = ${NEWEST_MIGRATION})`

const newestLog = (condition = sql`true`) =>
  sql`(SELECT ${logs.created_at} FROM ${logs} WHERE ${condition} ORDER BY ${logs.id} DESC LIMIT 1)`

const lastSealed = sql`coalesce((SELECT max(${log_seals.last_event_id}) FROM ${log_seals}), 0)`

const selectFromSources = (expression: ReturnType<typeof sql>) =>
  sql`(SELECT ${expression} FROM (SELECT last_seen_at, retired_at FROM ${intake_sources}
    LIMIT ${sql.raw(String(SOURCES_MAX))}) WHERE retired_at IS NULL)`

/** A column of the newest seal up to a moment. This reads one row for each newer seal. */
const sealBefore = (moment: SQL, column: SQL) => sql`(SELECT ${column} FROM ${log_seals}
  WHERE ${log_seals.created_at} <= ${moment} ORDER BY ${log_seals.size} DESC LIMIT 1)`

interface Moments {
  silent_since: string
  /** The growth of the database is measured since the newest seal before this moment. */
  pace_since: string
}

/**
 * Each value takes only a few index seeks, except zones, the counts of sources and `sealBefore`. So the
 * time does not depend on the number of rows.
 */
const selectHealth = prepare((p: Params<Moments>) =>
  qb
    .select({
      is_migrated: isMigrated.as('is_migrated'),
      // Logs of the legacy API have lower ids than the service's own logs, so the newest log of
      // both kinds is read.
      newest_log_at: sql<string | null>`nullif(max(coalesce(${newestLog()}, ''),
        coalesce(${newestLog(sql`${logs.id} < ${sql.raw(String(FIRST_SERVICE_ID))}`)}, '')), '')`.as(
        'newest_log_at',
      ),
      /** The names of the zones in force, as a JSON array. */
      time_zones: sql<string>`(SELECT json_group_array(DISTINCT time_zone)
        FROM (${zoneRules}))`.as('time_zones'),
      newest_seal_at: sql<string | null>`(SELECT ${log_seals.created_at} FROM ${log_seals}
        ORDER BY ${log_seals.size} DESC LIMIT 1)`.as('newest_seal_at'),
      oldest_unsealed_at: sql<string | null>`(SELECT ${log_events.created_at} FROM ${log_events}
        WHERE ${log_events.id} > ${lastSealed} ORDER BY ${log_events.id} LIMIT 1)`.as(
        'oldest_unsealed_at',
      ),
      unsealed_events: sql<number>`${newestEventId} - ${lastSealed}`.as('unsealed_events'),
      events: sql<number>`${newestEventId}`.as('events'),
      new_events: sql<number>`${newestEventId}
        - coalesce(${sealBefore(p.pace_since, sql`last_event_id`)}, 0)`.as('new_events'),
      /** Null if there is no event yet. */
      new_events_since: sql<string | null>`coalesce(${sealBefore(p.pace_since, sql`created_at`)},
        (SELECT created_at FROM ${log_events} ORDER BY ${log_events.id} LIMIT 1))`.as(
        'new_events_since',
      ),
      newest_clock_at: sql<string | null>`${selectFromSources(sql`max(last_seen_at)`)}`.as(
        'newest_clock_at',
      ),
      clocks: sql<number>`${selectFromSources(sql`count(*)`)}`.as('clocks'),
      silent_clocks: sql<number>`${selectFromSources(
        sql`count(*) FILTER (WHERE last_seen_at < ${p.silent_since})`,
      )}`.as('silent_clocks'),
    })
    .from(sql`(SELECT 1)`),
)

/**
 * The size of the database, the times of its newest data, and the state of notifications and of
 * messages to phones, if they are wanted.
 */
export const readHealth = async (
  d1: D1,
  { silentSince, paceSince }: { silentSince: Date; paceSince: Date },
  { hasNotices, hasPush }: { hasNotices: boolean; hasPush: boolean },
) => {
  let database_bytes = 0
  const onSize = (bytes: number) => {
    database_bytes = bytes
    d1.onSize?.(bytes)
  }
  const health = selectHealth({
    silent_since: silentSince.toISOString(),
    pace_since: paceSince.toISOString(),
  })
  const { row, lag, push } = await batch(
    { ...d1, onSize },
    {
      row: firstOrFail(health),
      ...(hasNotices && { lag: first(selectLag({})) }),
      ...(hasPush && { push: first(selectPushState({})) }),
    },
  )
  return { ...row, database_bytes, lag, push }
}
