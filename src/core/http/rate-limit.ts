import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { expandIPv6 } from 'hono/utils/ipaddr'
import { emailKey } from '../email.ts'
import { DomainError } from '../errors.ts'
import type { UserEnv } from './auth.ts'
import type { AppEnv } from './context.ts'
import { errorResponse } from './error-responses.ts'
import { InvalidSettings } from './settings.ts'

/** The names of the rate limit bindings in wrangler.toml. */
type RateLimitName = {
  [Name in keyof Env]: Env[Name] extends RateLimit ? Name : never
}[keyof Env]

const PERIOD_SECONDS = 60

/** Longer keys are truncated: those with the same beginning share a limit. */
const KEY_MAX = 320

/** The client's address as Cloudflare's edge sets it; on a developer's machine there is none. */
const clientAddress = (c: Context<AppEnv>): string => {
  const address = c.req.header('CF-Connecting-IP') || '127.0.0.1'
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

const IPV6 = /^[\da-f.]*:[\da-f:.]*$/

/** The first 64 bits of an IPv6 address; undefined for any other text. */
const ipv6Network = (address: string): string | undefined => {
  const text = address.toLowerCase()
  if (!IPV6.test(text) || text.split(':').length > 8) return undefined
  return expandIPv6(text).split(':').slice(0, 4).join(':')
}

/** Rate-limit key: the IPv4 address, or the IPv6 /64 (one subscriber). */
const addressKey = (c: Context<AppEnv>): string => {
  const address = clientAddress(c)
  return ipv6Network(address) ?? address
}

/** The edge never sets a loopback address: only local runs have one, and they are not limited. */
const isLoopback = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

const isOverLimit = async (
  c: Context<AppEnv>,
  name: RateLimitName,
  key: string,
): Promise<boolean> => {
  const limiter: RateLimit | undefined = c.env[name]
  if (!limiter) throw new InvalidSettings(`the rate limit binding ${name} is missing`)
  return (
    !isLoopback(clientAddress(c)) && !(await limiter.limit({ key: key.slice(0, KEY_MAX) })).success
  )
}

const tooManyRequests = (c: Context) => {
  c.header('Retry-After', String(PERIOD_SECONDS))
  return errorResponse(c, new DomainError('TOO_MANY_REQUESTS'))
}

/**
 * Limits guessing one account, or many accounts, from one address. Never locks an account. Only
 * valid bodies count: it stands after their validation.
 */
export const limitLogin = createMiddleware<AppEnv, string, { out: { json: { email: string } } }>(
  async (c, next) => {
    const address = addressKey(c)
    const account = `${address} ${emailKey(c.req.valid('json').email)}`
    if (await isOverLimit(c, 'LOGIN_BY_ADDRESS', address)) return tooManyRequests(c)
    if (await isOverLimit(c, 'LOGIN_BY_ACCOUNT', account)) return tooManyRequests(c)
    await next()
  },
)

/** Limits guessing codes; generous, because the phones of a whole company may share an address. */
export const limitCode = createMiddleware<AppEnv>(async (c, next) => {
  if (await isOverLimit(c, 'CODE_BY_ADDRESS', addressKey(c))) return tooManyRequests(c)
  await next()
})

const limitByUser = (name: RateLimitName) =>
  createMiddleware<UserEnv>(async (c, next) => {
    const context = c as unknown as Context<AppEnv>
    const { claims, authorizedDb } = c.var
    // Only authorized callers count: an ended token must not use up its user's requests.
    await authorizedDb.ensureChecked()
    if (await isOverLimit(context, name, String(claims.userId))) return tooManyRequests(c)
    await next()
  })

/** Limits guessing the current password with a stolen token. */
export const limitPassword = limitByUser('PASSWORD_BY_USER')

/** Limits files of hours; looser, since a person browses one employee after the other. */
export const limitHours = limitByUser('HOURS_BY_USER')

/** Limits exports: they read any number of rows. */
export const limitExport = limitByUser('EXPORT_BY_USER')

/** Limits the feed of changes; generous: a page has up to 500. */
export const limitChanges = limitByUser('CHANGES_BY_USER')

/** Limits checkpoints: each may have to seal the newest events. */
export const limitCheckpoint = limitByUser('CHECKPOINT_BY_USER')

/** Limits evidence, whose proofs take seconds of CPU. */
export const limitEvidence = limitByUser('EVIDENCE_BY_USER')
