import { sign, verify } from 'hono/jwt'
import * as z from 'zod/mini'
import type { TokenClaims } from '../../db/core/authorization.ts'
import type { Settings } from '../core/settings.ts'

/** The payload of our tokens (RFC 7519). No `exp`: TOKEN_TTL_MINUTES is applied at each check. */
const Payload = z.object({
  sub: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,15}$/)), z.transform(Number)),
  jti: z.string().check(z.minLength(1)),
  ver: z.int(),
  iat: z.int(),
  /** Set by the operators' command alone: TOKEN_TTL_MINUTES does not end the token of a machine. */
  machine: z.optional(z.literal(true)),
})

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

// Clocks differ between places, so the library must not check the times: an `iat` one second ahead
// is valid.
const VERIFICATION = { alg: 'HS256', iat: false, nbf: false, exp: false } as const

/** Three parts in base64url; the two unused bits of the signature's last character are zero. */
const CANONICAL = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** The payload, if the key signed it. Errors are dropped: their messages contain the token. */
const verifyWithKey = async (token: string, key: CryptoKey) => {
  try {
    return Payload.parse(await verify(token, key, VERIFICATION))
  } catch {
    return undefined
  }
}

/** Whether we signed a text, be it expired, revoked or no token of a user. */
export const isSignedByUs = async (text: string, settings: Settings): Promise<boolean> => {
  for (const key of await keysOf(settings)) {
    const isSigned = await verify(text, key, VERIFICATION).then(
      () => true,
      () => false,
    )
    if (isSigned) return true
  }
  return false
}

/** The claims of a token that we signed and that TOKEN_TTL_MINUTES has not ended. */
export const verifyToken = async (
  token: string,
  settings: Settings,
  now: Date,
): Promise<TokenClaims | undefined> => {
  if (!CANONICAL.test(token)) return undefined
  const [current, previous] = await keysOf(settings)
  const payload =
    (await verifyWithKey(token, current)) ?? (previous && (await verifyWithKey(token, previous)))
  if (!payload) return undefined
  const { sub, jti, ver, iat, machine } = payload
  const ttl = settings.TOKEN_TTL_MINUTES
  const expired = ttl !== undefined && !machine && now.getTime() >= (iat + ttl * 60) * 1000
  return expired ? undefined : { userId: sub, jti, version: ver }
}
