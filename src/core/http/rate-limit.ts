import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../errors.ts'
import { networkOf } from '../values/address.ts'
import type { AppEnv, UserEnv } from './context.ts'
import { errorResponse } from './error-responses.ts'
import { InvalidSettings } from './settings.ts'

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

/**
 * @param count how many times this request counts. A limit has no cost of its own, so it is asked as
 * often, at once.
 */
const isOverLimit = async (
  c: Pick<Context<AppEnv>, 'req' | 'env'>,
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

const limitByAddress = (name: RateLimitName) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const address = addressKey(c)
    c.set('attempt', { address })
    if (await isOverLimit(c, name, address)) return tooManyRequests(c)
    await next()
  })

/**
 * Limits attempts from one IP address to guess passwords of many accounts, or the token of an
 * invitation. It also limits how many passwords are hashed.
 */
export const limitSignIns = limitByAddress('LOGIN_BY_ADDRESS')

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

/**
 * Limits attempts to guess entry codes. The limit is generous, because all phones of a company may
 * share an IP address.
 */
export const limitEntryCode = limitByAddress('CODE_BY_ADDRESS')

/** As clocks read it. */
export const tooManyCalls = (c: Context) => {
  c.header('Retry-After', String(PERIOD_SECONDS))
  return c.text('ERROR', 429)
}

/**
 * Limits the calls of all clocks, real or invented, from one address, and those of one clock from
 * it, before anything is read. A clock calls once a minute, and at once for each punch.
 */
export const limitClock = createMiddleware<{
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { serial: string }
}>(async (c, next) => {
  const address = addressKey(c)
  const isOver =
    (await isOverLimit(c, 'CLOCK_BY_ADDRESS', address)) ||
    (await isOverLimit(c, 'CLOCK_BY_SERIAL', `${c.get('serial')} ${address}`))
  return isOver ? tooManyCalls(c) : next()
})

/**
 * Whether too many calls come in the name of a clock from all addresses but its own.
 * @param key the serial number, or that and a second line of the clock
 * @param count how many calls it counts as
 */
export const isOverClockElsewhere = (
  c: Pick<Context<AppEnv>, 'req' | 'env'>,
  key: string,
  count = 1,
): Promise<boolean> => isOverLimit(c, 'CLOCK_BY_SERIAL', key, count)

/** Whether too many clocks that nobody has added call from one address. */
export const isOverUnknownClocks = (c: Pick<Context<AppEnv>, 'req' | 'env'>): Promise<boolean> =>
  isOverLimit(c, 'UNKNOWN_CLOCK_BY_ADDRESS', addressKey(c))

const limitByUser = (
  name: RateLimitName,
  countOf: (c: Context<UserEnv>) => number | Promise<number> = () => 1,
) =>
  createMiddleware<UserEnv>(async (c, next) => {
    const context = c as unknown as Context<AppEnv>
    const { claims, authorizedDb } = c.var
    // The caller is checked first, so that requests with an ended token do not count.
    await authorizedDb.ensureChecked()
    const isOver = await isOverLimit(context, name, String(claims.userId), await countOf(c))
    if (isOver) return tooManyRequests(c)
    await next()
  })

/** Limits attempts to guess the current password with a stolen token. */
export const limitPassword = limitByUser('PASSWORD_BY_USER')

/**
 * Limits reads of hours by their cost, which `weeksOf` returns: the number of weeks of all employees
 * that the request reads.
 */
export const limitHours = (weeksOf: (c: Context<UserEnv>) => number | Promise<number>) =>
  limitByUser('HOURS_BY_USER', weeksOf)

/**
 * Limits closings, their previews and files, together with reads of hours. Each request counts as
 * four weeks of all employees.
 */
export const limitClosings = limitHours(() => 4)

/**
 * Limits reviews together with reads of hours. A request reads at most 100 person-months, which
 * cost less than one week of all employees.
 */
export const limitReviews = limitHours(() => 1)

/**
 * Limits writes of employees, users, links, agreements and papers. A load of 5,000 employees in
 * bulks passes.
 */
export const limitPeople = limitByUser('PEOPLE_BY_USER')

/** Limits how often a user registers phones, each of which the service then sends messages to. */
export const limitPush = limitByUser('PUSH_BY_USER')

/** Limits exports of logs, which can read any number of rows. */
export const limitExport = limitByUser('EXPORT_BY_USER')

/** Limits the feed of changes. The limit is generous, because a page has up to 500 changes. */
export const limitChanges = limitByUser('CHANGES_BY_USER')

/** Limits checkpoints, because each may have to seal the newest events. */
export const limitCheckpoint = limitByUser('CHECKPOINT_BY_USER')

const limitFirstFile = limitByUser('EVIDENCE_BY_USER')

/**
 * Limits evidence, because its proofs take seconds of CPU time. The further files of a branch count
 * with the exports of logs, so that somebody gets several of them at once.
 */
export const limitEvidence = createMiddleware<UserEnv>((c, next) =>
  c.req.query('cursor') === undefined ? limitFirstFile(c, next) : limitExport(c, next),
)
