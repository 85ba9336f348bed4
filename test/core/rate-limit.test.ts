import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { call, expectFailure, post } from '../support/api.ts'
import { resetDatabase } from '../support/database.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { aClient, anAdmin, anEmployee, aUser, PASSWORD } from '../support/factories.ts'

// Emptying the tables would not be enough: the rate limits would keep the previous test's counts.
beforeEach(resetDatabase)

const MESSAGE = 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.'
const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })

const login = (email: string, address: string, settings: Partial<Env> = {}, password = 'otra') =>
  post('/auth/login', { email, password }, { ...from(address), env: settings })

const validate = (address: string, settings: Partial<Env> = {}) =>
  post('/v2/clients/validate-code', { code: 'NORTE-01' }, { ...from(address), env: settings })

/** A rate limit that records its keys. It allows every request, or none. */
const recordKeys = (success: boolean) => {
  const keys: string[] = []
  const limiter: RateLimit = {
    limit: async ({ key }) => {
      keys.push(key)
      return { success }
    },
  }
  return { keys, limiter }
}

const minuteNow = () => Math.floor(Date.now() / 60_000)

/**
 * Limits count per minute of the clock. Returns the statuses of requests made within one minute.
 * If a new minute begins meanwhile, the requests are repeated from the next address.
 */
const inOneMinute = async (request: (address: string) => Promise<number[]>): Promise<number[]> => {
  for (let host = 7; host < 250; host += 2) {
    const minute = minuteNow()
    const statuses = await request(`203.0.113.${host}`)
    if (minuteNow() === minute) return statuses
  }
  throw new Error('No minute was long enough.')
}

type LimitName = Extract<keyof Env, `${string}_BY_${string}`>

/** Uses up part of a limit as `count` real requests do, with the same keys. */
const useUp = async (
  name: LimitName,
  count: number,
  request: (settings: Partial<Env>) => Promise<unknown>,
) => {
  const { keys, limiter } = recordKeys(true)
  await request({ [name]: limiter })
  const all = Array.from({ length: count }, () => keys).flat()
  await Promise.all(all.map((key) => env[name].limit({ key })))
}

const nextTo = (address: string) => address.replace(/\d+$/, (host) => String(Number(host) + 1))

/** The statuses of the last allowed request, of the next one, and of one from another address. */
const statusesAfter = (
  name: 'LOGIN_BY_ADDRESS' | 'UNKNOWN_BY_ADDRESS',
  count: number,
  request: (address: string, settings?: Partial<Env>) => Promise<{ status: number }>,
) =>
  inOneMinute(async (address) => {
    await useUp(name, count, (settings) => request(address, settings))
    const last = await request(address)
    const rejected = await request(address)
    const elsewhere = await request(nextTo(address))
    return [last, rejected, elsewhere].map(({ status }) => status)
  })

describe('sign-in', () => {
  it('is limited to ten a minute for one account from one address', async () => {
    await aUser({ email: 'ana@empresa.mx' })
    const statuses = await inOneMinute(async (address) => {
      await useUp('LOGIN_BY_ACCOUNT', 9, (settings) => login(' ANA@empresa.mx ', address, settings))
      const last = await login('ana@EMPRESA.mx', address)
      const rejected = await login('ana@empresa.mx', address, {}, PASSWORD)
      // The account may still sign in from elsewhere, and the address to other accounts.
      const elsewhere = await login('ana@empresa.mx', nextTo(address), {}, PASSWORD)
      const other = await login('eva@empresa.mx', address)
      return [last, rejected, elsewhere, other].map(({ status }) => status)
    })
    expect(statuses).toEqual([401, 429, 200, 401])
  })

  it('is limited to a hundred a minute for one address', async () => {
    const statuses = await statusesAfter('LOGIN_BY_ADDRESS', 99, (address, settings) =>
      login(settings ? 'ana@empresa.mx' : 'eva@empresa.mx', address, settings),
    )
    expect(statuses).toEqual([401, 429, 401])
  })

  it('counts the number and the address of one account together, and forms of an unknown one', async () => {
    await anEmployee({ employee_id: '00125' })
    const { id } = await aUser({ email: 'ana@empresa.mx', employee_id: '00125' })
    const { keys, limiter } = recordKeys(true)
    const settings = { LOGIN_BY_ACCOUNT: limiter }
    const keysOf = async (...emails: string[]) => {
      keys.length = 0
      for (const email of emails) await login(email, '203.0.113.7', settings)
      return [...new Set(keys)]
    }
    const numbers = ['125', '00125'].map((number) => `${number}@sin-correo.invalid`)
    expect(await keysOf('Ana@empresa.mx', ...numbers)).toEqual([`203.0.113.7 ${id}`])
    const unknown = ['e-9', 'E%209', '00E-9'].map((number) => `${number}@sin-correo.invalid`)
    expect(await keysOf(...unknown)).toHaveLength(1)
    expect(await keysOf(`${id}@sin-correo.invalid`)).not.toEqual([`203.0.113.7 ${id}`])
  })

  it('does not count invalid bodies, which would use up the limit of a whole office', async () => {
    const [account, address] = [recordKeys(true), recordKeys(true)]
    const settings = { LOGIN_BY_ACCOUNT: account.limiter, LOGIN_BY_ADDRESS: address.limiter }
    for (const body of ['{', {}, { email: 'ana@empresa.mx' }, { email: 'x', password: 'y' }]) {
      const res = await post('/auth/login', body, { ...from('203.0.113.7'), env: settings })
      expect(res.status).toBe(422)
    }
    expect([account.keys, address.keys]).toEqual([[], []])
  })
})

