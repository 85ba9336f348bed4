import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken } from '../../src/core/http/token.ts'
import worker from '../../src/index.ts'
import { failure } from '../support/api.ts'

const LEGACY = 'https://vieja.empresa.mx'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Mocks the legacy API in `fetch`. Returns the list of requests that it receives. */
const mockLegacyApi = (
  respond: () => Response | Promise<Response> = () => new Response('viejo'),
) => {
  const received: {
    method: string
    url: string
    headers: Headers
    body: string
    redirect: string
  }[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const request = new Request(url as string, init as RequestInit)
    const { method, headers, redirect } = request
    received.push({ method, url: request.url, headers, redirect, body: await request.text() })
    return respond()
  })
  return received
}

const send = (path: string, init: RequestInit = {}, LEGACY_ORIGIN = LEGACY, settings = {}) =>
  worker.fetch(
    new Request(`https://checada.mx${path}`, init) as Request<unknown, IncomingRequestCfProperties>,
    { ...env, LEGACY_ORIGIN, ...settings },
    {} as ExecutionContext,
  )

describe('a path that only the legacy API has', () => {
  it('is forwarded unchanged: method, path, query, headers and body', async () => {
    const received = mockLegacyApi()

    await send('/api/v1/reportes/a%2Fb/ni%C3%B1os?x=1&x=2&y=%20', {
      method: 'PUT',
      headers: { Authorization: 'Bearer 1|viejo', 'X-Propio': 's' },
      body: '{"a":1}',
    })

    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'PUT',
      url: `${LEGACY}/api/v1/reportes/a%2Fb/ni%C3%B1os?x=1&x=2&y=%20`,
      body: '{"a":1}',
      redirect: 'manual',
    })
    expect(received[0]?.headers.get('Authorization')).toBe('Bearer 1|viejo')
    expect(received[0]?.headers.get('X-Propio')).toBe('s')
  })

  it.each([
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-HTTP-Method-Override',
    'X-Method-Override',
    'X-HTTP-Method',
    'X_HTTP_Method_Override',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'x-forwarded-prefix',
    'Forwarded',
  ])('is forwarded without a header that changes its meaning: %s', async (name) => {
    const received = mockLegacyApi()
    const headers = { [name]: '/api/auth/login', 'X-Propio': 's', Cookie: 'a=1' }
    await send('/api/v1/reportes', { method: 'POST', headers, body: 'x' })
    expect([...(received[0]?.headers ?? [])].sort()).toEqual([
      ['content-type', 'text/plain;charset=UTF-8'],
      ['cookie', 'a=1'],
      ['x-propio', 's'],
    ])
    expect(received[0]?.body).toBe('x')
  })

  it('never carries a valid, expired, revoked or older token of this service', async () => {
    const received = mockLegacyApi()
    const settings = readSettings({ TOKEN_SECRET: env.TOKEN_SECRET })
    const before = 'y'.repeat(32)
    const old = readSettings({ TOKEN_SECRET: before })
    const user = { id: 999, tokenVersion: 0 }
    const token = await issueToken(user, settings, new Date())
    const expired = await issueToken(user, settings, new Date(0))
    const previous = await issueToken(user, old, new Date())
    const own = [
      `Bearer ${token}`,
      `bearer  ${expired}`,
      `Bearer ${previous}`,
      `Token ${token}`,
      `Bearer "${token}"`,
      `Bearer 1|viejo, Bearer ${token}`,
    ]
    for (const Authorization of own) {
      await send('/api/v1/reportes', { headers: { Authorization } }, LEGACY, {
        TOKEN_SECRET_PREVIOUS: before,
        TOKEN_TTL_MINUTES: '5',
      })
    }
    expect(received.map(({ headers }) => headers.get('Authorization'))).toEqual(own.map(() => null))
    const foreign = ['Bearer 1|viejo', 'Basic YTpi', `Bearer ${previous}`, 'Bearer a.b.c']
    for (const Authorization of foreign) {
      await send('/api/v1/reportes', { headers: { Authorization } })
    }
    const others = received.slice(own.length).map(({ headers }) => headers.get('Authorization'))
    expect(others).toEqual(foreign)
  })

  it('gets the legacy response unchanged: status, headers and bytes, nothing added', async () => {
    const bytes = new Uint8Array([0, 255, 1])
    mockLegacyApi(() => new Response(bytes, { status: 418, headers: { 'X-Viejo': '1' } }))

    const res = await send('/api/v1/reportes', { headers: { Origin: 'https://app.mx' } })

    expect(res.status).toBe(418)
    expect([...res.headers]).toEqual([['x-viejo', '1']])
    expect(new Uint8Array(await res.arrayBuffer())).toEqual(bytes)
  })

  it('gets a redirect without following it', async () => {
    mockLegacyApi(
      () => new Response(null, { status: 302, headers: { Location: 'https://otra.mx/login' } }),
    )
    const res = await send('/api/v1/reportes')
    expect(res.status).toBe(302)
    expect(res.headers.get('Location')).toBe('https://otra.mx/login')
  })

  it('is forwarded with a body over 64 KiB, and with OPTIONS', async () => {
    const received = mockLegacyApi()
    const body = 'x'.repeat(200_000)
    expect((await send('/api/v1/archivos', { method: 'POST', body })).status).toBe(200)
    expect((await send('/api/v1/archivos', { method: 'OPTIONS' })).status).toBe(200)
    expect(received.map(({ method }) => method)).toEqual(['POST', 'OPTIONS'])
    expect(received[0]?.body).toBe(body)
  })

  it('is a 502 in the envelope when the legacy API is unreachable', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    mockLegacyApi(() => Promise.reject(new Error('connect to vieja.empresa.mx failed')))

    const res = await send('/api/v1/reportes', { method: 'POST', body: '{}' })

    expect(res.status).toBe(502)
    expect(await res.json()).toEqual(
      failure('El sistema anterior no responde. Inténtalo de nuevo más tarde.'),
    )
    expect(res.headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/)
    expect(res.headers.get('X-Content-Type-Options')).toBe('nosniff')
    const line = JSON.parse(String(error.mock.calls[0]?.[0]))
    expect(line).toMatchObject({
      method: 'POST',
      route: 'legacy',
      status: 502,
      error: { name: 'Error' },
    })
    expect(JSON.stringify(line)).not.toContain('vieja')
  })

  const OTHER_HOSTS = ['//otro.mx/api', '/api/@otro.mx', '/api//otro.mx', '/api/v1/..%2f@otro.mx']
  it.each(OTHER_HOSTS)('is never forwarded to another host: %s', async (path) => {
    const received = mockLegacyApi()
    await send(path)
    for (const { url } of received) expect(new URL(url).origin).toBe(LEGACY)
  })
})

