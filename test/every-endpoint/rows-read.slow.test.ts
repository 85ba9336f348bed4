import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { users } from '../../src/core/tables/users.ts'
import { type CallOptions, call } from '../support/api.ts'
import { resetDatabase } from '../support/database.ts'
import { ADMIN_EMAIL, ENDPOINTS, type Endpoint, seedEndpoints, send } from '../support/endpoints.ts'
import { db, inBranches, tokenFor } from '../support/factories.ts'
import { populate } from '../support/populate.ts'
import { recordQueries } from '../support/record-queries.ts'

/** Even the smallest number of logs fills a page for each status and kind. */
const LOG_COUNTS = [1_000, 10_000, 1_000_000]

/** A token with the administrator's current token version. Some requests raise the version. */
const currentToken = async () => {
  const [admin] = await db.select().from(users).where(eq(users.email_key, ADMIN_EMAIL))
  if (!admin) throw new Error('There is no administrator.')
  return tokenFor(admin)
}

const CHANGE = { status: 'rejected', comment: 'visto' }

/** Requests that the endpoint table does not have. */
const MORE_REQUESTS: [method: string, path: string, body: unknown, status: number][] = [
  ['POST', '/v2/clients/validate-code', { code: 'nadie' }, 404],
  ['POST', '/auth/login', { email: 'nadie@empresa.mx', password: 'x' }, 401],
  ['POST', '/v2/incidents/change_log_status', { log_id: 9_999_999, ...CHANGE }, 422],
  ['GET', '/v2/incidents/logs?limit=10&order=newest', undefined, 200],
  ['GET', '/v2/incidents/logs?limit=10&status=pending&kind=entrada', undefined, 200],
]

/** Requests of an approver whose scope is the branch Norte. Log 1 is in Norte. */
const SCOPE = 'Norte'
const SCOPED_REQUESTS: [method: string, path: string, body?: unknown][] = [
  ['GET', '/v2/incidents/logs?limit=10'],
  ['GET', '/v2/incidents/logs?limit=10&order=newest&status=pending'],
  ['GET', '/v2/incidents/logs?limit=10&branch_office=Sur'],
  ['GET', '/v2/incidents/logs?limit=10&department=Ventas'],
  ['GET', '/v2/incidents/logs/1'],
  ['GET', '/v2/incidents/changes?limit=10'],
  ['GET', '/v2/incidents/sources'],
  ['POST', '/v2/incidents/change_log_status', { log_id: 1, ...CHANGE }],
]

/** The number of rows that each request reads in a database of `size` logs, by request name. */
const rowsReadAt = async (size: number) => {
  await resetDatabase()
  await populate(env.DB, 0, size)
  await seedEndpoints({ logs: false })
  const rows: Record<string, number> = {}
  const measure = async (
    name: string,
    status: number,
    request: (options: CallOptions) => Promise<{ status: number }>,
  ) => {
    const { recording, DB } = recordQueries(env.DB)
    const response = await request({ token: await currentToken(), env: { DB } })
    expect(response.status, name).toBe(status)
    rows[name] = recording.rowsRead
  }
  const setScope = (branch: string | null) =>
    db
      .update(users)
      .set({ scope_branches: branch === null ? null : inBranches(branch) })
      .where(eq(users.email_key, ADMIN_EMAIL))

  await setScope(SCOPE)
  for (const [method, path, body] of SCOPED_REQUESTS) {
    const { recording, DB } = recordQueries(env.DB)
    for (const memory of ['not yet known', 'remembered']) {
      const before = recording.rowsRead
      const options = { body, token: await currentToken(), env: { DB } }
      expect((await call(method, path, options)).status, path).toBe(200)
      rows[`${method} ${path}, scope ${memory}`] = recording.rowsRead - before
    }
  }
  await setScope(null)
  for (const [method, path, body, status] of MORE_REQUESTS) {
    await measure(`${method} ${path} ${status}`, status, (options) =>
      call(method, path, { body, ...options }),
    )
  }
  const measured = ENDPOINTS.filter(({ readsAllMatches }) => !readsAllMatches)
  // The password is changed last, because requests to other endpoints contain the old one.
  const changesPassword = ({ route }: Endpoint) => Number(route === '/auth/password')
  for (const endpoint of measured.toSorted((a, b) => changesPassword(a) - changesPassword(b))) {
    const { method, route, good } = endpoint
    await measure(`${method} ${route}`, good.status, (options) => send(endpoint, good, options))
  }
  return rows
}

it('reads as many rows among a million logs, clients and users as among a thousand', async () => {
  const rows = []
  for (const size of LOG_COUNTS) rows.push(await rowsReadAt(size))
  const [smallest, ...larger] = rows
  expect(Object.keys(smallest ?? {}).length).toBeGreaterThan(MORE_REQUESTS.length)
  for (const sameRequests of larger) expect(sameRequests).toEqual(smallest)
})
