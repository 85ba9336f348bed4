import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken } from '../../src/core/http/token.ts'
import worker from '../../src/index.ts'
import { app } from '../support/app.ts'
import { failureOf } from '../support/failures.ts'

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

const PATHS = '/api/v1, /api/reportes, /viejo/api'

const send = (path: string, init: RequestInit = {}, LEGACY_ORIGIN = LEGACY, settings = {}) =>
  worker.fetch(
    new Request(`https://checada.mx${path}`, init) as Request<unknown, IncomingRequestCfProperties>,
    { ...env, LEGACY_ORIGIN, LEGACY_PATHS: PATHS, ...settings },
    {} as ExecutionContext,
  )

describe('a path of LEGACY_PATHS', () => {
  it('is forwarded unchanged: method, path, query, headers and body', async () => {
    const received = mockLegacyApi()

    await send('/api/v1/reportes/a~b/lista.v2.pdf?x=1&x=2&y=%20', {
      method: 'PUT',
      headers: { Authorization: 'Bearer 1|viejo', 'X-Propio': 's' },
      body: '{"a":1}',
    })

    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'PUT',
      url: `${LEGACY}/api/v1/reportes/a~b/lista.v2.pdf?x=1&x=2&y=%20`,
      body: '{"a":1}',
      redirect: 'manual',
    })
    expect(received[0]?.headers.get('Authorization')).toBe('Bearer 1|viejo')
    expect(received[0]?.headers.get('X-Propio')).toBe('s')
  })

  const HEADERS = `X-Original-URL X-Rewrite-URL X-HTTP-Method-Override X-Method-Override
    X-HTTP-Method X_HTTP_Method_Override X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto
    x-forwarded-prefix Forwarded`
  it.each(HEADERS.split(/\s+/))(
    'is forwarded without a header that changes its meaning: %s',
    async (name) => {
      const received = mockLegacyApi()
      const headers = { [name]: '/api/auth/login', 'X-Propio': 's', Cookie: 'a=1' }
      await send('/api/v1/reportes', { method: 'POST', headers, body: 'x' })
      expect([...(received[0]?.headers ?? [])].sort()).toEqual([
        ['content-type', 'text/plain;charset=UTF-8'],
        ['cookie', 'a=1'],
        ['x-propio', 's'],
      ])
      expect(received[0]?.body).toBe('x')
    },
  )

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

  it('gets the legacy response, isolated from the pages of this origin', async () => {
    const bytes = new Uint8Array([0, 255, 1])
    const headers = { 'X-Viejo': '1', 'Content-Security-Policy': "script-src 'unsafe-inline'" }
    mockLegacyApi(() => new Response(bytes, { status: 418, headers }))

    const res = await send('/api/v1/reportes', { headers: { Origin: 'https://app.mx' } })

    expect(res.status).toBe(418)
    expect([...res.headers]).toEqual([
      ['content-security-policy', "sandbox; default-src 'none'"],
      ['x-content-type-options', 'nosniff'],
      ['x-viejo', '1'],
    ])
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
    expect(await res.json()).toEqual(failureOf('LEGACY_DOWN'))
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

  const OTHER_HOSTS = [
    '//otro.mx/api/v1',
    '/api/v1/@otro.mx',
    '/api/v1//otro.mx',
    '/api/v1/..%2f@otro.mx',
  ]
  it.each(OTHER_HOSTS)('is never forwarded to another host: %s', async (path) => {
    const received = mockLegacyApi()
    await send(path)
    for (const { url } of received) expect(new URL(url).origin).toBe(LEGACY)
  })
})