describe('the key of an address', () => {
  const keyOf = async (address: string) => {
    const { keys, limiter } = recordKeys(true)
    await validate(address, { UNKNOWN_BY_ADDRESS: limiter })
    return keys[0]
  }

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:0DB8:1:2::1', '2001:db8:1:2:3:4:5:6', true],
    ['2001:db8::1', '2001:db8:0:0:9::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
  ])('of %s and %s is the same: %s', async (one, other, same) => {
    expect((await keyOf(one)) === (await keyOf(other))).toBe(same)
  })

  const ODD = ['1:2:3:4:5:6:7:8:9::', '::1:1', ':::', 'x:y', '127.evil', '127.0.0.1, 203.0.113.7']
  it.each(ODD)('exists for %s, which is no loopback address', async (address) => {
    expect(await keyOf(address)).toBeTypeOf('string')
  })
})

const LOOPBACK = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']
it.each(LOOPBACK)('never limits %s', async (address) => {
  await aClient({ code: 'NORTE-01' })
  const { limiter } = recordKeys(false)
  expect((await validate(address, { UNKNOWN_BY_ADDRESS: limiter })).status).toBe(200)
  expect((await validate('203.0.113.7', { UNKNOWN_BY_ADDRESS: limiter })).status).toBe(429)
})

it('limits validate-code to six hundred a minute for one address', async () => {
  await aClient({ code: 'NORTE-01' })
  const statuses = await statusesAfter('UNKNOWN_BY_ADDRESS', 599, validate)
  expect(statuses).toEqual([200, 429, 200])
})

it.each([
  ['LOGIN_BY_ACCOUNT', '/auth/login', { email: 'ana@empresa.mx', password: 'otra' }],
  ['UNKNOWN_BY_ADDRESS', '/v2/clients/validate-code', { code: 'NORTE-01' }],
])('has Retry-After over the limit %s', async (name, path, body) => {
  const settings = { [name]: recordKeys(false).limiter }
  const res = await post(path, body, { ...from('203.0.113.7'), env: settings })
  expectFailure(res, 429, MESSAGE)
  expect(res.headers.get('Retry-After')).toBe('60')
})

describe.each([
  ['/auth/invitation/check', { token: 'x' }],
  ['/auth/invitation', { token: 'x', password: 'una clave larga' }],
])('%s', (path, body) => {
  it('shares the limit of sign-in: a hundred a minute for one address', async () => {
    const statuses = await statusesAfter('LOGIN_BY_ADDRESS', 99, (address, settings = {}) =>
      post(path, body, { ...from(address), env: settings }),
    )
    expect(statuses).toEqual([410, 429, 410])
  })
})

describe('limits by user', () => {
  const WEEK = 'from=2026-05-04&to=2026-05-10'
  const LIMITED: [string, string, LimitName, number, number][] = [
    ['POST', '/auth/password', 'WRITES_BY_USER', 422, 5],
    ['GET', '/v2/incidents/export?format=csv', 'EXPORTS_BY_USER', 200, 5],
    ['GET', '/v2/incidents/hours?format=csv', 'EXPORTS_BY_USER', 200, 24],
    ['GET', `/v2/incidents/hours?format=csv&${WEEK}`, 'EXPORTS_BY_USER', 200, 120],
    ['GET', '/v2/incidents/hours?format=csv&employee_id=E-1', 'EXPORTS_BY_USER', 200, 120],
    ['POST', '/v2/incidents/hours/reviews', 'EXPORTS_BY_USER', 422, 120],
    ['GET', '/v2/incidents/closings/preview?before=x', 'EXPORTS_BY_USER', 422, 30],
    ['GET', '/v2/incidents/closings/preview/lines?before=x', 'EXPORTS_BY_USER', 422, 30],
    ['POST', '/v2/incidents/closings', 'EXPORTS_BY_USER', 422, 30],
    ['GET', '/v2/incidents/changes', 'EXPORTS_BY_USER', 200, 60],
    ['GET', '/v2/audit/checkpoint', 'EXPORTS_BY_USER', 404, 60],
    ['POST', '/v2/people/employees/bulk', 'WRITES_BY_USER', 422, 60],
    ['PUT', '/v2/people/employees/E-1', 'WRITES_BY_USER', 422, 60],
    ['POST', '/v2/people/users', 'WRITES_BY_USER', 422, 60],
    ['POST', '/v2/people/users/999999/invitation', 'WRITES_BY_USER', 404, 60],
    ['POST', '/v2/people/invitations', 'WRITES_BY_USER', 422, 60],
  ]

  it.each(LIMITED)('%s %s: limits each user, from any address', async (...limited) => {
    const [method, path, name, status, limit] = limited
    const statuses = await inOneMinute(async () => {
      const [user, other] = [await anAdmin(), await anAdmin()]
      const request = async ({ token }: { token: string }, i: number, env: Partial<Env> = {}) =>
        (await call(method, path, { token, ...from(`203.0.113.${i}`), env })).status
      await useUp(name, limit - 1, (settings) => request(user, 0, settings))
      return [await request(user, 1), await request(user, 2), await request(other, 0)]
    })
    expect(statuses).toEqual([status, 429, status])
  })

  it.each(LIMITED)('%s %s: unauthorized callers do not count', async (method, path, name) => {
    const inactive = await anAdmin({ active: 0 })
    const { keys, limiter } = recordKeys(true)
    for (const token of [undefined, inactive.token]) {
      const options = { ...from('203.0.113.7'), env: { [name]: limiter }, ...(token && { token }) }
      expect((await call(method, path, options)).status).toBe(401)
    }
    expect(keys).toEqual([])
  })
})

