import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../src/app.ts'
import { call, failure } from './support/api.ts'
import {
  aClient,
  aConfigEntry,
  aLog,
  aModule,
  anAdmin,
  OUTDATED_HASH,
  PASSWORD,
} from './support/factories.ts'
import { failStatement } from './support/fault-injection.ts'

const INTERNAL = failure('Ocurrió un error interno. Inténtalo de nuevo más tarde.')

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)))
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Every endpoint that asks the database, with input that would succeed. */
const REQUESTS: [string, string, unknown][] = [
  ['GET', '/auth/me', undefined],
  ['POST', '/auth/login', { email: 'ana@empresa.mx', password: PASSWORD }],
  ['POST', '/auth/logout', undefined],
  ['POST', '/auth/logout_all', undefined],
  ['POST', '/auth/password', { current_password: PASSWORD, password: 'secreta-9-nueva' }],
  ['GET', '/v2/clients/modules_enabled', undefined],
  ['POST', '/v2/clients/validate-code', { code: 'NORTE-01' }],
  ['GET', '/v2/clients/config/logo', undefined],
  ['POST', '/v2/incidents/change_log_status', { log_id: 1, status: 'approved' }],
  ['POST', '/v2/incidents/change_log_status', { log_id: 1, status: 'approved', comment: 'visto' }],
  ['POST', '/v2/incidents/change_log_status', { log_id: 1, status: 'x' }],
  [
    'POST',
    '/v2/incidents/change_logs_status',
    { log_ids: [1], status: 'approved', comment: 'visto' },
  ],
  ['GET', '/v2/incidents/logs', undefined],
  ['GET', '/v2/incidents/logs/summary', undefined],
  ['GET', '/v2/incidents/logs/1', undefined],
]

const STATUS_FAILED = failure('No se pudo actualizar el estado del registro.')

const contents = () =>
  Promise.all(
    ['users', 'revoked_tokens', 'attendance_logs', 'log_comments', 'log_audit'].map(
      async (table) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results,
    ),
  )

describe('a statement that fails, each one of each endpoint in turn', () => {
  it.each(REQUESTS)('%s %s %j', async (method, path, body) => {
    // An outdated hash, so that a sign-in also writes.
    const admin = await anAdmin({ email: 'ana@empresa.mx', password_hash: OUTDATED_HASH })
    const { token } = admin
    await aLog({ id: 1 })
    await aModule()
    await aClient({ code: 'NORTE-01' })
    await aConfigEntry({ key: 'logo' })
    const before = await contents()

    let statements = 0
    for (; ; statements++) {
      lines = []
      const { DB, failed } = failStatement(statements)
      const res = await call(method, path, { token, body, env: { DB } })
      if (!failed()) {
        expect(res.status).toBe(
          path.endsWith('status') && JSON.stringify(body).includes('"x"') ? 422 : 200,
        )
        break
      }
      expect(res.status).toBe(500)
      expect([INTERNAL, STATUS_FAILED]).toContainEqual(res.body)
      expect(await contents()).toEqual(before)

      expect(lines).toHaveLength(1)
      const line = JSON.parse(lines[0] ?? '')
      expect(line.request_id).toBe(res.headers.get('X-Request-Id'))
      expect(line.error.message).toContain('a_fault_was_injected_here')
      if (path.startsWith('/v2/incidents/')) expect(line.user_id).toBe(admin.id)
      expect(lines[0]).not.toMatch(/insert into|select |secreta-9|correcta|NORTE-01|ana@empresa/i)
      expect(lines[0]).not.toContain(token)
    }
    expect(statements).toBeGreaterThan(0)
  })
})

describe('GET /health', () => {
  const health = (settings: Partial<Env> = {}) =>
    app.request('/health', {}, { ...env, ...settings })

  it('says that the database answers', async () => {
    const res = await health()
    expect([res.status, await res.json()]).toEqual([
      200,
      { success: true, message: 'El servicio funciona.', data: null },
    ])
  })

  it('says that it does not', async () => {
    const res = await health({ DB: failStatement(0).DB })
    expect([res.status, await res.json()]).toEqual([503, failure('La base de datos no responde.')])
  })
})

describe('the log', () => {
  it('has one JSON line a request, with the route’s pattern and the user', async () => {
    const admin = await anAdmin()
    const log = await aLog()
    const { headers } = await call('POST', '/v2/incidents/change_log_status', {
      token: admin.token,
      body: { log_id: log.id, status: 'approved', comment: 'un comentario privado' },
    })
    await call('GET', '/v2/clients/config/clave-privada?token=privado', {})
    await call('GET', '/no/existe/privado', {})

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        request_id: headers.get('X-Request-Id'),
        method: 'POST',
        route: '/api/v2/incidents/change_log_status',
        status: 200,
        duration_ms: expect.any(Number),
        user_id: admin.id,
        round_trips: 1,
      },
      expect.objectContaining({
        route: '/api/v2/clients/config/:config',
        status: 404,
        user_id: null,
        round_trips: 1,
      }),
      expect.objectContaining({ route: null, status: 404, user_id: null, round_trips: 0 }),
    ])
    expect(lines.join()).not.toContain('privad')
    expect(lines.join()).not.toContain(admin.token)
  })

  it('names a bad setting, never its value', async () => {
    await call('GET', '/auth/me', { env: { TOKEN_TTL_MINUTES: 'secreto' } })
    const { error } = JSON.parse(lines[0] ?? '')
    expect(error.message).toBe('TOKEN_TTL_MINUTES must be a whole number of minutes, 1 or more')
    expect(lines[0]).not.toContain('secreto')
  })
})
