import { readSize } from '../../db/core/d1.ts'
import { readLag } from '../../db/logs/notices.ts'
import { createApp } from '../../http/core/context.ts'
import { success } from '../../http/core/envelope.ts'
import { errorResponse } from '../../http/core/errors.ts'

const secondsSince = (moment: string | null | undefined, now: Date): number =>
  moment ? Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 1000)) : 0

/** How far NOTIFY_URL is behind, beside the other fields; undefined where the database fails. */
const readNotices = async (db: Parameters<typeof readLag>[0], now: Date) => {
  try {
    const lag = await readLag(db)
    return {
      notices: {
        waiting: lag?.waiting ?? 0,
        waiting_seconds: secondsSince(lag?.waiting_since, now),
        failures: lag?.failures ?? 0,
        error: lag?.error ?? null,
        next_try_at: lag?.next_try_at ?? null,
        sent_at: lag?.sent_at ?? null,
      },
    }
  } catch {
    return undefined
  }
}

/** For monitoring; outside /api, since no client calls it. */
export const health = createApp().get('/health', async (c) => {
  const { db, settings, databaseStats, now } = c.var
  const notices = settings.NOTIFY_URL ? await readNotices(db, now) : {}
  // The round trip of the notices shows the size as well.
  const database_bytes = notices && (databaseStats.bytes ?? (await readSize(db)))
  if (database_bytes === undefined) return errorResponse(c, 'DATABASE_DOWN')
  const limit_bytes = settings.DB_LIMIT_MB * 1_000_000
  return c.json(success('El servicio funciona.', { database_bytes, limit_bytes, ...notices }), 200)
})
