import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { expectFailure, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import {
  aConfigEntry,
  allRows,
  anAdmin,
  anEmployee,
  aUser,
  failWritesTo,
} from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { as, EMPLOYEE, PEOPLE_PATH, USER_NAMES } from '../support/people.ts'

const FULL = failureOf('DATABASE_FULL')

const ADD_LOGS = [
  ...['logs', 'my_logs', 'manual_logs', 'my_requests'],
  ...['clocks/waiting', 'clocks/:serial/file', 'clocks/:serial/corrections'],
].map((name) => `POST /v2/incidents/${name}`)
/** The good requests of PUT, bulk and invitations add an employee or a user. */
const ADD_PEOPLE_OR_WORDS = [
  'PUT /v2/people/employees/:employee_id',
  'PUT /v2/incidents/clocks/:serial',
  'POST /v2/people/employees/bulk',
  'POST /v2/people/users',
  'POST /v2/people/invitations',
  'POST /v2/agreements',
  'POST /v2/agreements/:id/accept',
  'POST /v2/agreements/:id/paper',
  'POST /v2/agreements/:id/paper/void',
  'POST /v2/incidents/my_closings/:id/sign',
  'POST /v2/incidents/closings/:id/objections/:employee_id/answer',
]

const NEW_USER = {
  email: 'p@empresa.mx',
  password: 'una clave',
  ...USER_NAMES,
  ...{ role: 'admin', active: 1, external: 0, type_user: '', status_user: '', employee_id: null },
}

type Request = (typeof REQUESTS)[number]

const goodRequests = REQUESTS.filter(({ request }) => request.status === 200)
const isOneOf = (routes: string[], { endpoint: { method, route } }: Request) =>
  routes.includes(`${method} ${route}`)
const addsLogs = (one: Request) => isOneOf(ADD_LOGS, one)
const isRefused = (one: Request) => addsLogs(one) || isOneOf(ADD_PEOPLE_OR_WORDS, one)
/** All other writes still work, such as decisions, sign-ins, sign-outs, passwords and links. */
const goesOn = (one: Request) => one.endpoint.method !== 'GET' && !isRefused(one)
const writesLogs = (one: Request) => addsLogs(one) || one.endpoint.route.includes('/change_log')

describe('at 97 % of DB_LIMIT_MB', () => {
  /** Stores more than a megabyte, and sends a request by which the service learns the size. */
  const fill = async () => {
    const { token } = await seedEndpoints()
    await aConfigEntry({ key: 'grande', valor: 'x'.repeat(1_000_000) })
    const settings = { ...env, DB_LIMIT_MB: '1' }
    const { status } = await post('/auth/logout', undefined, {
      token: (await anAdmin()).token,
      env: settings,
    })
    expect(status).toBe(200)
    return { token, env: settings }
  }

  it.each(goodRequests.filter(isRefused))('$name adds nothing', async ({ endpoint, request }) => {
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

  const ENDED = { ...EMPLOYEE, ended_at: '2026-11-14', expected_version: 1 }
  const OTHER = { ...EMPLOYEE, department: 'Ventas', expected_version: 1 }
  const HIRED = { ...EMPLOYEE, ended_at: null, expected_version: 1 }

  it.each([
    ['ends somebody', 'E-1', ENDED, 200],
    ['ends somebody and deactivates the user', 'E-1', { ...ENDED, deactivate_user: true }, 200],
    ['changes nothing', 'E-1', { ...EMPLOYEE, expected_version: 1 }, 200],
    ['changes anything else', 'E-1', OTHER, 507],
    ['also changes something else', 'E-1', { ...ENDED, phone: '5550001122' }, 507],
    ['hires somebody again', 'E-2', HIRED, 507],
  ])('a PUT or a bulk that %s', async (_, employee_id, body, status) => {
    stopClock('2026-11-16T18:00:00.000Z')
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE, ended_at: '2026-11-02' })
    await aUser({ employee_id: 'E-1' })
    const full = await fill()
    const admin = as(full.token, full.env)
    const before = await allRows()
    const bulk = (dry_run: boolean) =>
      admin('POST', `${PEOPLE_PATH}/bulk`, { employees: [{ employee_id, ...body }], dry_run })
    expect((await bulk(true)).status).toBe(200)
    if (status === 507) {
      expect([(await bulk(false)).status, await allRows()]).toEqual([507, before])
    }
    const res = await admin('PUT', `${PEOPLE_PATH}/${employee_id}`, body)
    expect(res.status, res.text).toBe(status)
    if (status === 507) expect(await allRows()).toEqual(before)
  })

  it('a link for the app of somebody who has a user is made', async () => {
    const { employee_id } = await anEmployee()
    await aUser({ employee_id })
    const full = await fill()
    const res = await post('/v2/people/invitations', { employee_ids: [employee_id] }, full)
    expect(res.status, res.text).toBe(200)
  })

  it('an import adds modules, but no logs and no people', async () => {
    await fill()
    const settings = {
      ADMIN_ROLES: ['admin'],
      PAYROLL_ROLES: [],
      INTAKE_ROLES: [],
      DB_LIMIT_MB: 1,
    }
    const log = { employee_id: 'E-001', kind: 'entrada', recorded_at: '2026-11-02T14:00:00.000Z' }
    const logs = [{ log_id: 700_000, status: 'pending', ...log }]
    expect(await importInto(env.DB, { logs }, { settings })).toEqual({
      errors: ['logs: the database is at 97 % of DB_LIMIT_MB or above, and takes no new logs'],
    })
    for (const list of ['employees', 'users'] as const) {
      const row = list === 'users' ? NEW_USER : { employee_id: 'P-nueva', ...EMPLOYEE }
      expect(await importInto(env.DB, { [list]: [row] }, { settings })).toEqual({
        errors: [
          `${list}: the database is at 97 % of DB_LIMIT_MB or above, and takes no new ${list}`,
        ],
      })
    }
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
      expectFailure(res, 507, FULL.message)
    }
    expect(await allRows()).toEqual(before)
  })
})
