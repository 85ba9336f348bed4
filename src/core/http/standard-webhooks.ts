import { bytesOf, fromBase64, toBase64 } from '../values/bytes.ts'

/** Signs messages by Standard Webhooks 1.0 (standardwebhooks.com), with HMAC-SHA256. */

const SECRET_PREFIX = 'whsec_'

const keyOf = (secret: string) =>
  secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : undefined

/** Whether a text is `whsec_` followed by the base64 of 24 to 64 bytes. */
export const isWebhookSecret = (text: string): boolean => {
  const { length = 0 } = keyOf(text) ?? {}
  return length >= 24 && length <= 64
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const sign = async (secret: string, text: string): Promise<string> => {
  const key = await crypto.subtle.importKey('raw', keyOf(secret) ?? bytesOf(''), HMAC, false, [
    'sign',
  ])
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign(HMAC, key, bytesOf(text))))}`
}

/**
 * The headers of a message. They have a signature by each secret, so the receiver needs only one
 * secret.
 */
export const webhookHeaders = async (
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  now: Date,
) => {
  const timestamp = Math.floor(now.getTime() / 1000)
  const text = `${id}.${timestamp}.${body}`
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, text)))
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures.join(' '),
  }
}
