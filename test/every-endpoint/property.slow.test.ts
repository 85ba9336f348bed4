import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CONTRACT_PATHS } from '../../src/core/http/contract.ts'
import { app } from '../support/app.ts'
import { ENDPOINTS, seedEndpoints } from '../support/endpoints.ts'
import { allRows } from '../support/factories.ts'

/** A fixed seed makes the runs reproducible. A failure prints the smallest case that fails. */
const RUNS = { numRuns: 120, seed: 20261121 }

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom("' OR 1=1 --", '"; DROP TABLE users; --', '\ud800', '\0', '%', ' '),
  fc.constant('🙂'.repeat(501)),
)

const value = fc.oneof(
  text,
  fc.double(),
  fc.maxSafeInteger(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 1, '1', 'approved', 'pending', -0, 2 ** 53, [], {}),
)

const FIELDS = [
  ...['email', 'password', 'current_password', 'code'],
  ...['log_id', 'log_ids', 'status', 'expected_status', 'comment'],
]

const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS, '__proto__', 'constructor'), value),
  fc.jsonValue(),
)

const json = body.map((value) => JSON.stringify(value))
const raw = fc.oneof(json, text, fc.uint8Array({ maxLength: 200 }))

const LETTERS = 'abcXYZ019 -_=/.,;:"\\\'<>()[]{}|~!#$%&*+?@^`\t'
const header = fc.string({ unit: fc.constantFrom(...LETTERS) })

const isOfContract = (path: string) =>
  CONTRACT_PATHS.some((of) =>
    new RegExp(`^/api${of.replace('{config}', '[^/?]+')}/?(\\?|$)`).test(path),
  )

const matchesContract = (status: number, path: string, body: Record<string, unknown>) => {
  const { code, details, ...rest } = body
  const keys = Object.keys(rest).sort().join()
  // Only the failures of the contract's endpoints have no code.
  const hasCode = status !== 200 && !isOfContract(path)
  if (hasCode !== (typeof code === 'string') || (details !== undefined && !hasCode)) return false
  if (status === 200) return keys === 'data,message,success' && body.success === true
  if (status === 401 && path.startsWith('/api/auth/me')) return keys === 'message'
  if (status === 422 && path.includes('validate-code')) return keys === 'errors,message'
  const envelope = status === 422 ? 'data,errors,message,success' : 'data,message,success'
  return keys === envelope && body.success === false && body.data === null
}

type Rows = Awaited<ReturnType<typeof allRows>>

/** Returns a function that sends a request. What is refused must leave all rows as they are. */
const createSender = () => {
  /** All rows after the last request, if they were read. Nothing else changes them. */
  let rows: Rows | undefined
  return async (path: string, init: RequestInit) => {
    const before = rows ?? (await allRows())
    const res = await app.request(`http://localhost${path}`, init, env)
    const text = await res.text()
    expect(res.status, text).toBeLessThan(500)
    rows = res.status === 200 ? undefined : await allRows()
    if (rows) expect(rows).toEqual(before)
    if (!res.headers.get('Content-Type')?.startsWith('application/json')) return
    expect(matchesContract(res.status, path, JSON.parse(text)), `${res.status} ${text}`).toBe(true)
  }
}

const POSTS = ENDPOINTS.filter(({ method }) => method === 'POST')
it.each(POSTS)('$route keeps the contract with any body', async ({ method, good: { path } }) => {
  const { token } = await seedEndpoints()
  const send = createSender()
  await fc.assert(
    fc.asyncProperty(raw, fc.boolean(), (sent, signedIn) =>
      send(`/api${path}`, {
        method,
        body: sent as BodyInit,
        headers: signedIn ? { Authorization: `Bearer ${token}` } : {},
      }),
    ),
    RUNS,
  )
})

it.each(ENDPOINTS)(
  '$method $route keeps the contract with any headers',
  async ({ method, good: { path } }) => {
    await seedEndpoints()
    const send = createSender()
    const general = ['Host', 'Origin', 'Accept', 'Content-Type', 'Authorization']
    const names = fc.constantFrom(...general, 'X-Request-Id', 'CF-Connecting-IP')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, header), (headers) =>
        send(`/api${path}`, { method, headers: Object.entries(headers) }),
      ),
      { ...RUNS, numRuns: 50 },
    )
  },
)

it.each(ENDPOINTS.filter(({ query }) => query.length > 0))(
  '$method $route keeps the contract with any query',
  async ({ method, good: { path }, query: names }) => {
    const { token } = await seedEndpoints()
    const send = createSender()
    const part = fc.oneof(
      text.map((part) => part.toWellFormed()),
      fc.constantFrom('pending', 'salida', '2026-11-02', '5', 'csv', 'ndjson'),
    )
    const aQuery = fc.array(fc.tuple(fc.constantFrom(...names), part), { maxLength: 6 })
    const headers = { Authorization: `Bearer ${token}` }
    await fc.assert(
      fc.asyncProperty(aQuery, (query) =>
        send(`/api${path.split('?')[0]}?${new URLSearchParams(query)}`, { method, headers }),
      ),
      RUNS,
    )
  },
)

it('keeps the contract with any path', async () => {
  await seedEndpoints()
  const send = createSender()
  const segment = fc.oneof(
    text.map((part) => encodeURIComponent(part.toWellFormed())),
    header.map((h) => h.replace(/[?#\\\t]/g, '')),
  )
  const path = fc.oneof(
    fc.array(segment, { maxLength: 5 }).map((parts) => `/api/${parts.join('/')}`),
    segment.map((name) => `/api/v2/clients/config/${name}`),
  )
  const property = fc.asyncProperty(path, (address) => send(address, { method: 'GET' }))
  await fc.assert(property, RUNS)
})
