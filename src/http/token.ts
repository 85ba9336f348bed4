import { sign, verify } from 'hono/jwt'
import * as z from 'zod'
import type { TokenClaims } from '../domain/session.ts'
import type { Settings } from './settings.ts'

/** The claims of our tokens (RFC 7519). No `exp`: a deployment's lifetime setting judges the age. */
const Payload = z.object({
  sub: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
  jti: z.string().min(1),
  ver: z.int(),
  iat: z.int(),
})

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
const keys = new WeakMap<Settings, Promise<CryptoKey>>()

const keyOf = (settings: Settings): Promise<CryptoKey> => {
  const known = keys.get(settings)
  if (known) return known
  const secret = new TextEncoder().encode(settings.TOKEN_SECRET)
  const key = crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign', 'verify'])
  keys.set(settings, key)
  return key
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Issues a bearer token: a JWT signed with HMAC-SHA-256. */
export const issueToken = async (
  user: { id: number; tokenVersion: number },
  settings: Settings,
  now: Date,
): Promise<string> => {
  const payload = {
    sub: String(user.id),
    jti: crypto.randomUUID(),
    ver: user.tokenVersion,
    iat: secondsOf(now),
  }
  return sign(payload, await keyOf(settings), 'HS256')
}

/** Reads a token that we signed and that has not outlived the deployment's lifetime setting. */
export const readToken = async (
  token: string,
  settings: Settings,
  now: Date,
): Promise<TokenClaims | undefined> => {
  const key = await keyOf(settings)
  try {
    // Clocks differ between places, so the library must not judge the times: an `iat` one second
    // ahead is no fault. Its errors carry the token: they end here, unread.
    const claims = { alg: 'HS256', iat: false, nbf: false, exp: false } as const
    const { sub, jti, ver, iat } = Payload.parse(await verify(token, key, claims))
    const ttl = settings.TOKEN_TTL_MINUTES
    const expired = ttl !== undefined && now.getTime() >= (iat + ttl * 60) * 1000
    return expired ? undefined : { userId: sub, jti, version: ver }
  } catch {
    return undefined
  }
}