it('asks a limit as often as a request counts, at once', async () => {
  const { token } = await anAdmin()
  let [asked, waiting] = [0, 0]
  const limiter: RateLimit = {
    limit: async () => {
      waiting++
      await Promise.resolve()
      asked = Math.max(asked, waiting)
      waiting--
      return { success: true }
    },
  }
  const path = '/v2/incidents/hours?format=csv&from=2025-12-01&to=2026-11-24'
  const env = { EXPORTS_BY_USER: limiter }
  expect((await call('GET', path, { token, ...from('203.0.113.7'), env })).status).toBe(200)
  expect(asked).toBe(52)
})

it('counts the writes of a user together, those that check a password as twelve', async () => {
  const { token } = await anAdmin()
  let left = 60
  const limiter: RateLimit = { limit: async () => ({ success: --left >= 0 }) }
  const options = { token, ...from('203.0.113.7'), env: { WRITES_BY_USER: limiter } }
  const statuses = []
  const [write, password] = ['/v2/people/users', '/auth/password']
  for (const path of [write, ...Array<string>(4).fill(password), write]) {
    statuses.push((await post(path, {}, options)).status)
  }
  expect([statuses, left]).toEqual([Array(6).fill(422), 10])
  expect((await post('/auth/password', {}, options)).status).toBe(429)
})

const PEOPLE_WRITES = REQUESTS.filter(
  ({ endpoint: { method, route }, request }) =>
    method !== 'GET' && /^\/v2\/(people|agreements)/.test(route) && request.status === 200,
)

it.each(PEOPLE_WRITES)('$name: is limited by user, after the 403', async (one) => {
  const { token } = await seedEndpoints()
  const { keys, limiter } = recordKeys(false)
  const env = { WRITES_BY_USER: limiter }
  const statusOf = async (caller: string) =>
    (await send(one.endpoint, one.request, { ...from('203.0.113.7'), token: caller, env })).status
  if (one.endpoint.access === 'admin') {
    const { token: other } = await aUser()
    expect([await statusOf(other), keys]).toEqual([403, []])
  }
  const count = one.endpoint.route.endsWith('/accept') ? 12 : 1
  expect([await statusOf(token), keys.length]).toEqual([429, count])
})

it.each([
  ['LOGIN_BY_ACCOUNT', 'POST', '/auth/login', { email: 'ana@empresa.mx', password: 'x' }],
  ['LOGIN_BY_ADDRESS', 'POST', '/auth/login', { email: 'ana@empresa.mx', password: 'x' }],
  ['UNKNOWN_BY_ADDRESS', 'POST', '/v2/clients/validate-code', {}],
  ['WRITES_BY_USER', 'POST', '/auth/password', {}],
  ['EXPORTS_BY_USER', 'GET', '/v2/incidents/export?format=csv', undefined],
  ['EXPORTS_BY_USER', 'GET', '/v2/incidents/hours?format=csv', undefined],
  ['EXPORTS_BY_USER', 'GET', '/v2/incidents/changes', undefined],
  ['EXPORTS_BY_USER', 'GET', '/v2/audit/checkpoint', undefined],
  ['WRITES_BY_USER', 'POST', '/v2/people/employees/bulk', {}],
  ['LOGIN_BY_ADDRESS', 'POST', '/auth/invitation/check', { token: 'x' }],
  ['LOGIN_BY_ADDRESS', 'POST', '/auth/invitation', { token: 'x', password: 'una clave larga' }],
])('is a 500, on loopback too, when %s is not bound', async (binding, method, path, body) => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { token } = await anAdmin()
  const res = await call(method, path, { body, token, env: { [binding]: undefined } })
  expect(res.status).toBe(500)
  expect(String(error.mock.calls[0]?.[0])).toContain(`the rate limit binding ${binding} is missing`)
  error.mockRestore()
})
