import { sign } from 'hono/jwt'
import { decodeBase64Url } from 'hono/utils/encode'
import type { TokenClaims } from '../db/authorization.ts'
import type { Settings } from './settings.ts'

/** The payload of our tokens (RFC 7519). No `exp`: TOKEN_TTL_MINUTES is applied at each check. */
interface Payload {
  /** The user's id. */
  sub: string
  jti: string
  ver: number
  iat: number
  /** Set by the operators' command alone: TOKEN_TTL_MINUTES does not end the token of a machine. */
  machine?: true
}

/**
 * Without a zod schema, which took a fifth of the service's own time for a request with a token.
 */
const isPayload = (value: unknown): value is Payload => {
  const { sub, jti, ver, iat, machine } = (value ?? {}) as Record<string, unknown>
  return (
    typeof sub === 'string' &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    typeof jti === 'string' &&
    jti !== '' &&
    Number.isSafeInteger(ver) &&
    Number.isSafeInteger(iat) &&
    (machine === undefined || machine === true)
  )
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
type Keys = readonly [current: CryptoKey, ...previous: CryptoKey[]]

const imported = new WeakMap<Settings, Promise<Keys>>()

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), ALGORITHM, false, [
    'sign',
    'verify',
  ])

/** The key that signs, and during a rotation the one before it. */
const keysOf = (settings: Settings): Promise<Keys> => {
  const cached = imported.get(settings)
  if (cached) return cached
  const { TOKEN_SECRET: current, TOKEN_SECRET_PREVIOUS: previous } = settings
  const keys = Promise.all([importKey(current), ...(previous ? [importKey(previous)] : [])])
  imported.set(settings, keys)
  return keys
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Issues a bearer token: a JWT signed with HMAC-SHA-256. */
export const issueToken = async (
  user: { id: number; tokenVersion: number },
  settings: Settings,
  now: Date,
  { machine = false } = {},
): Promise<string> => {
  const payload = {
    sub: String(user.id),
    jti: crypto.randomUUID(),
    ver: user.tokenVersion,
    iat: secondsOf(now),
    ...(machine && { machine }),
  }
  const [key] = await keysOf(settings)
  return sign(payload, key, 'HS256')
}

/** Three parts in base64url; the two unused bits of the signature's last character are zero. */
const CANONICAL = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/**
 * The header of all our tokens, as hono/jwt writes it. A token with another algorithm is rejected.
 */
const HEADER = btoa('{"alg":"HS256","typ":"JWT"}')

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The payload as text, if one of our keys signed it. */
const signedPayload = async (token: string, settings: Settings): Promise<string | undefined> => {
  const [header, payload, signature, more] = token.split('.')
  if (header !== HEADER || !payload || !signature || more !== undefined) return undefined
  const signed = encoder.encode(`${header}.${payload}`)
  const keys = await keysOf(settings)
  try {
    const bytes = decodeBase64Url(signature)
    for (const key of keys) {
      const isSigned = await crypto.subtle.verify(ALGORITHM, key, bytes, signed)
      if (isSigned) return decoder.decode(decodeBase64Url(payload))
    }
  } catch {
    // No base64.
  }
  return undefined
}

/** Whether we signed a text, be it expired, revoked or no token of a user. */
export const isSignedByUs = async (text: string, settings: Settings): Promise<boolean> =>
  (await signedPayload(text, settings)) !== undefined

const parsePayload = (text: string): Payload | undefined => {
  try {
    const payload: unknown = JSON.parse(text)
    return isPayload(payload) ? payload : undefined
  } catch {
    return undefined
  }
}

/** The claims of a token that we signed and that TOKEN_TTL_MINUTES has not ended. */
export const verifyToken = async (
  token: string,
  settings: Settings,
  now: Date,
): Promise<TokenClaims | undefined> => {
  if (!CANONICAL.test(token)) return undefined
  const text = await signedPayload(token, settings)
  const payload = text && parsePayload(text)
  if (!payload) return undefined
  const { sub, jti, ver, iat, machine } = payload
  const ttl = settings.TOKEN_TTL_MINUTES
  const expired = ttl !== undefined && !machine && now.getTime() >= (iat + ttl * 60) * 1000
  return expired ? undefined : { userId: Number(sub), jti, version: ver }
}
