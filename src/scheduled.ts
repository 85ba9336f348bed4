import { type BatchDb, withoutCaller } from './core/db/batch-db.ts'
import { primary } from './core/db/d1.ts'
import { describeError } from './core/http/request-log.ts'
import { logRun } from './core/http/run-log.ts'
import { readSettings } from './core/http/settings.ts'
import { toHex } from './core/values/bytes.ts'
import { SEALS_PER_RUN, sealEvents } from './evidence/seal/seal.ts'
import { signerOf } from './evidence/seal/sealing.http.ts'
import { findUnstamped, saveToken } from './evidence/seal/seals.queries.ts'
import { requestTimeStamp } from './evidence/seal/time-stamp.http.ts'
import { runNotifications } from './logs/notifications.http.ts'
import { pruneEndedPhones, runPushes } from './push/push.http.ts'
import { pruneRevokedTokens } from './session/session.queries.ts'

/**
 * Adds a time stamp to the newest seal if it has none. If the authority fails, the next run tries
 * again.
 */
const stampNewest = async (db: BatchDb, url: string, clock: () => Date): Promise<boolean> => {
  const seal = await findUnstamped(db)
  if (!seal) return false
  const token = await requestTimeStamp(url, seal.checkpoint)
  await saveToken(db, { seal_id: seal.id, token: toHex(token), at: clock().toISOString() })
  return true
}

const sealNewEvents = async (env: Env, clock: () => Date) => {
  const settings = readSettings(env)
  const signer = await signerOf(settings)
  if (!signer) return {}
  const db = withoutCaller(primary(env.DB))
  const { sealed, complete } = await sealEvents(db, signer, { seals: SEALS_PER_RUN, clock })
  const done = { sealed, complete }
  if (!settings.TSA_URL) return done
  try {
    return { ...done, stamped: await stampNewest(db, settings.TSA_URL, clock) }
  } catch (error) {
    return { ...done, stamped: false, error: describeError(error as Error) }
  }
}

/**
 * Seals new events if SEAL_KEY is set, and stamps the newest seal if TSA_URL is set too. Writes one
 * JSON line to the console.
 */
const runSeal = (env: Env, clock: () => Date): Promise<void> =>
  logRun({ scheduled: 'seal' }, () => sealNewEvents(env, clock))

/** Deletes what has ended by itself. */
const runPrune = (scheduled: string, prune: () => Promise<number>): Promise<void> =>
  logRun({ scheduled }, async () => ({ deleted: await prune() }))

/** This cron only sends messages, so that a retry begins within a minute of its time. */
const EVERY_MINUTE = '* * * * *'

/** How long a run sends messages. If more are to be sent, the next run continues. */
const NOTICES_MS = 5 * 60_000

/**
 * Runs the tasks of a cron in wrangler.toml. Each one writes its own line, and a failure of one ends
 * no other.
 */
export const runScheduled = async (env: Env, cron: string, clock: () => Date): Promise<void> => {
  const notices = runNotifications(env, { by: 'cron', since: clock(), ms: NOTICES_MS })
  const isHourly = cron !== EVERY_MINUTE
  const db = primary(env.DB)
  const hourly = isHourly
    ? [
        runSeal(env, clock),
        runPrune('prune_tokens', () => pruneRevokedTokens(db, clock())),
        runPrune('prune_phones', () => pruneEndedPhones(env, clock())),
      ]
    : []
  const pushes = runPushes(env, { by: 'cron', ms: NOTICES_MS })
  await Promise.all([notices, pushes, ...hourly])
}
