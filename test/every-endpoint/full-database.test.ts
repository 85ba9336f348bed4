import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { failure, post } from '../support/api.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { allRows, anAdmin, failWritesTo } from '../support/factories.ts'
import { populate } from '../support/populate.ts'

const FULL = failure(
  'La base de datos está llena: no se guardó nada. Avisa a quien administra el servicio.',
)

const ADD_LOGS = ['logs', 'my_logs', 'manual_logs', 'my_requests'].map(
  (name) => `/v2/incidents/${name}`,
)

type Request = (typeof REQUESTS)[number]

const goodRequests = REQUESTS.filter(({ request }) => request.status === 200)
const addsLogs = ({ endpoint }: Request) =>
  endpoint.method === 'POST' && ADD_LOGS.includes(endpoint.route)
/** These requests still work: decisions, unlocks, sign-outs, and POST requests about closings. */
const goesOn = ({ endpoint: { method, route } }: Request) =>
  method === 'POST' && /change_log|closings|unlocks|logout/.test(route)
const writesLogs = (one: Request) => addsLogs(one) || one.endpoint.route.includes('/change_log')

describe('at 97 % of DB_LIMIT_MB', () => {
  /** Stores more than a megabyte, and sends a request by which the service learns the size. */
  const fill = async () => {
    const { token } = await seedEndpoints()
    await populate(env.DB, 0, 3_000)
    const settings = { ...env, DB_LIMIT_MB: '1' }
    const { status } = await post('/auth/logout', undefined, {
      token: (await anAdmin()).token,
      env: settings,
    })
    expect(status).toBe(200)
    return { token, env: settings }
  }

  it.each(goodRequests.filter(addsLogs))('$name adds nothing', async ({ endpoint, request }) => {
    const full = await fill()
    const before = await allRows()
    const res = await send(endpoint, request, full)
    expect([res.status, res.body]).toEqual([507, FULL])
    expect(await allRows()).toEqual(before)
  })

  it.each(goodRequests.filter(goesOn))('$name still works', async ({ endpoint, request }) => {
    const res = await send(endpoint, request, await fill())
    expect(res.status, res.text).toBe(200)
  })

  it('an import adds modules, but no logs', async () => {
    await fill()
    const TIME_ZONE = [['', 'UTC']] as const
    const settings = {
      ADMIN_ROLES: ['admin'],
      PAYROLL_ROLES: [],
      INTAKE_ROLES: [],
      DB_LIMIT_MB: 1,
      TIME_ZONE,
    }
    const log = { employee_id: 'P-1', kind: 'entrada', recorded_at: '2026-11-02T14:00:00.000Z' }
    const logs = [{ log_id: 700_000, status: 'pending', ...log }]
    expect(await importInto(env.DB, { logs }, { settings })).toEqual({
      errors: ['logs: the database is at 97 % of DB_LIMIT_MB or above, and takes no new logs'],
    })
    const shown = { enabled: true, enabled_app: true }
    const modules = [{ slug: 'nuevo', name: 'Nuevo', description: '', icon: '', ...shown }]
    expect(await importInto(env.DB, { modules }, { settings })).not.toHaveProperty('errors')
  })
})

describe('a database that cannot grow', () => {
  it.each([
    ['D1', 'D1_ERROR: Exceeded maximum DB size'],
    ['SQLite', 'database or disk is full: SQLITE_FULL'],
  ])('answers 507 and writes nothing: the error of %s', async (_, text) => {
    const { token } = await seedEndpoints()
    await failWritesTo('attendance_logs', text)
    const before = await allRows()
    for (const { endpoint, request } of goodRequests.filter(writesLogs)) {
      const res = await send(endpoint, request, { token })
      expect([res.status, res.body]).toEqual([507, FULL])
    }
    expect(await allRows()).toEqual(before)
  })
})
