import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../errors.ts'
import { networkOf } from '../values/address.ts'
import type { AppEnv, UserEnv } from './context.ts'
import { errorResponse } from './error-responses.ts'
import { InvalidSettings } from './settings.ts'

/**
 * Few limits are enough, because a request may count as several. What is limited by the day, such as
 * the clocks that nobody has added, is counted in D1.
 */

/** The names of the rate limit bindings in wrangler.toml. */
type RateLimitName = {
  [Name in keyof Env]: Env[Name] extends RateLimit ? Name : never
}[keyof Env]

const PERIOD_SECONDS = 60

/** Longer keys are truncated. Keys that then are the same share a limit. */
const KEY_MAX = 320

/**
 * The client's IP address, from a header that Cloudflare's edge sets. Local runs do not have the
 * header.
 */
const clientAddress = ({ req }: Pick<Context, 'req'>): string => {
  const address = req.header('CF-Connecting-IP') || '127.0.0.1'
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The IPv4 address, or the /64 network of an IPv6 address, which belongs to one subscriber. */
export const addressKey = (c: Pick<Context, 'req'>): string => networkOf(clientAddress(c))

/**
 * Only local runs have a loopback address, because the edge never sets one. Local runs are not
 * limited.
 */
const isLoopback = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

type Caller = Pick<Context<{ Bindings: Env }>, 'req' | 'env'>

/**
 * @param count how many times this request counts. A limit has no cost of its own, so it is asked as
 * often, at once.
 */
const isOverLimit = async (
  c: Caller,
  name: RateLimitName,
  key: string,
  count = 1,
): Promise<boolean> => {
  const limiter: RateLimit | undefined = c.env[name]
  if (!limiter) throw new InvalidSettings(`the rate limit binding ${name} is missing`)
  if (isLoopback(clientAddress(c))) return false
  const ask = () => limiter.limit({ key: key.slice(0, KEY_MAX) })
  const outcomes = await Promise.all(Array.from({ length: count }, ask))
  return outcomes.some(({ success }) => !success)
}

const tooManyRequests = (c: Context) => {
  c.header('Retry-After', String(PERIOD_SECONDS))
  return errorResponse(c, new DomainError('TOO_MANY_REQUESTS'))
}

/**
 * Limits attempts from one IP address to guess passwords of many accounts, or the token of an
 * invitation. It also limits how many passwords are hashed.
 */
export const limitSignIns = createMiddleware<AppEnv>(async (c, next) => {
  const address = addressKey(c)
  c.set('attempt', { address })
  if (await isOverLimit(c, 'LOGIN_BY_ADDRESS', address)) return tooManyRequests(c)
  await next()
})

/**
 * Limits attempts from one IP address to guess the password of an account. An account is never
 * locked.
 */
export const limitAccount = createMiddleware<{
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { countedBy: string }
}>(async (c, next) => {
  const address = addressKey(c)
  const account = c.get('countedBy')
  c.set('attempt', { account, address })
  if (await isOverLimit(c, 'LOGIN_BY_ACCOUNT', `${address} ${account}`)) return tooManyRequests(c)
  await next()
})

/** What each counts as in the limit of 1,200 a minute of one address, each by a key of its own. */
const UNKNOWN = { call: 1, code: 2, clock: 120 }

const isOverUnknown = (c: Caller, kind: keyof typeof UNKNOWN, address: string) =>
  isOverLimit(c, 'UNKNOWN_BY_ADDRESS', `${kind} ${address}`, UNKNOWN[kind])

/**
 * Limits attempts to guess entry codes to 600 a minute. The limit is generous, because all phones of
 * a company may share an IP address.
 */
export const limitEntryCode = createMiddleware<AppEnv>(async (c, next) => {
  const address = addressKey(c)
  c.set('attempt', { address })
  if (await isOverUnknown(c, 'code', address)) return tooManyRequests(c)
  await next()
})

/** As clocks read it. */
export const tooManyCalls = (c: Context) => {
  c.header('Retry-After', String(PERIOD_SECONDS))
  return c.text('ERROR', 429)
}

/**
 * Limits the calls of all clocks, real or invented, from one address, and those of one clock from
 * it, before anything is read. A clock calls once a minute, and at once for each punch; some hundred
 * clocks of a company may share an address.
 */
export const limitClock = createMiddleware<{
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { serial: string }
}>(async (c, next) => {
  const address = addressKey(c)
  const isOver =
    (await isOverUnknown(c, 'call', address)) ||
    (await isOverLimit(c, 'CLOCK_BY_SERIAL_AND_ADDRESS', `${c.get('serial')} ${address}`))
  return isOver ? tooManyCalls(c) : next()
})

/**
 * Whether too many calls come in the name of a clock from all addresses but its own.
 * @param key the serial number, or that and a second line of the clock
 * @param count how many calls it counts as
 */
export const isOverClockElsewhere = (c: Caller, key: string, count = 1): Promise<boolean> =>
  isOverLimit(c, 'CLOCK_BY_SERIAL', key, count)

/** Whether more than ten clocks a minute that nobody has added call from one address. */
export const isOverUnknownClocks = (c: Caller): Promise<boolean> =>
  isOverUnknown(c, 'clock', addressKey(c))

type CountOf = (c: Context<UserEnv>) => number | Promise<number>

/** The caller is checked first, so that requests with an ended token do not count. */
const limitByUser = (name: RateLimitName, countOf: CountOf) =>
  createMiddleware<UserEnv>(async (c, next) => {
    const { claims, authorizedDb } = c.var
    await authorizedDb.ensureChecked()
    const isOver = await isOverLimit(c, name, String(claims.userId), await countOf(c))
    if (isOver) return tooManyRequests(c)
    await next()
  })

/** Limits what a user writes. 60 writes a minute pass, and a load of 5,000 employees in bulks. */
const limitWrites = (count: number) => limitByUser('WRITES_BY_USER', () => count)

/** Limits writes of employees, users, links, agreements and papers. */
export const limitPeople = limitWrites(1)

/** Limits how often a user registers phones, each of which the service then sends messages to. */
export const limitPush = limitWrites(6)

/** Limits writes that check a password, which a stolen token could guess by them. */
export const limitPassword = limitWrites(12)

/**
 * Limits what a user reads at length by its cost: 120 weeks of hours of all employees a minute, or
 * what takes as long.
 */
const limitReads = (countOf: CountOf) => limitByUser('EXPORTS_BY_USER', countOf)

/** Limits reads of hours. `weeksOf` returns the number of weeks of all employees that are read. */
export const limitHours = limitReads

/** Limits closings, their previews and files. */
export const limitClosings = limitReads(() => 4)

/** Limits reviews. A request reads at most 100 person-months. */
export const limitReviews = limitReads(() => 1)

/** Limits exports of logs, which can read any number of rows. */
export const limitExport = limitReads(() => 24)

/** Limits the feed of changes, of which a page has up to 500. */
export const limitChanges = limitReads(() => 2)

/** Limits checkpoints, because each may have to seal the newest events. */
export const limitCheckpoint = limitReads(() => 2)

/**
 * Limits evidence to one file a minute, because its proofs take seconds of CPU time. The further
 * files of a branch count as exports, so that somebody gets two of them at once.
 */
export const limitEvidence = limitReads((c) => (c.req.query('cursor') === undefined ? 72 : 24))
