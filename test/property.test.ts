import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { aClient, aConfigEntry, aLog, aModule, anAdmin } from './support/factories.ts'

/** Bounded in count, and the same every time; a failure prints its seed and its smallest case. */
const RUNS = { numRuns: 120, seed: 20261121 }

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    "' OR 1=1 --",
    '\ud800',
    '\0',
    '%',
    '"; DROP TABLE users; --',
    ' ',
    '🙂'.repeat(501),
  ),
)

const value = fc.oneof(
  text,
  fc.double(),
  fc.maxSafeInteger(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 1, '1', 'approved', 'pending', -0, 2 ** 53, [], {}),
)

const body = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      'email',
      'password',
      'current_password',
      'code',
      'log_id',
      'status',
      'comment',
      'log_ids',
      'expected_status',
      '__proto__',
      'constructor',
    ),
    value,
  ),
  fc.jsonValue(),
)

const raw = fc.oneof(
  body.map((json) => JSON.stringify(json)),
  text,
  fc.uint8Array({ maxLength: 200 }),
)

const header = fc.string({
  unit: fc.constantFrom(...'abcXYZ019 -_=/.,;:"\\\'<>()[]{}|~!#$%&*+?@^`\t'),
})

const ENDPOINTS = [
  ['POST', '/api/auth/login'],
  ['GET', '/api/auth/me'],
  ['POST', '/api/auth/logout'],
  ['POST', '/api/auth/logout_all'],
  ['POST', '/api/auth/password'],
  ['GET', '/api/v2/clients/modules_enabled'],
  ['POST', '/api/v2/clients/validate-code'],
  ['GET', '/api/v2/clients/config/logo'],
  ['POST', '/api/v2/incidents/change_log_status'],
  ['POST', '/api/v2/incidents/change_logs_status'],
  ['GET', '/api/v2/incidents/logs'],
  ['GET', '/api/v2/incidents/logs/summary'],
  ['GET', '/api/v2/incidents/logs/1'],
] as const

const TABLES = [
  'users',
  'revoked_tokens',
  'attendance_logs',
  'log_comments',
  'log_audit',
  'clients',
  'config_entries',
  'modules',
]

/** Everything that a request could have changed. */
const contents = async () => {
  const all = TABLES.map((table) => env.DB.prepare(`SELECT * FROM ${table}`))
  return JSON.stringify((await env.DB.batch(all)).map(({ results }) => results))
}

/** The answer has a shape of the contract, for its status. */
const isOfTheContract = (status: number, path: string, body: Record<string, unknown>) => {
  const keys = Object.keys(body).sort().join()
  if (status === 200) return keys === 'data,message,success' && body.success === true
  if (status === 401 && path.startsWith('/api/auth/me')) return keys === 'message'
  if (status === 422 && path.includes('validate-code')) return keys === 'errors,message'
  const envelope = status === 422 ? 'data,errors,message,success' : 'data,message,success'
  return keys === envelope && body.success === false && body.data === null
}

const send = async (path: string, init: RequestInit) => {
  const before = await contents()
  const res = await app.request(`http://localhost${path}`, init, env)
  const answer = await res.text()
  expect(res.status, answer).toBeLessThan(500)
  expect(isOfTheContract(res.status, path, JSON.parse(answer)), `${res.status} ${answer}`).toBe(
    true,
  )
  if (res.status !== 200) expect(await contents()).toBe(before)
}

const populate = async () => {
  await aClient({ code: 'NORTE-01' })
  await aConfigEntry({ key: 'logo' })
  await aModule()
  await aLog({ id: 1 })
  return anAdmin()
}

it.each(ENDPOINTS.filter(([method]) => method === 'POST'))(
  'any body: %s %s',
  async (method, path) => {
    const { token } = await populate()
    await fc.assert(
      fc.asyncProperty(raw, fc.boolean(), (sent, signedIn) =>
        send(path, {
          method,
          body: sent as BodyInit,
          headers: signedIn ? { Authorization: `Bearer ${token}` } : {},
        }),
      ),
      RUNS,
    )
  },
)

it.each(ENDPOINTS)('any headers: %s %s', async (method, path) => {
  await populate()
  const names = [
    'Authorization',
    'Content-Type',
    'Origin',
    'X-Request-Id',
    'Accept',
    'CF-Connecting-IP',
    'Host',
  ]
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), header), (headers) =>
      send(path, { method, headers: Object.entries(headers) }),
    ),
    { ...RUNS, numRuns: 50 },
  )
})

it.each(['/logs', '/logs/summary'])('any query: %s', async (path) => {
  const { token } = await populate()
  const names = [
    'status',
    'kind',
    'employee_id',
    'branch_office',
    'department',
    'from',
    'to',
    'order',
    'limit',
    'cursor',
  ]
  const part = fc.oneof(
    text.map((part) => part.toWellFormed()),
    fc.constantFrom('pending', 'salida', '2026-11-02', '5'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...names), part), { maxLength: 6 }),
      (query) =>
        send(`/api/v2/incidents${path}?${new URLSearchParams(query)}`, {
          method: 'GET',
          headers: { Authorization: `Bearer ${token}` },
        }),
    ),
    RUNS,
  )
})

it('any path', async () => {
  await populate()
  const segment = fc.oneof(
    text.map((part) => encodeURIComponent(part.toWellFormed())),
    header.map((h) => h.replace(/[?#\\\t]/g, '')),
  )
  const path = fc.oneof(
    fc.array(segment, { maxLength: 5 }).map((parts) => `/api/${parts.join('/')}`),
    segment.map((name) => `/api/v2/clients/config/${name}`),
  )
  await fc.assert(
    fc.asyncProperty(path, (address) => send(address, { method: 'GET' })),
    RUNS,
  )
})
