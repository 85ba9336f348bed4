import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { failureOf } from '../support/failures.ts'
import { useLoggedLines } from '../support/logged-lines.ts'

const ORIGIN = 'https://archivos.empresa.mx'
const lines = useLoggedLines()

const request = (path: string, method = 'GET', settings = {}) =>
  worker.fetch(
    new Request<unknown, IncomingRequestCfProperties>(`https://checada.mx${path}`, { method }),
    { ...env, FILES_ORIGIN: ORIGIN, ...settings },
    {} as ExecutionContext,
  )

it.each(['config/logo.png', 'empleados/mar%C3%ADa%20jos%C3%A9.jpg', 'a%2Bb/(1).png?v=2'])(
  'redirects any origin’s request for the file %s, which browsers may keep',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await request(`/files/${path}`, method)
      expect([status, body, [...headers].sort()]).toEqual([
        302,
        null,
        [
          ['access-control-allow-origin', '*'],
          ['cache-control', 'public, max-age=300'],
          ['location', `${ORIGIN}/${path}`],
        ],
      ])
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      ['GET', 'HEAD'].map((method) => ({ method, route: 'files', status: 302, round_trips: 0 })),
    )
    expect(lines.join()).not.toContain('png')
  },
)

const NO_FILES = `/files/..%2Fprivado/x /files/config/..%2F..%2Fx /files/%2E%2E%2Fx /files/..%5Cx
  /files/%252E%252E%252Fx /files/.%00./x /files/%2E%2E/x /files/../x /files/.git/config /files/%FF
  /files//evil.mx/x /files/%2Fevil.mx /files/https://evil.mx/x /files/%0D%0AX-Propio:1 /files/
  /files /files.evil.mx/x /Files/x /%66iles/x /api/files/x`

it.each(NO_FILES.split(/\s+/))('is a 404 without a redirect for %s', async (path) => {
  const res = await request(path)
  expect([res.status, await res.json()]).toEqual([404, failureOf('PATH_NOT_FOUND')])
  expect(res.headers.has('Location')).toBe(false)
})

it('redirects no POST, and nothing while FILES_ORIGIN is empty or a setting is wrong', async () => {
  expect((await request('/files/logo.png', 'POST')).status).toBe(404)
  expect((await request('/files/logo.png', 'GET', { FILES_ORIGIN: '' })).status).toBe(404)
  for (const wrong of [{ FILES_ORIGIN: 'javascript:alert(1)' }, { DB_LIMIT_MB: '0' }]) {
    expect((await request('/files/logo.png', 'GET', wrong)).status).toBe(500)
  }
})
