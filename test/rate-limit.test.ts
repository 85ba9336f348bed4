import { describe, expect, it, vi } from 'vitest'
import { failure, post } from './support/api.ts'
import { aClient, aUser, PASSWORD } from './support/factories.ts'

vi.setConfig({ testTimeout: 40_000 })

const TOO_MANY_REQUESTS = failure('Demasiados intentos. Espera un minuto y vuelve a intentarlo.')
const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })

const login = (email: string, address: string, password = '') =>
  post('/auth/login', { email, password }, from(address))

const validate = (address: string) =>
  post('/v2/clients/validate-code', { code: 'NORTE-01' }, from(address))

/** Limits count per minute of the wall clock: waits for the next one if this one is nearly over. */
const waitForMinute = async (seconds: number) => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}

/** The statuses of `count` requests, one after the other, within one minute. */
const statuses = async (count: number, request: (i: number) => Promise<{ status: number }>) => {
  await waitForMinute(3 + count / 50)
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await request(i)).status)
  return seen
}

describe('sign-in', () => {
  it('is limited to ten a minute for one account from one address', async () => {
    await aUser({ email: 'ana@empresa.mx' })
    const spellings = ['ana@empresa.mx', 'ANA@empresa.mx', ' ana@EMPRESA.mx ']
    const seen = await statuses(10, (i) => login(spellings[i % 3] ?? '', '203.0.113.7'))
    expect(seen).toEqual(Array(10).fill(422))

    const res = await login('ana@empresa.mx', '203.0.113.7', PASSWORD)
    expect(res.status).toBe(429)
    expect(res.headers.get('Retry-After')).toBe('60')
    expect(res.body).toEqual(TOO_MANY_REQUESTS)

    // Neither the account nor the address is locked.
    expect((await login('ana@empresa.mx', '203.0.113.8', PASSWORD)).status).toBe(200)
    expect((await login('eva@empresa.mx', '203.0.113.7')).status).toBe(422)
  })

  it('is limited to a hundred a minute for one address', async () => {
    const seen = await statuses(100, (i) => login(`p${i}@empresa.mx`, '203.0.113.7'))
    expect(seen).toEqual(Array(100).fill(422))
    expect((await login('otra@empresa.mx', '203.0.113.7')).status).toBe(429)
    expect((await login('otra@empresa.mx', '203.0.113.8')).status).toBe(422)
  })

  it('is limited without an email in the body too', async () => {
    const seen = await statuses(11, () => post('/auth/login', '{', from('203.0.113.7')))
    expect(seen).toEqual([...Array(10).fill(422), 429])
  })
})

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:0DB8:1:2::1', '2001:db8:1:2:3:4:5:6', true],
  ['2001:db8::1', '2001:db8:0:0:9::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:203.0.113.7', '203.0.113.7', true],
])('counts %s and %s as one network: %s', async (one, other, same) => {
  await statuses(10, () => login('ana@empresa.mx', one))
  expect((await login('ana@empresa.mx', other)).status).toBe(same ? 429 : 422)
})

it.each(['127.evil', '127.0.0.1, 203.0.113.7', '::1:1'])(
  'does not treat %s as loopback',
  async (address) => {
    const seen = await statuses(11, () => login('ana@empresa.mx', address))
    expect(seen.at(-1)).toBe(429)
  },
)

describe('validate-code', () => {
  it('is limited to six hundred a minute for one address', async () => {
    await aClient({ code: 'NORTE-01' })
    const seen = await statuses(600, () => validate('203.0.113.7'))
    expect(new Set(seen)).toEqual(new Set([200]))
    const res = await validate('203.0.113.7')
    expect([res.status, res.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(res.body).toEqual(TOO_MANY_REQUESTS)
    expect((await validate('203.0.113.8')).status).toBe(200)
  })
})

describe('password changes', () => {
  it('are limited to five a minute for one user, from any address', async () => {
    const [user, other] = [await aUser(), await aUser()]
    const change = (token: string, i: number) =>
      post('/auth/password', {}, { token, ...from(`203.0.113.${i}`) })
    const seen = await statuses(6, (i) => change(user.token, i))
    expect(seen).toEqual([422, 422, 422, 422, 422, 429])
    expect((await change(other.token, 0)).status).toBe(422)
  })

  it('are a 401 without a token, before they count', async () => {
    const seen = await statuses(8, () => post('/auth/password', {}, from('203.0.113.7')))
    expect(new Set(seen)).toEqual(new Set([401]))
  })
})

it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
  'never limits %s',
  async (address) => {
    const seen = await statuses(12, () => login('ana@empresa.mx', address))
    expect(new Set(seen)).toEqual(new Set([422]))
  },
)

it.each([
  ['LOGIN_BY_ACCOUNT', '/auth/login'],
  ['LOGIN_BY_ADDRESS', '/auth/login'],
  ['CODE_BY_ADDRESS', '/v2/clients/validate-code'],
  ['PASSWORD_BY_USER', '/auth/password'],
])('is a 500, on loopback too, when %s is not bound', async (binding, path) => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { token } = await aUser()
  const res = await post(path, {}, { token, env: { [binding]: undefined } })
  expect(res.status).toBe(500)
  expect(String(error.mock.calls[0]?.[0])).toContain(`the rate limit binding ${binding} is missing`)
  error.mockRestore()
})
