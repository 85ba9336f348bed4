import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from './support/api.ts'
import {
  aClient,
  aConfigEntry,
  aLog,
  aModule,
  anAdmin,
  anEmployee,
  insertLogs,
  OUTDATED_HASH,
  PASSWORD,
} from './support/factories.ts'
import { recordQueries } from './support/record-queries.ts'

/** What a phone waits for: each round trip is a way to the database and back. */

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const LOGIN = { email: 'ana@empresa.mx', password: PASSWORD }
const CHANGE = { log_id: 1, status: 'approved', comment: 'visto' }
const BULK = { log_ids: [1, 2], status: 'approved', comment: 'visto' }

const populate = async (admin: Parameters<typeof anAdmin>[0] = {}) => {
  const { employee_id } = await anEmployee()
  const user = await anAdmin({ email: LOGIN.email, employee_id, ...admin })
  await aLog({ id: 1 })
  await aLog({ id: 2 })
  await aModule()
  await aClient({ code: 'NORTE-01' })
  await aConfigEntry({ key: 'logo' })
  return user
}

/** Asks, and tells how often the database was asked: as seen there, and as the log line says. */
const tripsOf = async (method: string, path: string, body: unknown, token: string) => {
  const { recording, DB } = recordQueries(env.DB)
  const { status } = await call(method, path, { token, body, env: { DB } })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status, round_trips: recording.calls })
  return { status, trips: recording.calls }
}

describe('round trips to the database', () => {
  it.each([
    ['GET', '/v2/clients/modules_enabled', undefined, 200, 1],
    ['POST', '/v2/clients/validate-code', { code: 'NORTE-01' }, 200, 1],
    ['POST', '/v2/clients/validate-code', {}, 422, 0],
    ['GET', '/v2/clients/config/logo', undefined, 200, 1],
    ['POST', '/auth/login', LOGIN, 200, 1],
    ['POST', '/auth/login', { ...LOGIN, password: 'otra' }, 401, 1],
    ['GET', '/auth/me', undefined, 200, 1],
    ['POST', '/auth/logout', undefined, 200, 2],
    ['POST', '/auth/logout_all', undefined, 200, 2],
    ['POST', '/auth/password', { current_password: PASSWORD, password: 'otra clave' }, 200, 3],
    ['POST', '/v2/incidents/change_log_status', CHANGE, 200, 1],
    ['POST', '/v2/incidents/change_log_status', { ...CHANGE, log_id: 99 }, 422, 1],
    ['POST', '/v2/incidents/change_log_status', { ...CHANGE, status: 'x' }, 422, 1],
    ['POST', '/v2/incidents/change_log_status', {}, 422, 1],
    ['POST', '/v2/incidents/change_log_status', { ...CHANGE, expected_status: 'rejected' }, 409, 1],
    ['POST', '/v2/incidents/change_logs_status', BULK, 200, 1],
    ['POST', '/v2/incidents/change_logs_status', { ...BULK, log_ids: [] }, 422, 1],
    ['GET', '/v2/incidents/logs', undefined, 200, 1],
    ['GET', '/v2/incidents/logs?limit=x', undefined, 422, 1],
    ['GET', '/v2/incidents/logs/summary', undefined, 200, 1],
    ['GET', '/v2/incidents/logs/1', undefined, 200, 1],
    ['GET', '/v2/incidents/logs/x', undefined, 404, 1],
    ['GET', '/v2/incidents/export?format=csv', undefined, 200, 1],
  ])('%s %s %j answers %i in %i', async (method, path, body, status, trips) => {
    const { token } = await populate()
    expect(await tripsOf(method, path, body, token)).toEqual({ status, trips })
  })

  it('takes a second one at sign-in where a hash is stored anew', async () => {
    const { token } = await populate({ password_hash: OUTDATED_HASH })
    expect(await tripsOf('POST', '/auth/login', LOGIN, token)).toEqual({ status: 200, trips: 2 })
    expect(await tripsOf('POST', '/auth/login', LOGIN, token)).toEqual({ status: 200, trips: 1 })
  })

  it('takes one a page of an export', async () => {
    const { token } = await populate()
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 10_000)
    const { recording, DB } = recordQueries(env.DB)

    const file = await call('GET', '/v2/incidents/export?format=ndjson', { token, env: { DB } })

    // 10,002 logs, 5,000 a page.
    expect(file.text.match(/\n/g)).toHaveLength(10_002)
    expect(recording.calls).toBe(3)
  })
})
