import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { document } from '../../sdk/openapi/document.ts'
import { bytesOf } from '../../src/core/values/bytes.ts'
import { call, expectFailure, get, post } from '../support/api.ts'
import { app } from '../support/app.ts'
import { ENDPOINTS, seedEndpoints, send } from '../support/endpoints.ts'
import { aClient, aConfigEntry, aModule, anAdmin } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'

/** Each path of the API with all methods of the routes that match it. GET also allows HEAD. */
const paths = [...new Set(ENDPOINTS.map(({ route }) => route))].map((route) => {
  const matches = (other: string) => new RegExp(`^${other.replace(/:\w+/g, '[^/]+')}$`).test(route)
  const own = ENDPOINTS.filter((endpoint) => endpoint.route === route)
  const others = ENDPOINTS.filter((endpoint) => endpoint.route !== route && matches(endpoint.route))
  const methods = [...own, ...others].flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  )
  return [route.replace(/:\w+/g, '1'), [...new Set(methods), 'OPTIONS'].join(', ')] as const
})

const UNKNOWN = ['El parámetro no existe.']
const withQuery = ENDPOINTS.filter(({ query }) => query.length > 0)

it.each(withQuery)('rejects unknown query parameters on $method $route', async (endpoint) => {
  const { token } = await anAdmin()
  const path = endpoint.good.path.split('?')[0]
  const res = await call(endpoint.method, `${path}?estado=pending&branch=Norte`, { token })
  expect(res.status).toBe(422)
  expect(res.body.errors).toMatchObject({ estado: UNKNOWN, branch: UNKNOWN })
})

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

it.each(withQuery)('rejects inherited names as unknown parameters on $method $route', async (e) => {
  const { token } = await anAdmin()
  const path = e.good.path.split('?')[0]
  for (const name of INHERITED) {
    const res = await call(e.method, `${path}?${name}=x`, { token })
    expect(res.status, name).toBe(422)
    const errors = new Map<string, unknown>(Object.entries(res.body.errors))
    expect(errors.get(name), name).toEqual(UNKNOWN)
  }
  const all = await call(e.method, `${path}?${INHERITED.join('=1&')}=`, { token })
  expect(Object.keys(all.body.errors)).toEqual(expect.arrayContaining(INHERITED))
})

it('names the encoding in the Content-Type of JSON, also for errors', async () => {
  for (const path of ['/auth/me', '/nada', '/v2/clients/modules_enabled']) {
    const res = await get(path)
    expect(res.headers.get('Content-Type'), path).toBe('application/json; charset=utf-8')
  }
})

describe('paths and methods', () => {
  const OUTSIDE = ['/', '/api', '/auth/login', '/v2/clients/modules_enabled', '/health/x']
  it.each(OUTSIDE)('is a 404 for %s, outside /api', async (path) => {
    const res = await app.request(path, {}, env)
    expect(res.status).toBe(404)
    expect(await res.json()).toEqual(failureOf('PATH_NOT_FOUND'))
  })

  const NOWHERE = ['/auth', '/auth/login/x', '/v1/clients/modules_enabled', '/AUTH/ME']
  it.each([...NOWHERE, '/v2/clients/config'])('is a 404 for %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expectFailure(await call(method, path), 404, 'La ruta no existe.')
    }
  })

  it.each(paths)('is a 405 for other methods on %s, with Allow: %s', async (path, allow) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.includes(method)) continue
      const res = await call(method, path)
      expectFailure(res, 405, 'El método no está permitido en esta ruta.')
      expect(res.headers.get('Allow')).toBe(allow)
    }
  })

  it.each(paths)('is a 204 for a plain OPTIONS on %s, with Allow: %s', async (path, allow) => {
    const res = await call('OPTIONS', path)
    expect([res.status, res.text]).toEqual([204, ''])
    expect(res.headers.get('Allow')).toBe(allow)
  })

  it('responds to HEAD like GET, without the body', async () => {
    await aModule()
    const path = '/v2/clients/modules_enabled'
    const [head, got] = [await call('HEAD', path), await get(path)]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('Content-Type')).toBe(got.headers.get('Content-Type'))
    expect((await call('HEAD', '/auth/me')).status).toBe(401)
    expect((await call('HEAD', '/auth/login')).status).toBe(405)
  })

  it('accepts a trailing slash on any path', async () => {
    await aModule()
    await aConfigEntry({ key: 'logo' })
    await aClient({ code: 'NORTE-01' })
    const { token } = await anAdmin()
    expect((await get('/v2/clients/modules_enabled/')).status).toBe(200)
    expect((await get('/v2/clients/config/logo/')).status).toBe(200)
    expect((await post('/v2/clients/validate-code/', { code: 'NORTE-01' })).status).toBe(200)
    expect((await get('/auth/me/', { token })).status).toBe(200)
    expect((await post('/auth/login/', {})).status).toBe(422)
    expect((await call('DELETE', '/auth/me/')).status).toBe(405)
  })
})

