import { fullBytes, limitBytes, sizeWarning } from '../core/db/d1.ts'
import { DomainError } from '../core/errors.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { DAY_MS, timeZone } from '../core/values/time-zone.ts'
import { VERSION } from '../core/values/version.ts'
import { readHealth } from './health.queries.ts'
import { zoneData } from './zone-data.ts'

/**
 * A source counts as silent after a day, because sources also send requests when they have no logs.
 */
const SILENT_AFTER_MS = DAY_MS

/** The time over which the growth of the database is measured. */
const PACE_MS = 28 * DAY_MS

interface Growth {
  database_bytes: number
  events: number
  new_events: number
  new_events_since: string | null
}

/**
 * The number of days until the database is full, if it grows as it did in the last 28 days. If the
 * first event is newer, the growth since the first event is used. Each event stands for an equal
 * share of the bytes. Null on the first day, and if there are no new events.
 */
const daysLeft = (growth: Growth, { now, full }: { now: number; full: number }): number | null => {
  const { database_bytes, events, new_events, new_events_since } = growth
  const days = (now - Date.parse(new_events_since ?? '')) / DAY_MS
  if (!(days >= 1) || new_events === 0) return null
  const bytesPerDay = (database_bytes * new_events) / events / days
  return Math.max(0, Math.floor((full - database_bytes) / bytesPerDay))
}

/** A table or column that is missing stands in a migration that was not applied. */
const MISSING = /no such (table|column)/

const failUnwell = (cause: Error): never => {
  if (cause instanceof DomainError) throw cause
  const code = MISSING.test(cause.message) ? 'DATABASE_OUTDATED' : 'DATABASE_DOWN'
  throw new DomainError(code, undefined, { cause })
}

/**
 * The route for monitoring, outside /api, and also under it for clients that are generated: they
 * know one base of all paths. The response has ages and counts, but no names.
 */
export const health = createApp().get('/health', async (c) => {
  const { settings } = c.var
  const now = c.var.now.getTime()
  const hasNotices = settings.NOTIFY_URL !== undefined
  const since = { silentSince: new Date(now - SILENT_AFTER_MS), paceSince: new Date(now - PACE_MS) }
  const hasPush = settings.VAPID_KEY !== undefined
  const stored = await readHealth(c.var.db, since, { hasNotices, hasPush }).catch(failUnwell)
  if (!stored.is_migrated) throw new DomainError('DATABASE_OUTDATED')
  // It throws if this runtime has no such zone.
  for (const name of JSON.parse(stored.time_zones)) timeZone(name)
  const age = (moment: string | null) =>
    moment === null ? null : Math.max(0, Math.floor((now - Date.parse(moment)) / 1000))
  const seals = settings.SEAL_KEY !== undefined
  const warning = sizeWarning(stored.database_bytes, settings)
  const data = {
    version: VERSION,
    zone_data: zoneData(),
    database_bytes: stored.database_bytes,
    limit_bytes: limitBytes(settings),
    days_left: daysLeft(stored, { now, full: fullBytes(settings) }),
    warning: warning?.text ?? null,
    warning_code: warning?.code ?? null,
    newest_log_age_seconds: age(stored.newest_log_at),
    newest_seal_age_seconds: age(stored.newest_seal_at),
    oldest_unsealed_age_seconds: seals ? age(stored.oldest_unsealed_at) : null,
    unsealed_events: seals ? stored.unsealed_events : 0,
    newest_clock_age_seconds: age(stored.newest_clock_at),
    clocks: stored.clocks,
    silent_clocks: stored.silent_clocks,
    ...(hasNotices && {
      notices: {
        waiting: stored.lag?.waiting ?? 0,
        waiting_seconds: age(stored.lag?.waiting_since ?? null) ?? 0,
        failures: stored.lag?.failures ?? 0,
        error: stored.lag?.error ?? null,
        next_try_at: stored.lag?.next_try_at ?? null,
        sent_at: stored.lag?.sent_at ?? null,
      },
    }),
    ...(hasPush && { push: stored.push }),
  }
  return c.json(success('El servicio funciona.', data), 200)
})
