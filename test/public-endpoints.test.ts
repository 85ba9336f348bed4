import { expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { call } from './support/api.ts'

/** Every endpoint that answers without a token; all others must turn a stranger away. */
const PUBLIC = [
  'GET /health',
  'POST /api/auth/login',
  'GET /api/v2/clients/modules_enabled',
  'POST /api/v2/clients/validate-code',
  'GET /api/v2/clients/config/:config',
]

const endpoints = [
  ...new Set(
    app.routes.filter((r) => r.method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
  ),
]

it('knows the public endpoints by name', () => {
  expect(endpoints).toEqual(expect.arrayContaining(PUBLIC))
})

it.each(endpoints.filter((endpoint) => !PUBLIC.includes(endpoint)))(
  'turns a stranger away from %s',
  async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const res = await call(method, path.replace(/^\/api/, '').replace(/:\w+/g, '1'))
    expect(res.status).toBe(401)
    expect(res.headers.get('WWW-Authenticate')).toBe('Bearer')
  },
)