describe('request bodies', () => {
  const padded = (bytes: number) => {
    const body = JSON.stringify({ code: 'NORTE-01', x: '' })
    return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`)
  }
  const chunked = (text: string) => {
    const body = new ReadableStream({
      start(controller) {
        for (const part of text.match(/.{1,10000}/g) ?? []) controller.enqueue(bytesOf(part))
        controller.close()
      },
    })
    return new Request(`http://localhost/api${PATH}`, { method: 'POST', body })
  }
  const PATH = '/v2/clients/validate-code'
  const KIB_64 = 64 * 1024
  const declared = (bytes: number) => ({ headers: { 'Content-Length': String(bytes) } })

  it('may have 64 KiB, and are a 413 with a byte more, with a declared length', async () => {
    await aClient({ code: 'NORTE-01' })
    const tooLarge = await post(PATH, padded(KIB_64 + 1), declared(KIB_64 + 1))
    expect((await post(PATH, padded(KIB_64), declared(KIB_64))).status).toBe(200)
    expectFailure(tooLarge, 413, 'El cuerpo de la petición es demasiado grande.')
  })

  it('may have 64 KiB, and are a 413 with a byte more, in chunks', async () => {
    await aClient({ code: 'NORTE-01' })
    expect((await app.request(chunked(padded(KIB_64)), undefined, env)).status).toBe(200)
    expect((await app.request(chunked(padded(KIB_64 + 1)), undefined, env)).status).toBe(413)
    expect((await app.request(chunked(padded(KIB_64 * 40)), undefined, env)).status).toBe(413)
  })

  const POSTS = ENDPOINTS.filter(({ method }) => method === 'POST')
  it.each(POSTS)('are a 413 over their limit for $route', async ({ route }) => {
    const huge = padded((/\/(bulk|file)$/.test(route) ? 8 * KIB_64 : KIB_64) + 1)
    expect((await post(route, huge, declared(huge.length))).status).toBe(413)
  })

  interface Field {
    $ref?: string
    properties?: Record<string, Field>
    required?: string[]
    items?: Field
  }
  const fields = document.components?.schemas as unknown as Record<string, Field>

  /** The value with null in each field that it lacks and that the document calls optional. */
  const withNulls = ({ $ref, items, ...field }: Field, value: unknown): unknown => {
    if (!(value instanceof Object)) return value
    if ($ref) return withNulls(fields[$ref.split('/').at(-1) ?? ''] ?? {}, value)
    if (Array.isArray(value)) return value.map((one) => withNulls(items ?? {}, one))
    const { properties = {}, required = [] } = field
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const sent = Object.entries(value).map(([name, one]) => [
      name,
      withNulls(properties[name] ?? {}, one),
    ])
    return Object.fromEntries([...optional.map((name) => [name, null]), ...sent])
  }

  const WITH_BODY = ENDPOINTS.filter(({ good }) => good.body)

  it.each(WITH_BODY)('may have null in optional fields of $method $route', async (endpoint) => {
    const { token } = await seedEndpoints()
    const { good, operation } = endpoint
    const schema = operation?.requestBody?.content['application/json']?.schema ?? {}
    const body = withNulls(schema as Field, good.body)
    const { status, text } = await send(endpoint, { ...good, body }, { token })
    expect([status, text]).toEqual([good.status, expect.not.stringContaining('refused')])
  })

  it('with thousands of items or unknown names get a small 422, soon', async () => {
    const { token } = await seedEndpoints()
    const many = (item: string) => `[${Array(15_000).fill(item).join()}]`
    const names = `{${Array.from({ length: 5_000 }, (_, i) => `"n${i}":0`).join()}}`
    const bodies: [string, string, string][] = [
      ['POST', '/v2/people/employees/bulk', `{"employees":${many('{}')}}`],
      ['POST', '/v2/people/invitations', `{"employee_ids":${many('{}')}}`],
      ['POST', '/v2/people/users', `{"scope_branches":${many('0')}}`],
      ['POST', '/v2/people/users', names],
      ['PUT', '/v2/people/employees/E-1', names],
      ['POST', '/v2/incidents/change_logs_status', `{"log_ids":${many('{}')}}`],
      ['POST', '/v2/incidents/logs', `{"source":"r","logs":${many('{}')}}`],
      ['POST', '/v2/incidents/hours/reviews', `{"days":${many('{}')}}`],
    ]
    for (const [method, path, body] of bodies) {
      expect(body.length).toBeLessThan(KIB_64)
      const { status, text, body: answer } = await call(method, path, { body, token })
      expect([path, status]).toEqual([path, 422])
      expect(Object.keys(answer.errors).length).toBeLessThanOrEqual(100)
      expect(text.length).toBeLessThan(10_000)
    }
  })

  it('are checked for size after path and method, and before authentication', async () => {
    const huge = padded(KIB_64 + 1)
    expect((await post('/nada', huge, declared(huge.length))).status).toBe(404)
    expect((await post('/auth/me', huge, declared(huge.length))).status).toBe(405)
    const change = await post('/v2/incidents/change_log_status', huge, declared(huge.length))
    expect(change.status).toBe(413)
  })
})

