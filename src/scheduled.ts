import { toHex } from './core/bytes.ts'
import { type BatchDb, withoutCaller } from './core/db/batch-db.ts'
import { primary } from './core/db/d1.ts'
import { describeError } from './core/http/request-log.ts'
import { readSettings } from './core/http/settings.ts'
import { SEALS_A_RUN, sealEvents } from './evidence/seal.ts'
import { signerOf } from './evidence/sealing.http.ts'
import { findUnstamped, saveToken } from './evidence/seals.queries.ts'
import { requestTimeStamp } from './evidence/time-stamp.http.ts'
import { runNotices } from './logs/notices.http.ts'

/** Stamps the newest seal, unless that is done: an authority that is down only delays it. */
const stampNewest = async (db: BatchDb, url: string, clock: () => Date): Promise<boolean> => {
  const seal = await findUnstamped(db)
  if (!seal) return false
  const token = await requestTimeStamp(url, seal.checkpoint)
  await saveToken(db, { seal_id: seal.id, token: toHex(token), at: clock().toISOString() })
  return true
}

const seal = async (env: Env, clock: () => Date) => {
  const settings = readSettings(env)
  const signer = await signerOf(settings)
  if (!signer) return {}
  const db = withoutCaller(primary(env.DB, { roundTrips: 0 }))
  const { sealed, complete } = await sealEvents(db, signer, { seals: SEALS_A_RUN, clock })
  const done = { sealed, complete }
  if (!settings.TSA_URL) return done
  try {
    return { ...done, stamped: await stampNewest(db, settings.TSA_URL, clock) }
  } catch (error) {
    return { ...done, stamped: false, error: describeError(error as Error) }
  }
}

/** Seals what is not sealed yet. Writes one JSON line. */
const runSeal = async (env: Env, clock: () => Date): Promise<void> => {
  const start = clock().getTime()
  const outcome = await seal(env, clock).catch((error: Error) => ({ error: describeError(error) }))
  const text = JSON.stringify({
    scheduled: 'seal',
    duration_ms: clock().getTime() - start,
    ...outcome,
  })
  if ('error' in outcome) console.error(text)
  else console.log(text)
}

/** The cron that sends notices alone: a receiver that was down is tried again after a minute. */
const EVERY_MINUTE = '* * * * *'

/** Longer than any backlog should take: the next minute goes on. */
const NOTICES_MS = 5 * 60_000

/** What the crons of wrangler.toml do. */
export const runScheduled = async (env: Env, cron: string, clock: () => Date): Promise<void> => {
  const notices = runNotices(env, { by: 'cron', since: clock(), ms: NOTICES_MS })
  await Promise.all([notices, cron !== EVERY_MINUTE && runSeal(env, clock)])
}