/** Unusual paths. A server may read the paths in `kept back` as paths of this service. */
const SPELLINGS = {
  'kept back': [
    '/api/auth/login//',
    '/api/auth//login',
    '/api//auth/login',
    '/api/auth%2Flogin',
    '/api/auth/login%2F',
    '/api/auth/%256cogin',
    '/api/auth/%25256cogin',
    '/api/auth/x%2f..%2flogin',
    '/api/auth\\login',
    '/api/auth/login%20',
    '/api/auth/login%00',
    '/api/auth/login.',
    '/api/auth/login;x',
    '/api/AUTH/LOGIN',
    '/api/auth;v=1/login',
    '/api/v2/incidents%2fchange_log_status',
    '/api/v2/clients/config//logo',
    '/api/..%2fadmin',
    '/api/..%5cadmin',
    '/api/v1%2f..%2f..%2fadmin',
    `/api/v1/%${'25'.repeat(20)}41`,
    '/api/index.php/auth/login',
    '/api/index.php/v2/incidents/change_log_status',
    '/api/index.php/auth/login/',
    '/api/index.php//auth/login',
    '/api/index.php/./auth/login',
    '/api/index.php/x/../auth/login',
    '/api/index.php%2Fauth/login',
    '/api/index.php\\auth/login',
    '/api/index.php;x/auth/login',
    '/api/index.php%00/auth/login',
    '/api/index%2ephp/auth/login',
    '/api/%69ndex.php/auth/login',
    '/api/%2569ndex.php/auth/login',
    '/api/INDEX.PHP/auth/login',
    '/api/ｉｎｄｅｘ.php/auth/login',
    '/api/index/auth/login',
    '/api/index.html/auth/login',
    '/api/index.php/index.php/auth/login',
    '/api/auth/login/index.php',
    '/api/auth/index.php/login',
    '/api/app.php/auth/login',
    '/api/app_dev.php/auth/login.json',
    '/api/app.php/auth.php/login',
    '/api/app.php/index.php/auth/login',
    '/api/public/auth/login',
    '/api/Public/index.php/auth/login',
    '/api/public/api/index.php/api/auth/login',
    '/api/api/auth/login',
    '/api/API/auth/login/',
    '/api/api.php/auth/login',
    '/api/server.php/api/auth/login',
    '/api/auth/login.php',
    '/api/auth/login.json',
    '/api/auth/login.Json/',
    '/api/auth/login%2ejson',
    '/api/auth/login.min.json',
    '/api/auth/login.json;x',
    '/api/auth/login.json%20',
    '/api/auth/login%20x',
    '/api/index.php%20x/auth/login',
    '/api/auth.php/login',
    '/api/v2.php/incidents/logs.json',
    '/api/v2/clients/config.json/logo',
    '/api/app.php/app.php/auth/login',
    '/api/x.php/y.php/auth/login',
    '/api/x.php/public/y.php/z.php/auth.php/login.json',
    `/api${'/a.php'.repeat(100)}/auth/login`,
    '/api/index.php?/auth/login',
    '/api/index.php?/auth/login&x=1',
    '/api/?/auth/login',
    '/api?r=auth/login',
    '/api/?x=1&R=%2FAuth%2Flogin/',
    '/api/app.php?route=api//./auth%5Clogin.json',
    '/api/public/app_dev.php?url=app.php/v2/incidents/logs',
    '/api/(S(abc))/auth/login',
    '/api/auth/(A(x)S(y))/login',
    '/api/~/auth/login',
    '/api/auth/login&x=1',
    '/api/auth/login%26x=1',
    '/api/auth/login+',
    '/api/auth/login::$DATA',
    '/api/index&x/auth/login',
    '/api/auth/login.php/x/y',
    `/api/auth/login.php${'/x'.repeat(50)}`,
    `/api${'/a.php'.repeat(14)}/auth.php/login.php${'/a.php'.repeat(14)}`,
    '/api/auth/login/default.aspx',
    '/api/web/app_dev.php/auth/login',
    '/api/webroot/index.php/auth/login',
    '/api/public_html/index.php/auth/login',
    '/api/cgi-bin/index.cgi/auth/login',
    '/api/v2/incidents/change-log-status',
    '/api/v2/clients/validate_code',
    '/api/auth/l%C3%B3gin',
    '/api/auth/log%C4%B1n',
    '/api/index.php?r=auth%252Flogin',
    '/api/index.php?r=%20auth/login%09',
    '/api/index.php?r=auth/login%00',
    '/api/index.php?r=x/../auth/login%23y',
    '/api/index.php?r=auth/login%26x',
    '/api/auth/index.php?action=login',
    '/api/v2/index.php?r=incidents/logs',
  ],
  forwarded: [
    '/api',
    '/api/index.php',
    '/api/public/',
    '/api/v1/auth/login',
    '/api/v1/auth/login.json',
    '/api/index.php/v1/auth/login',
    '/api/public/index.php/api/v1/auth/login/',
    '/api/v2/index.php/v2/incidents/logs',
    '/api/auth.php',
    '/api/auth/logins.json',
    '/api/auth/login/recibo.pdf',
    '/api/publico/auth/login',
    '/api/apis/auth/login',
    '/api/indice/auth/login',
    '/api/v2/incidents.json',
    '/api/app.php/v2/reportes.pdf',
    '/api/x.php/y.php/v1/auth/login',
    '/api/index.php?/v1/auth/login',
    '/api/index.php?r=auth/logins&login=auth',
    '/api/v1/reportes?r=auth/login',
    '/api/v1/index.php?r=auth/login',
    '/api/auth/(x)/logins',
    '/api/auth/login-movil',
    '/api/web/auth/login',
    '/api/reportes.php/auth-login/x',
    '/api/v2/incidents?export=csv',
    '/api/index.php?r=x/../v1/auth/login',
    '/api/index.php?r=%E0%A4',
  ],
}

