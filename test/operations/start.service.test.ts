import { Agent, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { withDatabase } from '../../cli/core/database.ts'
import {
  DEMO_ADMIN,
  DEMO_EMPLOYEE,
  DEMO_PASSWORD,
  setDemoOrigin,
} from '../../cli/demo/demo-data.ts'
import { EXCEPTIONS, NOTICES } from '../../src/payroll/hours/marks.ts'
import type { WorkDay } from '../../src/payroll/hours/work-day.ts'
import { failureOf } from '../support/failures.ts'
import { parseLines } from '../support/lines.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'

const service = useService()

const post = async (path: string, body: unknown, token = '') => {
  const res = await fetch(`${service.api}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  return { status: res.status, body: (await res.json()) as any }
}

const signIn = async (email: string): Promise<string> => {
  const { status, body } = await post('/auth/login', { email, password: DEMO_PASSWORD })
  expect(status).toBe(200)
  return body.data.token
}

const approve = (token: string) =>
  post('/v2/incidents/change_log_status', { log_id: 1, status: 'approved' }, token)

describe('the first start', () => {
  it('prints the demo users and a first request', () => {
    expect(service.output()).toContain('Loaded the demo data into an empty database.')
    expect(service.output()).toContain(DEMO_ADMIN)
    expect(service.output()).toContain(DEMO_PASSWORD)
    expect(service.output()).toContain(`curl ${service.api}/auth/login`)
  })

  it('prints no warning', () => {
    expect(service.output()).not.toMatch(/warn|deprecated/i)
  })

  it('serves the demo: an admin approves a log, an employee may not', async () => {
    expect((await approve(await signIn(DEMO_EMPLOYEE))).status).toBe(403)
    const { status, body } = await approve(await signIn(DEMO_ADMIN))
    expect(status).toBe(200)
    expect(body.data).toEqual({ log_id: 1, status: 'approved' })
  })
})

describe('the demo data', () => {
  const DAY_MS = 86_400_000
  const read = async (path: string) => {
    const admin = await signInToService(service)
    return JSON.parse(await admin.get(`/v2/incidents${path}`)).data
  }

  it('has logs that arrived within minutes, and some a day late from a phone', async () => {
    const { logs } = await read('/logs?limit=200')
    const delays = logs.map((log: { recorded_at: string; received_at: string }) => {
      expect(Date.parse(log.received_at)).toBeLessThanOrEqual(Date.now())
      return Date.parse(log.received_at) - Date.parse(log.recorded_at)
    })
    expect(delays.every((delay: number) => delay > 0)).toBe(true)
    expect(delays.filter((delay: number) => delay === DAY_MS)).toHaveLength(4)
    expect(delays.filter((delay: number) => delay < 5 * 60_000)).toHaveLength(195)
    expect(new Set(delays).size).toBeGreaterThan(50)
  })

  it('has an event at the time of each arrival, in the order of the feed', async () => {
    const { logs } = await read('/logs?limit=1&kind=checada')
    const [{ log_id, received_at }] = logs
    const { history } = await read(`/logs/${log_id}`)
    expect(history).toMatchObject([
      { event: 'recorded', created_at: received_at, user: { full_name: 'Reloj Norte' } },
    ])
    const { changes } = await read('/changes?limit=500&event=recorded')
    const moments = changes.map((change: { created_at: string }) => change.created_at)
    expect(moments).toHaveLength(362)
    expect(moments).toEqual(moments.toSorted())
  })

  it('has every exception and every notice of the hours, and a closed period', async () => {
    const admin = await signInToService(service)
    const rowsOf = async (query: string): Promise<WorkDay[]> => {
      return parseLines(await admin.get(`/v2/incidents/hours?format=ndjson${query}`))
    }
    const rows = [...(await rowsOf('')), ...(await rowsOf('&by=employee'))]
    const all = (list: 'exceptions' | 'notices') => new Set(rows.flatMap((row) => row[list]))
    // The demo lacks `posible_desfase`, which needs weeks of logs without a kind.
    const shown = EXCEPTIONS.filter((name) => name !== 'posible_desfase')
    expect(all('exceptions')).toEqual(new Set(shown))
    // Nobody in the demo data has left or has asked for a log, and no clock connects by itself.
    const absent = ['fuera_de_relacion', 'solicitada', 'otra_red']
    expect(all('notices')).toEqual(new Set(NOTICES.filter((name) => !absent.includes(name))))
    expect((await read('/closings')).closings).toMatchObject([{ payroll_group: 'semanal' }])
  })

  it('has two clocks, one silent for three days and with a problem', async () => {
    const [norte, sur] = await read('/sources')
    expect(norte).toMatchObject({ source: 'reloj-norte', problems: [] })
    expect(Date.now() - Date.parse(norte.complete_until)).toBeLessThan(DAY_MS)
    expect(sur).toMatchObject({
      source: 'reloj-sur',
      problems: [{ reason: 'unknown_employee', employee_id: 'E-099', count: 3 }],
    })
    expect(Date.now() - Date.parse(sur.last_seen_at)).toBeGreaterThanOrEqual(3 * DAY_MS)
    const { logs } = await read('/logs?kind=checada&order=newest')
    expect(logs).toHaveLength(6)
    expect(logs.every((log: { log_id: number }) => log.log_id >= 1_000_000_000)).toBe(true)
  })
})

describe('the demo', () => {
  it("leads an app from the client's code to the running service", async () => {
    const { status, body } = await post('/v2/clients/validate-code', { code: 'DEMO-2026' })
    expect([status, `${body.data.url_base}/api`]).toEqual([200, service.api])
  })

  it('goes on leading to a start that answers, unless an address is given', async () => {
    const { origin } = new URL(service.api)
    const lead = (to: string, always: boolean) => {
      let leadsTo = ''
      return withDatabase({ persistTo: service.state }, async (db) => {
        leadsTo = await setDemoOrigin(db, to, { always })
      }).then(() => leadsTo)
    }
    const nobody = 'http://127.0.0.1:1'
    expect(await lead(nobody, false)).toBe(origin)
    expect(await lead(nobody, true)).toBe(nobody)
    expect(await lead(origin, false)).toBe(origin)
  })

  it('lets its employees check in and ask for a correction', async () => {
    const token = await signIn(DEMO_EMPLOYEE)
    const checkIn = { client_id: crypto.randomUUID(), kind: 'entrada' }
    const checked = await post('/v2/incidents/my_logs', checkIn, token)
    expect(checked.body.data).toMatchObject({ result: 'created' })
    const request = {
      client_id: crypto.randomUUID(),
      kind: 'salida',
      recorded_at: new Date(Date.now() - 86_400_000).toISOString(),
      comment: 'Olvidé checar.',
    }
    const asked = await post('/v2/incidents/my_requests', request, token)
    expect(asked.body.data).toMatchObject({ result: 'created' })
  })
})

it('serves every picture and document of the demo to apps on any origin, without scripts', async () => {
  const admin = await signInToService(service)
  const { employees } = JSON.parse(await admin.get('/v2/people/employees?limit=100')).data
  const paths = employees.map((one: { profile_image: string }) => one.profile_image)
  for (const key of ['logo', 'aviso_privacidad']) {
    paths.push(JSON.parse(await admin.get(`/v2/clients/config/${key}`)).data.valor)
  }
  expect(new Set(paths).size).toBe(15)
  for (const path of paths) {
    const { status, headers } = await fetch(new URL(`/files/${path}`, service.api))
    expect([path, status, headers.get('Access-Control-Allow-Origin')]).toEqual([path, 200, '*'])
    expect(headers.get('Content-Type')).toMatch(/^(image\/png|application\/pdf)$/)
    expect(headers.get('Content-Security-Policy')).toMatch(/^script-src 'none';/)
  }
  const unknown = await fetch(new URL('/files/config/otro.png', service.api))
  expect([unknown.status, await unknown.json()]).toEqual([404, failureOf('PATH_NOT_FOUND')])
})

it('compresses a file only for clients that accept it, although the edge always does', async () => {
  const token = await signIn(DEMO_ADMIN)
  const encodingOf = (accepted?: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const encoding = accepted && { 'Accept-Encoding': accepted }
      const headers = { Authorization: `Bearer ${token}`, ...encoding }
      request(`${service.api}/v2/incidents/export?format=csv`, { headers, agent: false }, (res) => {
        res.resume().on('end', () => resolve(res.headers['content-encoding']))
      })
        .on('error', reject)
        .end()
    })
  expect(await encodingOf()).toBeUndefined()
  expect(await encodingOf('identity')).toBeUndefined()
  expect(await encodingOf('gzip')).toBe('gzip')
})

describe('a large body on a shared connection', () => {
  const send = (agent: Agent, path: string, bytes: number, chunked: boolean) =>
    new Promise<number>((resolve, reject) => {
      const length = chunked ? {} : { 'Content-Length': bytes }
      const req = request(`${service.api}${path}`, { method: 'POST', agent, headers: length })
      req.on('error', reject)
      req.on('response', (res) => {
        res.resume()
        res.on('end', () => resolve(res.statusCode ?? 0))
      })
      req.end(Buffer.alloc(bytes, 'x'))
    })

  it.each([
    ['/auth/login', 413],
    ['/v2/incidents/change_log_status', 413],
    ['/auth/me', 405],
    ['/nada', 404],
  ])('does not break the request after one to %s', async (path, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const statuses: number[] = []
    for (const bytes of [300_000, 12_000_000]) {
      for (const chunked of [false, true]) {
        statuses.push(await send(agent, path, bytes, chunked))
        statuses.push(await send(agent, '/auth/login', 2, false))
      }
    }
    agent.destroy()
    expect(statuses).toEqual([status, 422, status, 422, status, 422, status, 422])
  })

  it('does not break the request after a 401', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const path = '/v2/incidents/change_log_status'
    const statuses = [
      await send(agent, path, 60_000, false),
      await send(agent, path, 60_000, true),
      await send(agent, '/auth/login', 2, false),
    ]
    agent.destroy()
    expect(statuses).toEqual([401, 401, 422])
  })
})

const guess = (address: string) =>
  fetch(`${service.api}/auth/login`, {
    method: 'POST',
    headers: { 'CF-Connecting-IP': address },
    body: JSON.stringify({ email: DEMO_ADMIN, password: 'otra' }),
  })

it('the rate limit of sign-in is ten attempts a minute, from one address only', async () => {
  const responses: Response[] = []
  const minute = () => Math.floor(Date.now() / 60_000)
  const start = minute()
  const refused = () => responses.find(({ status }) => status === 429)
  // The limit counts per minute of the clock. If a minute begins among the attempts, each minute
  // may have less than eleven of them. Then more are sent.
  while (!refused()) {
    const attempts = Array.from({ length: 11 }, () => guess('203.0.113.7'))
    responses.push(...(await Promise.all(attempts)))
  }

  const minutes = minute() - start + 1
  const statuses = responses.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  const taken = statuses.filter((status) => status === 401)
  expect(taken.length).toBeGreaterThanOrEqual(10)
  expect(taken.length).toBeLessThanOrEqual(10 * minutes)
  expect(refused()?.headers.get('Retry-After')).toBe('60')
  expect((await guess('203.0.113.8')).status).toBe(401)
  expect((await post('/auth/login', { email: DEMO_ADMIN })).status).toBe(422)
})

it('serves no explorer of the local database', async () => {
  const { origin } = new URL(service.api)
  for (const path of ['', '/api', '/api/d1/database', '/api/d1/database/checada-local/query']) {
    const res = await fetch(`${origin}/cdn-cgi/explorer${path}`)
    expect(res.status, path).toBe(404)
    await res.arrayBuffer()
  }
})

describe('a slow body', () => {
  /** Sends the headers and the first byte of a status change. `finish` sends the other bytes. */
  const slowChange = (token: string) => {
    const body = JSON.stringify({ log_id: 2, status: 'rejected' })
    const headers = { Authorization: `Bearer ${token}`, 'Content-Length': body.length }
    const path = `${service.api}/v2/incidents/change_log_status`
    const req = request(path, { method: 'POST', headers })
    const status = new Promise<number>((resolve, reject) => {
      req.on('error', reject)
      req.on('response', (res) => {
        res.resume()
        resolve(res.statusCode ?? 0)
      })
    })
    const begun = new Promise<void>((resolve) => req.write(body.slice(0, 1), () => resolve()))
    return { status, begun, finish: () => req.end(body.slice(1)) }
  }

  it('is authorized when it is complete, so a token that ended meanwhile is a 401', async () => {
    const token = await signIn(DEMO_ADMIN)
    const { status, begun, finish } = slowChange(token)
    await begun
    // Requests are served in order. After the response to this one, the slow request has begun.
    expect((await approve(token)).status).toBe(200)
    expect((await post('/auth/logout', {}, token)).status).toBe(200)
    finish()
    expect(await status).toBe(401)
  })
})

it('a second start keeps the data, passes flags to wrangler, and leads phones to its --host', async () => {
  const token = await signIn(DEMO_ADMIN)
  await service.stop()

  await service.start(['--var', 'ADMIN_ROLES:gerente', '--host', 'localhost'])

  expect(service.output()).not.toContain('Loaded the demo data')
  expect((await approve(token)).status).toBe(403)
  const headers = { Authorization: `Bearer ${token}` }
  expect((await fetch(`${service.api}/auth/me`, { headers })).status).toBe(200)
  const { body } = await post('/v2/clients/validate-code', { code: 'DEMO-2026' })
  expect(body.data.url_base).toMatch(/^http:\/\/localhost:\d+$/)
  expect(`${body.data.url_base}/api`).toBe(service.api)
})
