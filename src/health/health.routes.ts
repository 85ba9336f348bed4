import { DomainError } from '../core/errors.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { VERSION } from '../core/version.ts'
import { readHealth } from './health.queries.ts'

/**
 * A source counts as silent after a day, because sources also send requests when they have no logs.
 */
const SILENT_AFTER_MS = 86_400_000

/**
 * For monitoring. It is outside /api because no client calls it. It shows ages and counts, no
 * names.
 */
export const health = createApp().get('/health', async (c) => {
  const now = c.var.now.getTime()
  const hasNotices = c.var.settings.NOTIFY_URL !== undefined
  const stored = await readHealth(c.var.db, new Date(now - SILENT_AFTER_MS), hasNotices)
  if (!stored) throw new DomainError('DATABASE_DOWN')
  const age = (moment: string | null) =>
    moment === null ? null : Math.max(0, Math.floor((now - Date.parse(moment)) / 1000))
  const seals = c.var.settings.SEAL_KEY !== undefined
  const data = {
    version: VERSION,
    database_bytes: stored.database_bytes,
    limit_bytes: c.var.settings.DB_LIMIT_MB * 1_000_000,
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
  }
  return c.json(success('El servicio funciona.', data), 200)
})
