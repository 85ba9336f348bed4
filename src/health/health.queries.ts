import { sql } from 'drizzle-orm'
import { type D1, first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { batch } from '../core/db/run.ts'
import { newestEventId } from '../core/db/shared-expressions.ts'
import { columns, number, orNull, text } from '../core/db/text-query.ts'
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

const lastSealed = sql`coalesce((SELECT max(last_event_id) FROM ${log_seals}), 0)`

interface Moments {
  silent_since: string
  /** The growth of the database is measured since the newest seal before this moment. */
  pace_since: string
}

/**
 * Each value takes only a few index seeks, except zones, the counts of sources and `pace`, which reads
 * a row for each newer seal. So the time does not depend on the number of rows.
 *
 * - A restore writes the names of migrations last, so they are missing after an unfinished restore.
 * - Logs of the legacy API have lower ids than the service's own logs, so the newest log of both kinds
 *   is read.
 */
const selectHealth = prepare((p: Params<Moments>) =>
  qb
    .select(
      columns({
        is_migrated: number,
        newest_log_at: orNull(text),
        /** The names of the zones in force, as a JSON array. */
        time_zones: text,
        newest_seal_at: orNull(text),
        oldest_unsealed_at: orNull(text),
        unsealed_events: number,
        events: number,
        new_events: number,
        /** Null if there is no event yet. */
        new_events_since: orNull(text),
        newest_clock_at: orNull(text),
        clocks: number,
        silent_clocks: number,
      }),
    )
    .from(sql`(WITH
      pace AS NOT MATERIALIZED (SELECT created_at, last_event_id FROM ${log_seals}
        WHERE created_at <= ${p.pace_since} ORDER BY size DESC LIMIT 1),
      source AS NOT MATERIALIZED (SELECT last_seen_at, retired_at FROM ${intake_sources}
        LIMIT ${sql.raw(String(SOURCES_MAX))})
    SELECT
      EXISTS (SELECT 1 FROM d1_migrations WHERE name = ${NEWEST_MIGRATION}) AS is_migrated,
      nullif(max(
        coalesce((SELECT created_at FROM ${logs} ORDER BY id DESC LIMIT 1), ''),
        coalesce((SELECT created_at FROM ${logs} WHERE id < ${sql.raw(String(FIRST_SERVICE_ID))}
          ORDER BY id DESC LIMIT 1), '')), '') AS newest_log_at,
      (SELECT json_group_array(DISTINCT time_zone) FROM (${zoneRules})) AS time_zones,
      (SELECT created_at FROM ${log_seals} ORDER BY size DESC LIMIT 1) AS newest_seal_at,
      (SELECT created_at FROM ${log_events}
        WHERE id > ${lastSealed} ORDER BY id LIMIT 1)
        AS oldest_unsealed_at,
      ${newestEventId} - ${lastSealed} AS unsealed_events,
      ${newestEventId} AS events,
      ${newestEventId} - coalesce((SELECT last_event_id FROM pace), 0) AS new_events,
      coalesce((SELECT created_at FROM pace),
        (SELECT created_at FROM ${log_events} ORDER BY id LIMIT 1)) AS new_events_since,
      (SELECT max(last_seen_at) FROM source WHERE retired_at IS NULL) AS newest_clock_at,
      (SELECT count(*) FROM source WHERE retired_at IS NULL) AS clocks,
      (SELECT count(*) FROM source WHERE retired_at IS NULL AND last_seen_at < ${p.silent_since})
        AS silent_clocks)`),
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
      lag: hasNotices && first(selectLag({})),
      push: hasPush && first(selectPushState({})),
    },
  )
  return { ...row, database_bytes, lag, push }
}
