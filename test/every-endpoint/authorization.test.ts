import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { revoked_tokens, users } from '../../src/core/tables/users.ts'
import { app } from '../support/app.ts'
import { ENDPOINTS, REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import {
  allRows,
  anAdmin,
  anEmployee,
  aUser,
  db,
  hideTable,
  tokenFor,
} from '../support/factories.ts'
import { failStatementsAfter } from '../support/fault-injection.ts'
import { expectRejection } from '../support/rejections.ts'

/** Tests how callers are identified. callers.test.ts tests what each role may call. */

const HEALTH = ['GET /health', 'GET /api/health']

it('the table of endpoints has every endpoint of the app', () => {
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`)
  const rows = ENDPOINTS.map(({ method, route }) => `${method} /api${route}`)
  expect(new Set(routes)).toEqual(new Set([...rows, ...HEALTH]))
})

const PROTECTED = REQUESTS.filter(({ endpoint }) => endpoint.access !== 'public')

/** Tokens that only the database can reject, by the reason. */
const ENDED = {
  'an inactive user': async () => (await anAdmin({ active: 0 })).token,
  'a token of an earlier version': async () =>
    tokenFor({ ...(await anAdmin({ token_version: 1 })), token_version: 0 }),
  'a revoked token': async () => {
    const { id, token, claims } = await anAdmin()
    await db.insert(revoked_tokens).values({ jti: claims.jti, user_id: id })
    return token
  },
  'a deleted user': async () => {
    const { id, token } = await anAdmin()
    await db.delete(users).where(eq(users.id, id))
    return token
  },
}

describe('every protected endpoint, for any request', () => {
  const INVALID_TOKENS = [undefined, 'x', 'a.b.c']
  it.each(INVALID_TOKENS)('is a 401 for the token %s, before any query', async (token) => {
    for (const row of PROTECTED) {
      await expectRejection(row, { ...(token && { token }) }, { status: 401, roundTrips: 0 })
    }
  })

  it.each(Object.entries(ENDED))('is a 401 for %s, and writes nothing', async (_, endToken) => {
    await seedEndpoints()
    const token = await endToken()
    const before = await allRows()
    for (const row of PROTECTED) await expectRejection(row, { token }, { status: 401 })
    expect(await allRows()).toEqual(before)
  })

  it('runs more statements for an administrator than for a rejected caller', async () => {
    await seedEndpoints()
    let failures = 0
    for (const { name, endpoint, request } of PROTECTED) {
      // The endpoints for the caller's own logs need an employee.
      const { employee_id } = await anEmployee()
      const { token } = await anAdmin({ employee_id })
      const { DB, failed } = failStatementsAfter(0)
      const { status } = await send(endpoint, request, { token, env: { DB } })
      expect.soft(status, name).toBe(failed() ? 500 : request.status)
      if (failed()) failures++
    }
    expect(failures).toBeGreaterThan(ENDPOINTS.length / 2)
  })
})

it('checks the caller without any table of logs', async () => {
  await seedEndpoints()
  const token = await ENDED['an inactive user']()
  for (const table of ['attendance_logs', 'log_comments', 'log_events']) await hideTable(table)
  for (const { name, endpoint, request } of PROTECTED) {
    expect.soft((await send(endpoint, request, { token })).status, name).toBe(401)
  }
})

it.each([undefined, 'x'])('public endpoints ignore the token %s', async (token) => {
  await seedEndpoints()
  for (const { name, endpoint, request } of REQUESTS) {
    if (endpoint.access !== 'public') continue
    const { status } = await send(endpoint, request, { ...(token && { token }) })
    expect.soft(status, name).toBe(request.status)
  }
})

describe('concurrent requests to sign out everywhere, with one token', () => {
  it('increment the version once: all but one are a 401', async () => {
    const { token, id } = await aUser()
    const endpoint = ENDPOINTS.find(({ route }) => route === '/auth/logout_all')
    if (!endpoint) return expect.unreachable()
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => send(endpoint, endpoint.good, { token })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401])
    const [user] = await db.select().from(users).where(eq(users.id, id))
    expect(user?.token_version).toBe(1)
  })
})
