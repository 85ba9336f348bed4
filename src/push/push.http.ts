import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Context } from 'hono'
import { withoutCaller } from '../core/db/batch-db.ts'
import { primary } from '../core/db/d1.ts'
import { afterResponse } from '../core/http/after-response.ts'
import type { UserEnv } from '../core/http/context.ts'
import { postOnce } from '../core/http/post-once.ts'
import { logRun } from '../core/http/run-log.ts'
import { readSettings } from '../core/http/settings.ts'
import { bytesOf } from '../core/values/bytes.ts'
import { maySendTo } from './endpoint.ts'
import { deleteEndedPhones, type Subscription } from './phones.queries.ts'
import { type PushMessage, type PushOutcome, sendPushes } from './push.ts'

/** A push service responds so if the browser has ended the subscription (RFC 8030, section 7.3). */
const GONE = [404, 410]

/**
 * The bytes of each message before it is encrypted. With 103 more, every push service takes it:
 * Firefox for Android takes 3,070 and some browsers take 2,048, not the 4,096 of RFC 8030.
 */
const MESSAGE_BYTES = 1_024
const SPACE = 32

/** The message as JSON with spaces after it, so that its length says nothing. */
const toPadded = (data: object) => {
  const padded = new Uint8Array(MESSAGE_BYTES).fill(SPACE)
  padded.set(bytesOf(JSON.stringify(data)))
  return padded
}

/** The keys that sign requests to push services: the public and the private one, and the contact. */
const toVapid = (vapidKey: string, origin: string) => {
  const [publicKey, privateKey] = vapidKey.split('.')
  // Push services ask for a contact, which must be https.
  return { publicKey, privateKey, subject: origin.replace(/^http:/, 'https:') }
}

/**
 * Encrypts a message for one phone and sends it once (RFC 8291, RFC 8292). All messages have the
 * same length.
 * @param vapidKey the public and the private key, joined by a full stop
 */
export const deliver = async (
  { endpoint, p256dh, auth, origin }: Subscription,
  { ttl, ...data }: PushMessage,
  vapidKey: string,
): Promise<PushOutcome> => {
  if (!maySendTo(endpoint, origin)) return 'gone'
  // The library refuses http, which only push services on loopback have.
  const https = endpoint.replace(/^http:/, 'https:')
  const subscription = { endpoint: https, expirationTime: null, keys: { p256dh, auth } }
  const signed = await vapidHeaders(subscription, toVapid(vapidKey, origin)).catch(() => undefined)
  if (!signed) return { error: 'VAPID_KEY is no pair of keys' }
  const encrypted = encryptNotification(subscription, toPadded(data), { pad: false })
  const body = await encrypted.catch(() => undefined)
  // The browser's key is not a point of the curve.
  if (!body) return 'gone'
  const headers = {
    ...signed.headers,
    TTL: String(ttl),
    Urgency: 'normal',
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
  }
  const { status = 0, error } = await postOnce(endpoint, { headers, body })
  if (GONE.includes(status)) return 'gone'
  return error === undefined ? undefined : { error }
}

const ttlSeconds = (minutes: number | undefined) => (minutes ? minutes * 60 : null)

/** Deletes the phones whose sessions have ended by themselves. */
export const pruneEndedPhones = (env: Env, now: Date) => {
  const ttl_seconds = ttlSeconds(readSettings(env).TOKEN_TTL_MINUTES)
  const db = withoutCaller(primary(env.DB))
  return deleteEndedPhones(db, { seconds: Math.floor(now.getTime() / 1000), ttl_seconds })
}

/**
 * Sends news to phones, if VAPID_KEY is set. Writes a JSON line if it sent something or failed.
 * @param ms the time during which the run begins new messages
 */
export const runPushes = async (env: Env, { by, ms }: { by: string; ms: number }) => {
  const send = async () => {
    const { VAPID_KEY, TOKEN_TTL_MINUTES } = readSettings(env)
    if (!VAPID_KEY) return { sent: 0, gone: 0 }
    return sendPushes(withoutCaller(primary(env.DB)), {
      deliver: (to, message) => deliver(to, message, VAPID_KEY),
      clock: () => new Date(),
      ttl_seconds: ttlSeconds(TOKEN_TTL_MINUTES),
      until: new Date(Date.now() + ms),
    })
  }
  await logRun({ push: by }, send, { isQuiet: ({ sent, gone }) => sent + gone === 0 })
}

/**
 * Sends the first 50 messages after the response. The cron sends the others. Nothing is sent if
 * VAPID_KEY is not set.
 */
export const sendPushesLater = (c: Context<UserEnv>): void => {
  if (!c.get('settings').VAPID_KEY) return
  afterResponse(c, () => runPushes(c.env, { by: 'change', ms: 0 }))
}
