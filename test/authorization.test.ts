import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import {
  attendance_logs,
  employees,
  log_audit,
  log_comments,
  revoked_tokens,
  users,
} from '../src/db/schema.ts'
import { call, failure } from './support/api.ts'
import {
  aLog,
  anAdmin,
  anEmployee,
  aUser,
  db,
  hideTable,
  insertLogs,
  tokenFor,
} from './support/factories.ts'
import { recordQueries } from './support/record-queries.ts'

const CHANGE = { log_id: 1, status: 'approved', comment: 'visto' }
const BULK = { log_ids: [1, 2], status: 'approved', comment: 'visto' }

/** Every endpoint that an administrator alone may use, with good input and bad. */
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

/** Who may not pass, and the answer: a token that has ended, nobody's any more, and no administrator's. */
const outsiders = async () => {
  const inactive = await anAdmin({ active: 0 })
  const ended = await anAdmin({ token_version: 1 })
  const revoked = await anAdmin()
  await db.insert(revoked_tokens).values({ jti: revoked.claims.jti, user_id: revoked.id })
  const employee = await aUser()
  return [
    { token: inactive.token, status: 401 },
    { token: await tokenFor({ ...ended, token_version: 0 }), status: 401 },
    { token: revoked.token, status: 401 },
    { token: employee.token, status: 403 },
  ]
}

const MESSAGES: Record<number, string> = {
  401: 'No autenticado.',
  403: 'No tienes permiso para realizar esta acción.',
}

const stored = () =>
  Promise.all(
    [users, employees, attendance_logs, log_comments, log_audit].map((table) =>
      db.select().from(table),
    ),
  )

it('stands before every endpoint of the administrators', () => {
  const guarded = new Set(GUARDED.map(([method, path]) => `${method} ${path.split('?')[0]}`))
  const ours = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v2/incidents/'))
    .map(({ method, path }) => `${method} ${path.slice('/api'.length).replace(':log_id', '1')}`)
  expect(ours.filter((endpoint) => !guarded.has(endpoint))).toEqual([])
  expect(ours).not.toEqual([])
})

describe.each(GUARDED)('%s %s %j', (method, path, body) => {
  it('tells nothing to whoever may not pass, and changes nothing', async () => {
    await aLog({ id: 1 })
    await aLog({ id: 2 })
    const refused = await outsiders()
    const before = await stored()

    for (const { token, status } of refused) {
      const res = await call(method, path, { token, body })
      expect(res.status).toBe(status)
      expect(res.body).toEqual(failure(MESSAGES[status] ?? ''))
      expect(res.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
    }

    expect(await stored()).toEqual(before)
    const { token } = await anAdmin()
    expect((await call(method, path, { token, body })).status).not.toBeOneOf([401, 403, 500])
  })

  it('reads next to nothing for whoever may not pass', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 3000)
    const { id } = await anAdmin()
    await env.DB.prepare(
      `INSERT INTO log_audit (log_id, user_id, from_status, to_status, created_at)
       SELECT 1, ?, 'pending', 'approved', recorded_at FROM attendance_logs LIMIT 500`,
    )
      .bind(id)
      .run()
    for (const { token } of await outsiders()) {
      const { recording, DB } = recordQueries(env.DB)
      await call(method, path, { token, body, env: { DB } })
      expect(recording.calls).toBe(1)
      // The caller’s own rows, once a statement: nothing of what is asked.
      expect(recording.rowsRead).toBeLessThan(40)
      expect(recording.rowsWritten).toBeLessThan(3)
    }
  })

  it('turns away whoever may not pass, even where the work would fail', async () => {
    await aLog({ id: 1 })
    const refused = await outsiders()
    await hideTable('attendance_logs')
    for (const { token, status } of refused) {
      expect((await call(method, path, { token, body })).status).toBe(status)
    }
  })
})
