import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../src/app.ts'
import { attendance_logs, employees, log_audit, log_comments, users } from '../src/db/schema.ts'
import { call } from './world/api.ts'
import { watchedDatabase } from './world/watched.ts'
import {
  aClient,
  aConfigEntry,
  aLog,
  aModule,
  anAdmin,
  anEmployee,
  aUser,
  db,
  OUTDATED_HASH,
  PASSWORD,
  tokenFor,
} from './world/world.ts'

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
  const { seen, DB } = watchedDatabase()
  const { status } = await call(method, path, { token, body, env: { DB } })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status, round_trips: seen.roundTrips })
  return { status, trips: seen.roundTrips }
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
    await db.$client
      .prepare(
        `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO attendance_logs (employee_id, kind, recorded_at, status)
         SELECT ?, 'entrada', '2026-11-02T14:00:00.000Z', 'pending' FROM n`,
      )
      .bind(employee_id)
      .run()
    const { seen, DB } = watchedDatabase()

    const file = await call('GET', '/v2/incidents/export?format=ndjson', { token, env: { DB } })

    // 10,002 logs, 5,000 a page.
    expect(file.text.match(/\n/g)).toHaveLength(10_002)
    expect(seen.roundTrips).toBe(3)
  })
})

/** Every endpoint that an administrator alone may use, with input that would succeed. */
const GUARDED: [string, string, unknown][] = [
  ['POST', '/v2/incidents/change_log_status', CHANGE],
  ['POST', '/v2/incidents/change_log_status', {}],
  ['POST', '/v2/incidents/change_log_status', { ...CHANGE, log_id: 99 }],
  ['POST', '/v2/incidents/change_logs_status', BULK],
  ['POST', '/v2/incidents/change_logs_status', { log_ids: 'x' }],
  ['GET', '/v2/incidents/logs', undefined],
  ['GET', '/v2/incidents/logs?limit=x', undefined],
  ['GET', '/v2/incidents/logs/summary', undefined],
  ['GET', '/v2/incidents/logs/summary?from=x', undefined],
  ['GET', '/v2/incidents/logs/1', undefined],
  ['GET', '/v2/incidents/logs/99', undefined],
  ['GET', '/v2/incidents/logs/x', undefined],
  ['GET', '/v2/incidents/export?format=csv', undefined],
  ['GET', '/v2/incidents/export', undefined],
]

const stored = () =>
  Promise.all(
    [users, employees, attendance_logs, log_comments, log_audit].map((table) =>
      db.select().from(table),
    ),
  )

describe('the door that rides with the work', () => {
  it('stands before every endpoint of the administrators', () => {
    const paths = new Set(GUARDED.map(([method, path]) => `${method} ${path.split('?')[0]}`))
    const ours = app.routes.filter(
      ({ method, path }) => method !== 'ALL' && path.startsWith('/api/v2/incidents/'),
    )
    for (const { method, path } of ours) {
      expect(paths).toContain(`${method} ${path.slice('/api'.length).replace(':log_id', '1')}`)
    }
  })

  it.each(GUARDED)('tells %s %s %j to nobody who may not pass', async (method, path, body) => {
    const admin = await populate()
    const ended = await anAdmin({ token_version: 1 })
    const [gone, employee] = [await anAdmin({ active: 0 }), await aUser()]
    const before = await stored()

    const answers = []
    for (const { token } of [
      gone,
      { token: await tokenFor({ ...ended, token_version: 0 }) },
      employee,
    ]) {
      answers.push(await call(method, path, { token, body }))
    }

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403])
    expect(answers.map((answer) => answer.body.message)).toEqual([
      'No autenticado.',
      'No autenticado.',
      'No tienes permiso para realizar esta acción.',
    ])
    expect(answers.every((answer) => answer.body.errors === undefined)).toBe(true)
    expect(answers[0]?.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await stored()).toEqual(before)
    expect((await call(method, path, { token: admin.token, body })).status).not.toBeOneOf([
      401, 403,
    ])
  })
})
