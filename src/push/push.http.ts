import { buildPushPayload } from '@block65/webcrypto-web-push'
import type { Context } from 'hono'
import { withoutCaller } from '../core/db/batch-db.ts'
import { primary } from '../core/db/d1.ts'
import { afterResponse } from '../core/http/after-response.ts'
import type { UserEnv } from '../core/http/auth.ts'
import { describeError } from '../core/http/request-log.ts'
import { readSettings } from '../core/http/settings.ts'
import { maySendTo } from './endpoint.ts'
import type { Subscription } from './push.queries.ts'
import { type PushMessage, type PushOutcome, sendPushes } from './push.ts'

const TIMEOUT_MS = 10_000

/** A push service responds so if the browser has ended the subscription (RFC 8030, section 7.3). */
const GONE = [404, 410]

/**
 * Encrypts a message for one phone and sends it once (RFC 8291, RFC 8292). All messages have the
 * same length. Redirects are not followed, and the response's body is not read.
 * @param vapidKey the public and the private key, joined by a full stop
 */
export const deliver = async (
  { endpoint, p256dh, auth, origin }: Subscription,
  { ttl, ...data }: PushMessage,
  vapidKey: string,
): Promise<PushOutcome> => {
  if (!maySendTo(endpoint, origin)) return 'gone'
  const [publicKey, privateKey] = vapidKey.split('.')
  // The library refuses http, which only push services on loopback have. The contact that push
  // services ask for must be https.
  const [https, subject] = [endpoint, origin].map((url) => url.replace(/^http:/, 'https:'))
  const subscription = { endpoint: https ?? '', expirationTime: null, keys: { p256dh, auth } }
  const payload = await buildPushPayload(
    { data, options: { ttl, urgency: 'normal' } },
    subscription,
    { subject, publicKey, privateKey },
  ).catch(() => undefined)
  // The browser's key is not a point of the curve.
  if (!payload) return 'gone'
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(endpoint, { ...payload, redirect: 'manual', signal })
    await response.body?.cancel().catch(() => {})
    if (GONE.includes(response.status)) return 'gone'
    return response.ok ? undefined : { error: `HTTP ${response.status}` }
  } catch (error) {
    const { name } = error as Error
    return {
      error: name === 'TimeoutError' ? `no response in ${TIMEOUT_MS / 1000} s` : 'unreachable',
    }
  }
}

/**
 * Sends news to phones, if VAPID_KEY is set. Writes a JSON line if it sent something or failed.
 * @param ms the time during which the run begins new messages
 */
export const runPushes = async (env: Env, { by, ms }: { by: string; ms: number }) => {
  const { VAPID_KEY, TOKEN_TTL_MINUTES } = readSettings(env)
  if (!VAPID_KEY) return
  const start = Date.now()
  const outcome = await sendPushes(withoutCaller(primary(env.DB, { roundTrips: 0 })), {
    deliver: (to, message) => deliver(to, message, VAPID_KEY),
    clock: () => new Date(),
    ttl_seconds: TOKEN_TTL_MINUTES ? TOKEN_TTL_MINUTES * 60 : null,
    until: new Date(start + ms),
  }).catch((error: Error) => ({ error: describeError(error) }))
  const text = JSON.stringify({ push: by, duration_ms: Date.now() - start, ...outcome })
  if ('error' in outcome) console.error(text)
  else if (outcome.sent + outcome.gone > 0) console.log(text)
}

/**
 * Sends the first 50 messages after the response. The cron sends the others. Nothing is sent if
 * VAPID_KEY is not set.
 */
export const sendPushesLater = (c: Context<UserEnv>): void => {
  if (!c.get('settings').VAPID_KEY) return
  afterResponse(c, () => runPushes(c.env, { by: 'change', ms: 0 }))
}