describe('LEGACY_PATHS', () => {
  const FORWARDED = `/api/v1 /api/v1/ /api/v1/auth/login /api/v1/recibos/2026.11.pdf
    /api/v1/recibos/2026.11.pdf/ /api/reportes?r=auth/login /api/reportes/~ana,@norte:1+2=3-4_5
    /api/x/../v1/reportes /api/%2e%2e/api/v1/reportes /viejo/api/lista`
  it.each(FORWARDED.split(/\s+/))('forward %s', async (path) => {
    const received = mockLegacyApi()
    expect((await send(path)).status).toBe(200)
    expect(received.map(({ url }) => url)).toEqual([new URL(path, LEGACY).href])
  })

  const NOT_LISTED = String.raw`/ /api /api/v11 /api/V1 /api/otra /api/auth /viejo /viejo/apis
    /api/v1/../auth/login /api/v1/%2e%2e/auth/login /api/v1/..\auth/login`
  /** Servers could read these names in different ways. */
  const UNCLEAR = `/api/v1//reportes /api/v1/reportes// /api/v1/a%2Fb /api/v1/a%5cb /api/v1/a%20b
    /api/v1/ni%C3%B1os /api/v1/index.php/auth /api/v1/.env /api/v1/a. /api/v1/a..b /api/v1/a;x=1
    /api/v1/(a) /api/v1/a'b /api/v1/a&b /api/v1/a!b /api/v1/a*b /api/v1/a%00 /api/v1/%2561
    /api/v1%2freportes`
  it.each(`${NOT_LISTED} ${UNCLEAR}`.split(/\s+/))('do not forward %s', async (path) => {
    const received = mockLegacyApi()
    await send(path)
    expect(received).toEqual([])
  })

  const WRONG = `/ /api /api/ api/v1 /api/v1/ /api/v1.0 /api//v1 /api/%76 /api/auth /API/Auth
    /api/auth/login /api/v2 /api/v2/reportes /health /iclock /iclock/cdata /mi/x`
  it.each([...WRONG.split(/\s+/), '/api/v 1'])('may not contain %s', async (path) => {
    const received = mockLegacyApi()
    const settings = { LEGACY_PATHS: `/api/v1, ${path}` }
    const res = await send('/api/v1/reportes', {}, LEGACY, settings)
    expect([res.status, received]).toEqual([500, []])
  })

  it('are required with LEGACY_ORIGIN, and it with them', async () => {
    const received = mockLegacyApi()
    for (const LEGACY_PATHS of ['', ',']) {
      expect((await send('/api/v1/reportes', {}, LEGACY, { LEGACY_PATHS })).status).toBe(500)
    }
    expect((await send('/api/v1/reportes', {}, '')).status).toBe(500)
    expect(received).toEqual([])
  })

  it('never lead to the service itself', async () => {
    const received = mockLegacyApi()
    expect((await send('/api/v1/reportes', {}, 'https://checada.mx')).status).toBe(404)
    expect(received).toEqual([])
  })

  it('may contain /api/health, which 2.0.0 did not have: what was valid stays so', async () => {
    const received = mockLegacyApi()
    expect((await send('/api/health', {}, LEGACY, { LEGACY_PATHS: '/api/health' })).status).toBe(
      200,
    )
    expect(received).toHaveLength(1)
  })

  it('cannot contain a path of the app or of a page', async () => {
    const pages = ['/revision', '/mi', '/docs', '/files', '/openapi.json', '/verificar.html']
    const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path)
    const paths = routes.filter((path) => path !== '/api/health')
    for (const path of [...paths, ...pages]) {
      const LEGACY_PATHS = path.replace(/:\w+/g, 'x')
      const res = await send('/api/v1', {}, LEGACY, { LEGACY_PATHS })
      expect([path, res.status]).toEqual([path, 500])
    }
  })
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
    const res = await worker.fetch(
      trace,
      { ...env, LEGACY_ORIGIN: LEGACY, LEGACY_PATHS: PATHS },
      {} as ExecutionContext,
    )
    expect(res.status).toBe(404)
    expect(received).toEqual([])
  })

  it.each(['', '  '])('anything, while LEGACY_ORIGIN is %j', async (origin) => {
    const received = mockLegacyApi()
    const res = await send('/api/v1/reportes', {}, origin, { LEGACY_PATHS: '' })
    expect([res.status, await res.json()]).toEqual([404, failureOf('PATH_NOT_FOUND')])
    expect(received).toEqual([])
  })

  const NO_ORIGINS = ['vieja.mx', 'https://vieja.mx/', 'https://vieja.mx/api', 'ftp://vieja.mx']
  it.each(NO_ORIGINS)('anything, while LEGACY_ORIGIN is not an origin: %s', async (origin) => {
    const received = mockLegacyApi()
    expect((await send('/api/v1/reportes', {}, origin)).status).toBe(500)
    expect(received).toEqual([])
  })
})
