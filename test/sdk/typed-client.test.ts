import { env } from 'cloudflare:workers'
import { expect, expectTypeOf, it } from 'vitest'
import { type ApiError, createClient, dataOf } from '../../sdk/api-client.ts'
import { app } from '../support/app.ts'
import { aClient, aLog, anAdmin, aUser, PASSWORD } from '../support/factories.ts'

const client = (token?: string | (() => string | undefined)) =>
  createClient('http://localhost', {
    ...(token !== undefined && { token }),
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      app.request(input as string, init, env),
  })

it('signs in, reads the user, validates a code and approves a log, typed', async () => {
  const admin = await anAdmin({ email: 'ana@empresa.mx' })
  const { code } = await aClient()
  const log = await aLog()

  const login = await client().auth.login.$post({
    json: { email: admin.email, password: PASSWORD },
  })
  if (login.status !== 200) return expect.unreachable()
  const { token } = (await login.json()).data
  const api = client(() => token)

  const me = await api.auth.me.$get()
  if (me.status !== 200) return expect.unreachable()
  const { user, employee } = (await me.json()).data
  expectTypeOf(user.external).toEqualTypeOf<number>()
  expect([user.email, employee]).toEqual(['ana@empresa.mx', null])

  const found = await api.v2.clients['validate-code'].$post({ json: { code } })
  if (found.status !== 200) return expect.unreachable()
  expect((await found.json()).data.code).toBe(code)

  const changed = await api.v2.incidents.change_log_status.$post({
    json: { log_id: log.id, status: 'approved', comment: 'visto' },
  })
  if (changed.status !== 200) return expect.unreachable()
  const { data } = await changed.json()
  expectTypeOf(data.status).toEqualTypeOf<'pending' | 'approved' | 'rejected'>()
  expect(data).toEqual({ log_id: log.id, status: 'approved' })
})

it('types each failure: a 403, a 422, and the two failures without an envelope', async () => {
  const { token } = await aUser()

  const forbidden = await client(token).v2.incidents.change_log_status.$post({
    json: { log_id: 1, status: 'approved' },
  })
  if (forbidden.status !== 403) return expect.unreachable()
  const { success, message, data } = await forbidden.json()
  expectTypeOf(success).toEqualTypeOf<false>()
  expect([success, message, data]).toEqual([
    false,
    'No tienes permiso para realizar esta acción.',
    null,
  ])

  const invalid = await client().auth.login.$post({ json: { email: '', password: '' } })
  if (invalid.status !== 422) return expect.unreachable()
  expect(Object.keys((await invalid.json()).errors)).toEqual(['email', 'password'])

  const missing = await client().v2.clients['validate-code'].$post({ json: { code: '' } })
  if (missing.status !== 422) return expect.unreachable()
  const bare = await missing.json()
  expectTypeOf(bare).not.toHaveProperty('success')
  expect(bare.errors).toEqual({ code: ['El código es obligatorio.'] })

  const anonymous = await client().auth.me.$get()
  if (anonymous.status !== 401) return expect.unreachable()
  expect((await anonymous.json()).message).toBe('No autenticado.')
})

it('throws the code and the details of an error, with their types', async () => {
  const { token } = await anAdmin()
  const query = { format: 'csv', from: '2025-01-01', to: '2026-01-02' } as const
  const error: ApiError = await dataOf(client(token).v2.incidents.hours.$get({ query })).then(
    expect.unreachable,
    (thrown) => thrown,
  )
  expectTypeOf(error.details?.closing_id).toEqualTypeOf<number | undefined>()
  expect([error.status, error.code, error.details]).toEqual([
    422,
    'PERIOD_TOO_LONG',
    { days_max: 366 },
  ])
})

it.each([
  ['a contract’s endpoint', { success: false, message: 'No.', data: null }],
  ['another server', { code: 'PERIOD_TOO_LONG', details: { days_max: 1 } }],
  ['another server with a number', { success: false, code: 404 }],
  ['a page', '<html>'],
  ['a sign-in page that says it was right', { success: true, data: {} }],
])('has no code in an answer of %s', async (_, body) => {
  const api = createClient('http://localhost', {
    fetch: async () => Response.json(body, { status: 403 }),
  })
  const failed = dataOf(api.auth.me.$get())
  await expect(failed).rejects.toMatchObject({ code: undefined, details: undefined })
})

it.each([
  [403, { success: false, message: 'No.', data: null, code: 'FORBIDDEN' }, true],
  [401, { message: 'No autenticado.' }, true],
  [422, { message: 'Falta el código.', errors: { code: ['Falta.'] } }, true],
  [403, { success: false, message: 'Forbidden' }, false],
  [200, { success: true, data: {} }, false],
  [200, null, false],
])('says whether the service has answered: %d %j', async (status, body, isOwn) => {
  const headers = { 'X-Request-Id': '1' }
  const api = createClient('http://localhost', {
    fetch: async () => Response.json(body, { status, headers }),
  })
  const error: ApiError = await dataOf(api.auth.me.$get()).catch((thrown) => thrown)
  expect([error.isOwn, error.message]).toEqual([
    isOwn,
    isOwn ? (body as { message?: string }).message : `Another server responded with ${status}.`,
  ])
})

it('takes no message from a page, nor from a server without our request id', async () => {
  const answers = [
    new Response('<html>', { status: 401, headers: { 'Content-Type': 'text/html' } }),
    Response.json({ message: 'Unauthorized' }, { status: 401 }),
  ]
  for (const answer of answers) {
    const api = createClient('http://localhost', { fetch: async () => answer })
    await expect(dataOf(api.auth.me.$get())).rejects.toMatchObject({ isOwn: false, status: 401 })
  }
})