describe('response headers', () => {
  const responses = async () => {
    await aModule()
    return [
      await get('/v2/clients/modules_enabled'),
      await get('/nada'),
      await get('/auth/me'),
      await call('DELETE', '/auth/me'),
      await call('OPTIONS', '/auth/me'),
      await post('/auth/login', {}),
      await get('/v2/clients/config/nada'),
      await get('/auth/me', { env: { TOKEN_TTL_MINUTES: '0' } }),
    ]
  }

  it('are set on every response', async () => {
    for (const { headers } of await responses()) {
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=31536000/)
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/)
    }
  })

  it('echo a well-formed request id, and replace any other', async () => {
    const echo = async (id: string) =>
      (await get('/auth/me', { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id')
    expect(await echo('app-1_2=')).toBe('app-1_2=')
    expect(await echo('a b"<script>')).toMatch(/^[\w-]{36}$/)
    expect(await echo('x'.repeat(300))).toMatch(/^[\w-]{36}$/)
  })
})

describe('CORS', () => {
  const ORIGIN = 'https://app.empresa.mx'
  const headers = { Origin: ORIGIN }
  const preflight = {
    ...headers,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,x-requested-with,x-csrf-token',
  }
  const allowing = (ALLOWED_ORIGINS: string) => ({ env: { ALLOWED_ORIGINS } })
  const allowedOf = (res: { headers: Headers }) => res.headers.get('Access-Control-Allow-Origin')

  it('allows no origin by default', async () => {
    expect(allowedOf(await get('/auth/me', { headers }))).toBeNull()
    expect(allowedOf(await call('OPTIONS', '/auth/login', { headers: preflight }))).toBeNull()
  })

  it('allows the configured origins, on errors too', async () => {
    const settings = allowing(`https://otra.mx, ${ORIGIN},capacitor://localhost`)
    for (const path of ['/auth/me', '/nada', '/v2/clients/modules_enabled']) {
      const res = await get(path, { headers, ...settings })
      expect(allowedOf(res)).toBe(ORIGIN)
      expect(res.headers.get('Vary')).toBe('Origin')
      expect(res.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id')
    }
    const hybrid = { Origin: 'capacitor://localhost' }
    expect(allowedOf(await get('/auth/me', { headers: hybrid, ...settings }))).toBe(hybrid.Origin)
  })

  const SIMILAR = [
    'https://app.empresa.mx.evil.mx',
    'http://app.empresa.mx',
    'https://APP.empresa.mx',
  ]
  it.each([...SIMILAR, 'null'])('does not allow %s', async (Origin) => {
    const res = await get('/auth/me', { headers: { Origin }, ...allowing(ORIGIN) })
    expect(allowedOf(res)).toBeNull()
  })

  it('allows any origin with *', async () => {
    expect(allowedOf(await get('/auth/me', { headers, ...allowing('*') }))).toBe('*')
  })

  it('responds to a preflight with the allowed methods and headers', async () => {
    const res = await call('OPTIONS', '/auth/login', { headers: preflight, ...allowing(ORIGIN) })
    expect([res.status, res.text]).toEqual([204, ''])
    expect(allowedOf(res)).toBe(ORIGIN)
    expect(res.headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE')
    expect(res.headers.get('Access-Control-Allow-Headers')).toBe(
      preflight['Access-Control-Request-Headers'],
    )
    expect(res.headers.get('Vary')).toContain('Origin')
    expect(res.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })
})