it.each(
  Object.entries(SPELLINGS).flatMap(([direction, paths]) =>
    paths.map((path) => [path, direction] as const),
  ),
)('%s is %s', async (path, direction) => {
  const received = mockLegacyApi()
  const res = await send(path, { method: 'POST', body: '{}' })
  const isForwarded = direction === 'forwarded'
  expect(received.map(({ url }) => url)).toEqual(isForwarded ? [`${LEGACY}${path}`] : [])
  expect(res.status === 200).toBe(isForwarded)
})

describe('never forwards', () => {
  it('TRACE, which would echo the caller’s token', async () => {
    const received = mockLegacyApi()
    const request = new Request('https://checada.mx/api/v1/reportes')
    // `new Request` rejects the method TRACE, but an incoming request may have it.
    const trace = new Proxy(request, {
      get: (target, name) => {
        if (name === 'method') return 'TRACE'
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }) as Request<unknown, IncomingRequestCfProperties>
    const res = await worker.fetch(trace, { ...env, LEGACY_ORIGIN: LEGACY }, {} as ExecutionContext)
    expect(res.status).toBe(404)
    expect(received).toEqual([])
  })

  const ownPaths = [...new Set(app.routes.filter((r) => r.method !== 'ALL').map((r) => r.path))]

  it.each(ownPaths)('a path of the app, with any method and encoding: %s', async (path) => {
    const received = mockLegacyApi()
    const real = path.replace(/:\w+/g, 'logo')
    const encoded = real.replace(
      /[a-z](?=\w*$)/,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    )
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const address of [real, `${real}/`, `${real}?x=1`, encoded]) {
        await send(address, { method })
      }
    }
    expect(received).toEqual([])
  })

  const OUTSIDE_API = ['/', '/apiv1', '/api-docs', '/otra/api/v1', '/API/v1', '/api/../secreto']
  it.each(OUTSIDE_API)('a path outside /api: %s', async (path) => {
    const received = mockLegacyApi()
    expect((await send(path)).status).toBe(404)
    expect(received).toEqual([])
  })

  it.each(['', '  '])('anything, while LEGACY_ORIGIN is %j', async (origin) => {
    const received = mockLegacyApi()
    const res = await send('/api/v1/reportes', {}, origin)
    expect([res.status, await res.json()]).toEqual([404, failure('La ruta no existe.')])
    expect(received).toEqual([])
  })

  it.each([
    'vieja.empresa.mx',
    'https://vieja.empresa.mx/',
    'https://vieja.mx/api',
    'ftp://vieja.mx',
  ])('anything, while LEGACY_ORIGIN is not an origin: %s', async (origin) => {
    const received = mockLegacyApi()
    expect((await send('/api/v1/reportes', {}, origin)).status).toBe(500)
    expect(received).toEqual([])
  })
})
