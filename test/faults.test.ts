import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, failure } from './world/api.ts'
import { aLog, anAdmin, hideTable } from './world/world.ts'

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

describe('a database that fails', () => {
  it.each([
    ['POST', '/auth/login', 'users', { email: 'ana@empresa.mx', password: 'secreta-9' }],
    ['GET', '/auth/me', 'users', undefined],
    ['GET', '/auth/me', 'revoked_tokens', undefined],
    ['GET', '/v2/clients/modules_enabled', 'modules', undefined],
    ['POST', '/v2/clients/validate-code', 'clients', { code: 'NORTE-01' }],
    ['GET', '/v2/clients/config/logo', 'config_entries', undefined],
    ['POST', '/v2/incidents/change_log_status', 'users', { log_id: 1, status: 'approved' }],
    ['POST', '/v2/incidents/change_log_status', 'attendance_logs', { log_id: 1, status: 'x' }],
  ])('%s %s answers 500 without %s, and leaks nothing', async (method, path, table, body) => {
    const { token } = await anAdmin({ email: 'ana@empresa.mx' })
    await aLog()
    await hideTable(table)

    const res = await call(method, path, { token, body })

    expect(res.status).toBe(500)
    expect(res.body).toEqual(INTERNAL)
    expect(lines).toHaveLength(1)
    const line = JSON.parse(lines[0] ?? '')
    expect(line.request_id).toBe(res.headers.get('X-Request-Id'))
    expect(line.error.message).toContain(`no such table: ${table}`)
    expect(lines[0]).not.toMatch(/SELECT|select |secreta-9|NORTE-01|ana@empresa/)
    expect(lines[0]).not.toContain(token)
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
      },
      expect.objectContaining({
        route: '/api/v2/clients/config/:config',
        status: 404,
        user_id: null,
      }),
      expect.objectContaining({ route: null, status: 404, user_id: null }),
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
