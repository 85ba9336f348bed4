import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { emailKey } from '../shared/email.ts'
import type { AppEnv } from './context.ts'
import { refuse } from './errors.ts'
import { InvalidSettings } from './settings.ts'
import { readBody } from './validate.ts'

/** The bindings of wrangler.toml that limit something, each over a minute. */
type Limiter = {
  [Name in keyof Env]: Env[Name] extends RateLimit ? Name : never
}[keyof Env]

const PERIOD_SECONDS = 60

/** Longer texts share a limit with what begins like them. */
const KEY_MAX = 320

/** The client's address as Cloudflare's edge sets it; on a developer's machine there is none. */
const clientAddress = (c: Context<AppEnv>): string => {
  const address = c.req.header('CF-Connecting-IP') || '127.0.0.1'
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Whom a limit counts as one: an IPv4 address, or an IPv6 network of 64 bits, a subscriber's own. */
const addressOf = (c: Context<AppEnv>): string => {
  const address = clientAddress(c)
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** The edge never sets a loopback address: only local runs have one, and they meet no limit. */
const isLoopback = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

const exceeds = async (c: Context<AppEnv>, name: Limiter, key: string): Promise<boolean> => {
  const limiter: RateLimit | undefined = c.env[name]
  if (!limiter) throw new InvalidSettings(`the rate limit binding ${name} is missing`)
  return (
    !isLoopback(clientAddress(c)) && !(await limiter.limit({ key: key.slice(0, KEY_MAX) })).success
  )
}

const slowDown = (c: Context) => {
  c.header('Retry-After', String(PERIOD_SECONDS))
  return refuse(c, 'TOO_MANY_REQUESTS')
}

/** Guessing one account from one address, and many accounts from one; never locks an account. */
export const throttleLogin = createMiddleware<AppEnv>(async (c, next) => {
  const { email } = await readBody(c)
  const account = typeof email === 'string' ? emailKey(email) : ''
  const address = addressOf(c)
  if (await exceeds(c, 'LOGIN_BY_ADDRESS', address)) return slowDown(c)
  if (await exceeds(c, 'LOGIN_BY_ACCOUNT', `${address} ${account}`)) return slowDown(c)
  await next()
})

/** Guessing codes; generous, because the phones of a whole company may share an address. */
export const throttleCode = createMiddleware<AppEnv>(async (c, next) => {
  if (await exceeds(c, 'CODE_BY_ADDRESS', addressOf(c))) return slowDown(c)
  await next()
})

/** Guessing the current password with a stolen token; stands behind the door. */
export const throttlePassword = createMiddleware<AppEnv & { Variables: { user: { id: number } } }>(
  async (c, next) => {
    if (await exceeds(c as Context, 'PASSWORD_BY_USER', String(c.var.user.id))) return slowDown(c)
    await next()
  },
)
