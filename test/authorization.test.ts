import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { revoked_tokens, users } from '../src/db/schema.ts'
import { failure } from './support/api.ts'
import { ENDPOINTS, REQUESTS, seedEndpoints, send } from './support/endpoints.ts'
import { allRows, anAdmin, aUser, db, hideTable, tokenFor } from './support/factories.ts'
import { failStatementsAfter } from './support/fault-injection.ts'
import { recordQueries } from './support/record-queries.ts'

/** Endpoints outside `/api`, for monitoring. */
const OUTSIDE_API = ['GET /health']

it('has every endpoint of the app in the table of endpoints', () => {
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`)
  const rows = ENDPOINTS.map(({ method, route }) => `${method} /api${route}`)
  expect(new Set(routes)).toEqual(new Set([...rows, ...OUTSIDE_API]))
})

/** Tokens that ended in each possible way. */
const endedTokens = async () => {
  const [inactive, ended, revoked, deleted] = [
    await anAdmin({ active: 0 }),
    await anAdmin({ token_version: 1 }),
    await anAdmin(),
    await anAdmin(),
  ]
  await db.insert(revoked_tokens).values({ jti: revoked.claims.jti, user_id: revoked.id })
  await db.delete(users).where(eq(users.id, deleted.id))
  return [
    { caller: 'an inactive user', token: inactive.token },
    {
      caller: 'a token of an earlier version',
      token: await tokenFor({ ...ended, token_version: 0 }),
    },
    { caller: 'a revoked token', token: revoked.token },
    { caller: 'a deleted user', token: deleted.token },
  ]
}

/** Unauthorized callers of every kind that only the database can reject. */
const unauthorizedCallers = async (access: 'user' | 'admin') => {
  const ended = (await endedTokens()).map((caller) => ({ ...caller, status: 401 }))
  if (access === 'user') return ended
  return [...ended, { caller: 'an employee', token: (await aUser()).token, status: 403 }]
}

const MESSAGES: Record<number, string> = {
  401: 'No autenticado.',
  403: 'No tienes permiso para realizar esta acción.',
}

const bodyOf = (route: string, status: number) => {
  const message = MESSAGES[status] ?? ''
  return route === '/auth/me' ? { message } : failure(message)
}

const PROTECTED = REQUESTS.filter(({ endpoint }) => endpoint.access !== 'public')

describe.each(PROTECTED)('$name', ({ endpoint, request }) => {
  const access = endpoint.access as 'user' | 'admin'

  it('is a 401 without a token, before any query', async () => {
    const { recording, DB } = recordQueries(env.DB)
    for (const options of [{}, { token: 'x' }, { token: 'a.b.c' }]) {
      const res = await send(endpoint, request, { ...options, env: { DB } })
      expect(res.status).toBe(401)
      expect(res.body).toEqual(bodyOf(endpoint.route, 401))
      expect(res.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
    expect(recording.calls).toBe(0)
  })

  it('returns and writes nothing for an unauthorized caller, in one round trip', async () => {
    await seedEndpoints()
    const callers = await unauthorizedCallers(access)
    const before = await allRows()

    for (const { caller, token, status } of callers) {
      const { recording, DB } = recordQueries(env.DB)
      const res = await send(endpoint, request, { token, env: { DB } })
      expect(res.status, caller).toBe(status)
      expect(res.body, caller).toEqual(bodyOf(endpoint.route, status))
      expect(res.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
      expect(recording.calls, caller).toBe(1)
    }

    expect(await allRows()).toEqual(before)
  })

  it('executes no statement after the authorization of an unauthorized caller', async () => {
    const admin = await seedEndpoints()
    const callers = await unauthorizedCallers(access)
    for (const { caller, token, status } of callers) {
      const { DB } = failStatementsAfter(0)
      expect((await send(endpoint, request, { token, env: { DB } })).status, caller).toBe(status)
    }
    // The same statements do fail once they are executed.
    const { DB, failed } = failStatementsAfter(0)
    const { status } = await send(endpoint, request, { token: admin.token, env: { DB } })
    expect(status).toBe(failed() ? 500 : request.status)
  })

  it('is a 401 or 403 even without the tables that it reads', async () => {
    await seedEndpoints()
    const callers = await unauthorizedCallers(access)
    for (const table of ['attendance_logs', 'log_comments', 'log_events']) await hideTable(table)
    for (const { caller, token, status } of callers) {
      expect((await send(endpoint, request, { token })).status, caller).toBe(status)
    }
  })

  it('is processed for an administrator', async () => {
    const { token } = await seedEndpoints()
    expect((await send(endpoint, request, { token })).status).toBe(request.status)
  })
})

describe.each(REQUESTS.filter(({ endpoint }) => endpoint.access === 'public'))(
  '$name',
  ({ endpoint, request }) => {
    it('needs no token, and ignores an invalid one', async () => {
      await seedEndpoints()
      for (const options of [{}, { token: 'x' }]) {
        expect((await send(endpoint, request, options)).status).toBe(request.status)
      }
    })
  },
)

describe('concurrent requests to sign out everywhere, with one token', () => {
  it('increment the version once: all but one are a 401', async () => {
    const { token, id } = await aUser()
    const endpoint = ENDPOINTS.find(({ route }) => route === '/auth/logout_all')
    if (!endpoint) return expect.unreachable()
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await send(endpoint, endpoint.good, { token })).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401])
    const [user] = await db.select().from(users).where(eq(users.id, id))
    expect(user?.token_version).toBe(1)
  })
})
