import { decodeBase64Url, encodeBase64Url } from 'hono/utils/encode'
import type { TokenClaims } from '../db/caller.queries.ts'
import type { Settings } from './settings.ts'

/** The payload of this service's tokens (RFC 7519). */
interface Payload {
  /** The user's id. */
  sub: string
  jti: string
  ver: number
  iat: number
  /**
   * The end in seconds, so that an app knows it. Missing in a machine's token, and if
   * TOKEN_TTL_MINUTES was not set when the token was issued.
   */
  exp?: number
  /** TOKEN_AUDIENCE when the token was issued. Missing in older tokens, and where it is not set. */
  aud?: string
  /** Marks the token of a machine, to which TOKEN_TTL_MINUTES does not apply. */
  machine?: true
}

/**
 * This check does not use zod, which took a fifth of the service's own time per authenticated
 * request.
 */
const isPayload = (value: unknown): value is Payload => {
  const { sub, jti, ver, iat, exp, aud, machine } = (value ?? {}) as Record<string, unknown>
  return (
    typeof sub === 'string' &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    typeof jti === 'string' &&
    jti !== '' &&
    Number.isSafeInteger(ver) &&
    Number.isSafeInteger(iat) &&
    (exp === undefined || Number.isInteger(exp)) &&
    (aud === undefined || typeof aud === 'string') &&
    (machine === undefined || machine === true)
  )
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
type Keys = readonly [current: CryptoKey, ...previous: CryptoKey[]]

const keysCache = new WeakMap<Settings, Promise<Keys>>()

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), ALGORITHM, false, [
    'sign',
    'verify',
  ])

/** The key that signs. During a rotation, the previous key follows it. */
const keysOf = (settings: Settings): Promise<Keys> => {
  const cached = keysCache.get(settings)
  if (cached) return cached
  const { TOKEN_SECRET: current, TOKEN_SECRET_PREVIOUS: previous } = settings
  const keys = Promise.all([importKey(current), ...(previous ? [importKey(previous)] : [])])
  keysCache.set(settings, keys)
  return keys
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The header of all tokens of this service. Tokens with any other header are rejected. */
const TOKEN_HEADER = btoa('{"alg":"HS256","typ":"JWT"}')

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const inBase64Url = ({ buffer }: Uint8Array): string => encodeBase64Url(buffer).replaceAll('=', '')

/** Issues a bearer token: a JWT signed with HMAC-SHA-256. */
export const issueToken = async (
  user: { id: number; tokenVersion: number },
  settings: Settings,
  now: Date,
  { machine = false } = {},
): Promise<string> => {
  const iat = secondsOf(now)
  const { TOKEN_TTL_MINUTES: ttl, TOKEN_AUDIENCE: aud } = settings
  const payload: Payload = {
    sub: String(user.id),
    jti: crypto.randomUUID(),
    ver: user.tokenVersion,
    iat,
    ...(ttl !== undefined && !machine && { exp: iat + ttl * 60 }),
    ...(aud !== undefined && { aud }),
    ...(machine && { machine }),
  }
  const [key] = await keysOf(settings)
  const signed = `${TOKEN_HEADER}.${inBase64Url(encoder.encode(JSON.stringify(payload)))}`
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(signed))
  return `${signed}.${inBase64Url(new Uint8Array(signature))}`
}

/**
 * Three parts in base64url. The last two bits of the signature's last character are not used and
 * must be zero.
 */
const CANONICAL_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** The payload as text. Undefined unless one of the keys has signed the token. */
const signedPayload = async (token: string, settings: Settings): Promise<string | undefined> => {
  const [header, payload, signature, more] = token.split('.')
  if (header !== TOKEN_HEADER || !payload || !signature || more !== undefined) return undefined
  const signed = encoder.encode(`${header}.${payload}`)
  const keys = await keysOf(settings)
  try {
    const bytes = decodeBase64Url(signature)
    for (const key of keys) {
      const isSigned = await crypto.subtle.verify(ALGORITHM, key, bytes, signed)
      if (isSigned) return decoder.decode(decodeBase64Url(payload))
    }
  } catch {
    // The text is not base64.
  }
  return undefined
}

/**
 * Whether this service signed a text. The text may be a token that is expired or revoked, or whose
 * user does not exist.
 */
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

/**
 * The second in which a token ends. The setting applies to older tokens too, so it can end one
 * before its own `exp`, but never later.
 */
const endOf = ({ iat, exp = Infinity, machine }: Payload, ttl: number = Infinity): number =>
  machine ? exp : Math.min(exp, iat + ttl * 60)

/**
 * The claims of a token that this service signed and that has not expired. Undefined for any other
 * text. The token may be revoked.
 */
export const verifyToken = async (
  token: string,
  settings: Settings,
  now: Date,
): Promise<TokenClaims | undefined> => {
  if (!CANONICAL_TOKEN.test(token)) return undefined
  const text = await signedPayload(token, settings)
  const payload = text && parsePayload(text)
  if (!payload) return undefined
  if (payload.aud !== undefined && payload.aud !== settings.TOKEN_AUDIENCE) return undefined
  if (now.getTime() >= endOf(payload, settings.TOKEN_TTL_MINUTES) * 1000) return undefined
  const { sub, jti, ver, iat, exp, machine } = payload
  const claims = { userId: Number(sub), jti, version: ver, iat }
  return { ...claims, ...(exp !== undefined && { exp }), ...(machine && { machine }) }
}
