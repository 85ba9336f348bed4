import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../src/app.ts'
import worker from '../src/index.ts'
import { failure } from './support/api.ts'

const OLD = 'https://vieja.empresa.mx'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Stands for the old installation, beyond the network: notes what reaches it, and answers. */
const oldSystem = (answer: () => Response | Promise<Response> = () => new Response('viejo')) => {
  const seen: { method: string; url: string; headers: Headers; body: string; redirect: string }[] =
    []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const request = new Request(url as string, init as RequestInit)
    const { method, headers, redirect } = request
    seen.push({ method, url: request.url, headers, redirect, body: await request.text() })
    return answer()
  })
  return seen
}

const ask = (path: string, init: RequestInit = {}, LEGACY_ORIGIN = OLD, settings = {}) =>
  worker.fetch(
    new Request(`https://checada.mx${path}`, init) as Request<unknown, IncomingRequestCfProperties>,
    { ...env, LEGACY_ORIGIN, ...settings },
    {} as ExecutionContext,
  )

describe('a path that only the old installation knows', () => {
  it('is passed on unchanged: method, path, query, headers and body', async () => {
    const seen = oldSystem()

    await ask('/api/v1/reportes/a%2Fb/ni%C3%B1os?x=1&x=2&y=%20', {
      method: 'PUT',
      headers: { Authorization: 'Bearer 1|viejo', 'X-Propio': 's' },
      body: '{"a":1}',
    })

    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: `${OLD}/api/v1/reportes/a%2Fb/ni%C3%B1os?x=1&x=2&y=%20`,
      body: '{"a":1}',
      redirect: 'manual',
    })
    expect(seen[0]?.headers.get('Authorization')).toBe('Bearer 1|viejo')
    expect(seen[0]?.headers.get('X-Propio')).toBe('s')
  })

  it('gets the old answer unchanged: status, headers and bytes, and nothing of ours', async () => {
    const bytes = new Uint8Array([0, 255, 1])
    oldSystem(() => new Response(bytes, { status: 418, headers: { 'X-Viejo': '1' } }))

    const res = await ask('/api/v1/reportes', { headers: { Origin: 'https://app.mx' } })

    expect(res.status).toBe(418)
    expect([...res.headers]).toEqual([['x-viejo', '1']])
    expect(new Uint8Array(await res.arrayBuffer())).toEqual(bytes)
  })

  it('gets a redirect as it is', async () => {
    oldSystem(
      () => new Response(null, { status: 302, headers: { Location: 'https://otra.mx/login' } }),
    )
    const res = await ask('/api/v1/reportes')
    expect(res.status).toBe(302)
    expect(res.headers.get('Location')).toBe('https://otra.mx/login')
  })

  it('may carry more than 64 KiB, and may be asked for with OPTIONS', async () => {
    const seen = oldSystem()
    const body = 'x'.repeat(200_000)
    expect((await ask('/api/v1/archivos', { method: 'POST', body })).status).toBe(200)
    expect((await ask('/api/v1/archivos', { method: 'OPTIONS' })).status).toBe(200)
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'OPTIONS'])
    expect(seen[0]?.body).toBe(body)
  })

  it('answers 502 in the envelope when the old installation does not', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    oldSystem(() => Promise.reject(new Error('connect to vieja.empresa.mx failed')))

    const res = await ask('/api/v1/reportes', { method: 'POST', body: '{}' })

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

  it.each(['//otro.mx/api', '/api/@otro.mx', '/api//otro.mx', '/api/v1/..%2f@otro.mx'])(
    'never leads to another host: %s',
    async (path) => {
      const seen = oldSystem()
      await ask(path)
      for (const { url } of seen) expect(new URL(url).origin).toBe(OLD)
    },
  )
})

describe('what is never passed on', () => {
  const ours = [...new Set(app.routes.filter((r) => r.method !== 'ALL').map((r) => r.path))]

  it.each(ours)('our path %s, whatever the method and the spelling', async (path) => {
    const seen = oldSystem()
    const real = path.replace(/:\w+/g, 'logo')
    const spelled = real.replace(
      /[a-z](?=\w*$)/,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    )
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const address of [real, `${real}/`, `${real}?x=1`, spelled]) {
        await ask(address, { method })
      }
    }
    expect(seen).toEqual([])
  })

  it.each([
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
  ])('what a lenient server might take for ours, or for none of the API’s: %s', async (path) => {
    const seen = oldSystem()
    expect((await ask(path, { method: 'POST', body: '{}' })).status).not.toBe(200)
    expect(seen).toEqual([])
  })

  it.each(['/', '/apiv1', '/api-docs', '/otra/api/v1', '/API/v1', '/api/../secreto'])(
    'a path outside /api: %s',
    async (path) => {
      const seen = oldSystem()
      expect((await ask(path)).status).toBe(404)
      expect(seen).toEqual([])
    },
  )

  it.each(['', '  '])('anything, while LEGACY_ORIGIN is %j', async (origin) => {
    const seen = oldSystem()
    const res = await ask('/api/v1/reportes', {}, origin)
    expect([res.status, await res.json()]).toEqual([404, failure('La ruta no existe.')])
    expect(seen).toEqual([])
  })

  it.each([
    'vieja.empresa.mx',
    'https://vieja.empresa.mx/',
    'https://vieja.mx/api',
    'ftp://vieja.mx',
  ])('anything, while LEGACY_ORIGIN is no origin: %s', async (origin) => {
    const seen = oldSystem()
    expect((await ask('/api/v1/reportes', {}, origin)).status).toBe(500)
    expect(seen).toEqual([])
  })
})
