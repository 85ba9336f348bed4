import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { messageOf } from '../../src/core/errors.ts'
import { type CallOptions, call, failure } from '../support/api.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { aLog, allRows, anAdmin, aUser, PASSWORD } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { failStatement } from '../support/fault-injection.ts'
import { useLoggedLines } from '../support/logged-lines.ts'

const CODES = ['INTERNAL_ERROR', 'STATUS_NOT_SAVED'] as const
const EXPECTED = CODES.flatMap((code) => [failureOf(code), failure(messageOf(code))])

const CONFIG_ROUTE = '/api/v2/clients/config/:config'

const lines = useLoggedLines()

/**
 * All rows, except the rows of unfinished closings. An unfinished closing has no effect, and the
 * next closing deletes its rows.
 */
const effectiveRows = async () => {
  const rows = await allRows()
  const isOpen = (row: Record<string, unknown>) => row.completed_at === null
  const open = new Set(rows.closings?.filter(isOpen).map(({ id }) => id))
  const isOfOpenClosing = (row: Record<string, unknown>) => open.has(row.closing_id)
  return Object.fromEntries(
    Object.entries(rows).map(([table, some]) => [
      table,
      some.filter((row) => !isOfOpenClosing(row) && !(table === 'closings' && isOpen(row))),
    ]),
  )
}

describe('when any one statement fails', () => {
  it.each(REQUESTS)('$name is a 500 that changes nothing', async ({ endpoint, request }) => {
    // An outdated hash makes the sign-in write, too.
    const admin = await seedEndpoints({ outdatedHash: true })
    const { token } = admin
    const before = await effectiveRows()

    for (let statement = 0; ; statement++) {
      lines.length = 0
      const { DB, failed } = failStatement(statement)
      const res = await send(endpoint, request, { token, env: { DB } })
      if (!failed()) {
        expect(res.status).toBe(request.status)
        if (request.roundTrips > 0) expect(statement).toBeGreaterThan(0)
        return
      }
      expect(res.status).toBe(500)
      expect(EXPECTED).toContainEqual(res.body)
      expect(await effectiveRows()).toEqual(before)

      expect(lines).toHaveLength(1)
      const line = JSON.parse(lines[0] ?? '')
      expect(line.request_id).toBe(res.headers.get('X-Request-Id'))
      expect(line.error.message).toContain('a_fault_was_injected_here')
      expect(line.user_id).toBe(endpoint.access === 'public' ? null : admin.id)
      expect(lines[0]).not.toMatch(/insert into|select |secreta-9|correcta|NORTE-01|ana@empresa/i)
      expect(lines[0]).not.toContain(token)
    }
  })
})

describe('the request log', () => {
  it('has one JSON line per request, with the route’s pattern and the user', async () => {
    const admin = await anAdmin()
    const log = await aLog()
    const { headers } = await call('POST', '/v2/incidents/change_log_status', {
      token: admin.token,
      body: { log_id: log.id, status: 'approved', comment: 'un comentario privado' },
    })
    await call('GET', '/v2/clients/config/clave-privada?token=privado', {})
    await call('GET', '/no/existe/privado', {})

    const missing = { status: 404, user_id: null }
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        request_id: headers.get('X-Request-Id'),
        method: 'POST',
        route: '/api/v2/incidents/change_log_status',
        status: 200,
        duration_ms: expect.any(Number),
        user_id: admin.id,
        round_trips: 1,
        database_bytes: expect.any(Number),
      },
      expect.objectContaining({ ...missing, route: CONFIG_ROUTE, round_trips: 1 }),
      expect.objectContaining({ ...missing, route: null, round_trips: 0 }),
    ])
    expect(lines.join()).not.toContain('privad')
    expect(lines.join()).not.toContain(admin.token)
  })

  it('says the code of each refusal and fault', async () => {
    const { token } = await anAdmin()
    const codeOf = async (method: string, path: string, options: CallOptions = {}) => {
      lines.length = 0
      await call(method, path, options)
      return lines.map((line) => JSON.parse(line).code)
    }
    expect(await codeOf('GET', '/nada')).toEqual(['PATH_NOT_FOUND'])
    expect(await codeOf('PATCH', '/auth/me')).toEqual(['METHOD_NOT_ALLOWED'])
    expect(await codeOf('GET', '/auth/me')).toEqual(['UNAUTHENTICATED'])
    expect(await codeOf('POST', '/auth/login', { body: {} })).toEqual(['INVALID_INPUT'])
    expect(await codeOf('GET', '/v2/incidents/logs/9', { token })).toEqual(['LOG_NOT_FOUND'])
    const { DB } = failStatement(0)
    expect(await codeOf('GET', '/auth/me', { token, env: { DB } })).toEqual(['INTERNAL_ERROR'])
    expect(await codeOf('GET', '/auth/me', { token })).toEqual([undefined])
  })

  it('says who signed in, and hashes of who did not', async () => {
    const user = await aUser({ email: 'ana@empresa.mx' })
    const signIn = async (email: string, password: string, address: string) => {
      lines.length = 0
      const headers = { 'CF-Connecting-IP': address }
      await call('POST', '/auth/login', { body: { email, password }, headers })
      const { user_id, code, account, address: network } = JSON.parse(lines[0] ?? '')
      return { user_id, code, account, address: network }
    }
    const good = await signIn('ana@empresa.mx', PASSWORD, '203.0.113.7')
    expect(good).toEqual({ user_id: user.id })

    const wrong = await signIn('Ana@empresa.mx', 'otra', '203.0.113.7')
    const hash = expect.stringMatching(/^[0-9a-f]{16}$/)
    const refused = { user_id: null, code: 'WRONG_CREDENTIALS' }
    expect(wrong).toEqual({ ...refused, account: hash, address: hash })
    expect(await signIn('ana@empresa.mx', 'otra', '203.0.113.8')).toEqual({
      ...refused,
      account: wrong.account,
      address: expect.not.stringContaining(wrong.address),
    })
    expect(lines.join()).not.toMatch(/203\.0|empresa/)
  })

  it('names an invalid setting, never its value', async () => {
    await call('GET', '/auth/me', { env: { TOKEN_TTL_MINUTES: 'secreto' } })
    const { error } = JSON.parse(lines[0] ?? '')
    expect(error.message).toBe('TOKEN_TTL_MINUTES must be a whole number of minutes, 1 or more')
    expect(lines[0]).not.toContain('secreto')
  })

  it('has the size of the database, and a warning from 80 % of DB_LIMIT_MB on', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { token } = await anAdmin()
    const list = () => call('GET', '/v2/incidents/logs', { token, env: { DB_LIMIT_MB: '1' } })
    await list()
    const { database_bytes } = JSON.parse(lines.at(-1) ?? '{"database_bytes":0}')
    expect(database_bytes).toBeGreaterThan(10_000)
    expect(warn).not.toHaveBeenCalled()

    await env.DB.prepare('CREATE TABLE filler AS SELECT zeroblob(900000) AS bytes').run()
    await list()
    expect(String(warn.mock.calls[0]?.[0])).toMatch(/the database is at 1\d\d % of DB_LIMIT_MB/)
  })
})
