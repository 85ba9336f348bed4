import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { FailureCode } from '../../src/core/errors.ts'
import { call, type TestResponse } from '../support/api.ts'
import { app } from '../support/app.ts'
import { ENDPOINTS, type Endpoint, seedEndpoints, send } from '../support/endpoints.ts'
import { aUser } from '../support/factories.ts'
import { failStatement } from '../support/fault-injection.ts'

/** `call` expects the code of its status in every failure, and none on the contract's endpoints. */

const CONTRACT = [
  'POST /auth/login',
  'GET /auth/me',
  'GET /v2/clients/modules_enabled',
  'POST /v2/clients/validate-code',
  'GET /v2/clients/config/{config}',
  'POST /v2/incidents/change_log_status',
]

const ENVELOPE = ['success', 'message', 'data']

/** The fields of the contract's failures, where they differ from the envelope. */
const CONTRACT_FIELDS: Record<string, string[]> = {
  'GET /auth/me 401': ['message'],
  'POST /v2/clients/validate-code 422': ['message', 'errors'],
}

/** The codes of the bad requests that a schema accepts. */
const OWN_CODES: Record<string, FailureCode> = {
  'GET /v2/incidents/my_logs': 'PERIOD_TOO_LONG',
  'PUT /v2/incidents/my_push': 'UNKNOWN_PUSH_SERVICE',
}

const expectFailureOf = (endpoint: Endpoint, res: TestResponse, code: FailureCode) => {
  const errors = res.status === 422 ? ['errors'] : []
  const fields = CONTRACT.includes(endpoint.name)
    ? (CONTRACT_FIELDS[`${endpoint.name} ${res.status}`] ?? [...ENVELOPE, ...errors])
    : [...ENVELOPE, ...errors, 'code', ...(code === 'PERIOD_TOO_LONG' ? ['details'] : [])]
  expect([Object.keys(res.body), res.body.code]).toEqual([
    fields,
    fields.includes('code') ? code : undefined,
  ])
}

const huge = 'x'.repeat(600 * 1024)

describe.each(ENDPOINTS)('$name says the code of', (endpoint) => {
  const { access, bad, good, method } = endpoint
  const isProtected = access !== 'public'

  it('a wrong method, a body that is too large, and a missing token', async () => {
    const wrong = await call('PATCH', good.path)
    expectFailureOf(endpoint, wrong, 'METHOD_NOT_ALLOWED')
    const headers = { 'Content-Length': String(huge.length) }
    if (method !== 'GET') {
      const tooLarge = await call(method, good.path, { body: huge, headers })
      expectFailureOf(endpoint, tooLarge, 'BODY_TOO_LARGE')
    }
    if (isProtected) expectFailureOf(endpoint, await send(endpoint, good), 'UNAUTHENTICATED')
  })

  it.runIf(bad || access === 'admin')('invalid input, and a caller without the role', async () => {
    const { token } = await seedEndpoints()
    if (bad) {
      const res = await send(endpoint, bad, { token })
      expect(res.status).toBe(422)
      expectFailureOf(endpoint, res, OWN_CODES[endpoint.name] ?? 'INVALID_INPUT')
    }
    if (access !== 'admin') return
    const employee = await aUser({ role: 'employee' })
    expectFailureOf(endpoint, await send(endpoint, good, employee), 'FORBIDDEN')
  })

  it('an error inside', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { token } = await seedEndpoints()
    const { DB } = failStatement(0)
    const res = await send(endpoint, good, { token, env: { DB } })
    const isDecision = endpoint.route.endsWith('/change_logs_status')
    expectFailureOf(endpoint, res, isDecision ? 'STATUS_NOT_SAVED' : 'INTERNAL_ERROR')
  })
})

it('an unknown path says its code', async () => {
  for (const path of ['/auth', '/auth/login/x', '/v2/clients/config', '/v2/clients/configs/x']) {
    expect((await call('GET', path)).body.code, path).toBe('PATH_NOT_FOUND')
  }
})

it.each(['/auth/me', '/auth/me/'])(
  '%s has the failure of the contract, as its path may end',
  async (path) => {
    const res = await app.request(`http://localhost/api${path}`, {}, env)
    expect(await res.json()).toEqual({ message: 'No autenticado.' })
  },
)
