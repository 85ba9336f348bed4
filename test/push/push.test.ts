import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { createVapidKey } from '../../cli/push/vapid-key.ts'
import service from '../../src/index.ts'
import { deliver } from '../../src/push/push.http.ts'
import { runScheduled } from '../../src/scheduled.ts'
import { useAdmin } from '../support/admin.ts'
import { call, get } from '../support/api.ts'
import { app } from '../support/app.ts'
import { stopClock } from '../support/clock/clock.ts'
import {
  aLog,
  anEmployee,
  aUser,
  aZone,
  insertLogs,
  PASSWORD,
  paysFrom,
} from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { USER_ACCESS, USER_NAMES, USERS_PATH } from '../support/people.ts'
import { aSubscription, VAPID_KEY, verifySender } from '../support/push-service.ts'
import { recordQueries } from '../support/record-queries.ts'

const NOW = '2026-11-24T18:00:00.000Z'
const SETTINGS = { VAPID_KEY }
const AT = '2026-11-23T14:00:00.000Z'
const MY_PUSH = '/v2/incidents/my_push'

type Subscription = Awaited<ReturnType<typeof aSubscription>>

let phones: Subscription[] = []
let received: { endpoint: string; text: string; path: string; headers: Headers; bytes: number }[] =
  []
/** What the push service answers. */
let answer: (endpoint: string) => Response | Promise<Response>

/** The push service: each message must be for a phone that exists, and that phone decrypts it. */
const receive = async (url: string, init: RequestInit): Promise<Response> => {
  const phone = phones.find(({ endpoint }) => endpoint === url)
  if (!phone) throw new Error(`a message for an unknown phone: ${url}`)
  expect(init.redirect).toBe('manual')
  const request = new Request(url, init)
  const body = new Uint8Array(await request.clone().arrayBuffer())
  const message = await phone.decrypt(body)
  received.push({ endpoint: url, ...message, headers: request.headers, bytes: body.length })
  return answer(url)
}

const lines = useLoggedLines()
const admin = useAdmin()
let luisa: Awaited<ReturnType<typeof aUser>>

beforeEach(async () => {
  stopClock(NOW)
  phones = []
  received = []
  answer = () => new Response(null, { status: 201 })
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => receive(String(url), init ?? {}))
  await anEmployee({ employee_id: 'E-luisa', full_name: 'Luisa Peña', rfc: 'PELL900101AB1' })
  luisa = await aUser({ employee_id: 'E-luisa', email: 'luisa@empresa.mx' })
})

/** Sends a request, and waits for the work that continues after the response. */
const send = async (
  method: string,
  path: string,
  { token = admin.token, body = {}, settings = SETTINGS as object } = {},
) => {
  const ctx = createExecutionContext()
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://localhost/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const response = await service.fetch(request, { ...env, ...settings } as Env, ctx)
  const text = await response.text()
  await waitOnExecutionContext(ctx)
  expect(response.status, text).toBe(200)
  return JSON.parse(text).data
}

const decide = (body: object, settings: object = SETTINGS) => {
  const path = 'log_ids' in body ? 'change_logs_status' : 'change_log_status'
  return send('POST', `/v2/incidents/${path}`, { body: { status: 'approved', ...body }, settings })
}

/** The user says yes on a phone. */
const register = async (token: string, endpoint?: string) => {
  const phone = await aSubscription(endpoint)
  phones = [...phones.filter((other) => other.endpoint !== phone.endpoint), phone]
  await send('PUT', MY_PUSH, { token, body: phone.body })
  return phone
}

const aLogOfLuisa = (recorded_at = AT) => aLog({ employee_id: 'E-luisa', recorded_at })

/** A day that a closing pays to Luisa. */
const aDayOfLuisa = async () => {
  await paysFrom('2026-11-16')
  const worked = { employee_id: 'E-luisa', status: 'approved' as const }
  await aLog({ ...worked, kind: 'entrada', recorded_at: '2026-11-17T14:00:00.000Z' })
  await aLog({ ...worked, kind: 'salida', recorded_at: '2026-11-17T23:00:00.000Z' })
}

const cron = (settings: object = {}) =>
  runScheduled({ ...env, ...SETTINGS, ...settings }, '* * * * *', () => new Date())

const texts = () => received.map(({ text }) => text)
const rows = async () =>
  (await env.DB.prepare('SELECT endpoint FROM push_subscriptions').all()).results.length
const health = async (settings: object = SETTINGS) => {
  const response = await app.request('/health', {}, { ...env, ...settings })
  return (await response.json<{ data: { push?: object } }>()).data.push
}

const REJECTED = 'Se rechazó una checada tuya del 23 de noviembre.'
const APPROVED = 'Se aprobó una checada tuya del 23 de noviembre.'

describe('a message', () => {
  it('tells the person that a log was rejected, and opens that day at its branch', async () => {
    await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
    await anEmployee({ employee_id: 'E-eva', branch_office: 'Tijuana' })
    await register((await aUser({ employee_id: 'E-eva' })).token)
    // This is 23:30 of the day before in Tijuana.
    const log = await aLog({ employee_id: 'E-eva', recorded_at: '2026-11-24T07:30:00.000Z' })

    await decide({ log_id: log.id, status: 'rejected', comment: 'Nadie la vio entrar.' })

    expect(texts()).toEqual([REJECTED])
    expect(received[0]?.path).toBe('#/dias?dia=2026-11-23')
  })

  it('is signed by this service for the push service, and is kept for a day at most', async () => {
    await register(luisa.token)
    const log = await aLogOfLuisa()
    await decide({ log_id: log.id })
    const [message] = received
    if (!message) return expect.unreachable()
    const [key] = VAPID_KEY.split('.')
    expect(await verifySender(message.headers)).toMatchObject({
      ...{ aud: 'https://fcm.googleapis.com', sub: 'https://localhost', key },
    })
    expect(message.headers.get('Content-Encoding')).toBe('aes128gcm')
    expect(Number(message.headers.get('TTL'))).toBe(86_400)
  })

  it('has no name, hour, reason or comment, and always the same length', async () => {
    await register(luisa.token)
    const [one, other] = [await aLogOfLuisa(), await aLogOfLuisa('2026-09-30T15:00:00.000Z')]
    await decide({ log_id: one.id, status: 'rejected', comment: 'Nadie la vio entrar.' })
    await decide({ log_id: other.id, comment: 'Bien.' })
    expect(received.map(({ text, path }) => ({ text, path }))).toEqual([
      { text: REJECTED, path: '#/dias?dia=2026-11-23' },
      { text: 'Se aprobó una checada tuya del 30 de septiembre.', path: '#/dias?dia=2026-09-30' },
    ])
    // Some push services take no more than 2,048 bytes.
    expect(received.map(({ bytes }) => bytes)).toEqual([1_127, 1_127])
  })

  it('is one for all decisions of a request, and about the rejected log', async () => {
    await register(luisa.token)
    await insertLogs('E-luisa', 100)
    await decide({ log_ids: Array.from({ length: 100 }, (_, i) => i + 1) })
    expect(received).toHaveLength(1)

    const [first, second] = [await aLogOfLuisa(), await aLogOfLuisa('2026-11-22T14:00:00.000Z')]
    await decide({ log_id: first.id, status: 'rejected', comment: 'No.' }, {})
    await decide({ log_id: second.id }, {})
    await cron()
    expect(texts().slice(1)).toEqual([REJECTED])
  })

  it('announces a card to sign, and the answer to an objection to it', async () => {
    await aDayOfLuisa()
    await register(luisa.token)
    const period = { before: '2026-11-23', leave_pending: true, comment: 'Semana.' }
    const { id } = await send('POST', '/v2/incidents/closings', { body: period })
    const own = `/v2/incidents/my_closings/${id}`
    const { hash } = (await get(own, { token: luisa.token })).body.data
    const objection = { hash, agrees: false, password: PASSWORD, comment: 'Falta una hora.' }
    await send('POST', `${own}/sign`, { token: luisa.token, body: objection })
    const answerPath = `/v2/incidents/closings/${id}/objections/E-luisa/answer`
    await send('POST', answerPath, { body: { comment: 'Se corrige.' } })

    expect(received.map(({ text, path }) => ({ text, path }))).toEqual([
      { text: 'Tienes por firmar la tarjeta que termina el 22 de noviembre.', path: '#/tarjetas' },
      { text: 'Respondieron tu objeción a la tarjeta del 22 de noviembre.', path: '#/tarjetas' },
    ])
  })

  it('is not sent about a log that is to be decided again, or about anybody else', async () => {
    await register(luisa.token)
    const log = await aLogOfLuisa()
    await decide({ log_id: log.id, status: 'rejected', comment: 'No.' }, {})
    await cron()
    await decide({ log_id: log.id, status: 'pending' })
    const { employee_id } = await anEmployee()
    await decide({ log_id: (await aLog({ employee_id })).id })
    expect(texts()).toEqual([REJECTED])
  })

  it('announces no card to who has no lines, and none of a closing that was cancelled', async () => {
    await aDayOfLuisa()
    await anEmployee({ employee_id: 'E-sin' })
    await register((await aUser({ employee_id: 'E-sin' })).token)
    const period = { before: '2026-11-23', leave_pending: true, comment: 'Semana.' }
    const { id, people } = await send('POST', '/v2/incidents/closings', { body: period })
    expect(people).toBe(2)
    expect(received).toEqual([])

    await register(luisa.token)
    const cancel = { body: { comment: 'Faltaba un día.' }, settings: {} }
    await send('POST', `/v2/incidents/closings/${id}/cancel`, cancel)
    const again = await send('POST', '/v2/incidents/closings', { body: period, settings: {} })
    await send('POST', `/v2/incidents/closings/${again.id}/cancel`, cancel)
    await cron()
    expect(received).toEqual([])
  })

  it('is about the last decision of a log only', async () => {
    await register(luisa.token)
    const log = await aLogOfLuisa()
    await decide({ log_id: log.id, status: 'rejected', comment: 'No.' }, {})
    await decide({ log_id: log.id, status: 'pending' }, {})
    await decide({ log_id: log.id, status: 'approved' }, {})
    await cron()
    expect(texts()).toEqual([APPROVED])
  })

  it('is not sent about what happened before the phone was registered, or a day ago', async () => {
    await anEmployee({ employee_id: 'E-otro' })
    await register((await aUser({ employee_id: 'E-otro' })).token)
    await decide({ log_id: (await aLogOfLuisa()).id }, {})
    stopClock(new Date(Date.parse(NOW) + 60_000))
    await register(luisa.token)
    await cron()
    const log = await aLogOfLuisa()
    await decide({ log_id: log.id }, {})
    stopClock('2026-11-25T18:01:00.001Z')
    await cron()
    expect(received).toEqual([])
  })

  it('is not sent where VAPID_KEY is not set', async () => {
    await register(luisa.token)
    await decide({ log_id: (await aLogOfLuisa()).id }, {})
    await runScheduled(env, '* * * * *', () => new Date())
    expect(received).toEqual([])
    expect(await health({})).toBeUndefined()
    const { body } = await get('/v2/incidents/my_logs', { token: luisa.token })
    expect(body.data.push_key).toBeNull()
  })

  it('reaches up to ten phones of a person, the newest ones', async () => {
    for (let i = 0; i < 11; i++) {
      stopClock(new Date(Date.parse(NOW) + i * 1000))
      await register(luisa.token)
    }
    await decide({ log_id: (await aLogOfLuisa()).id })
    expect(received.map(({ endpoint }) => endpoint).sort()).toEqual(
      phones
        .slice(1)
        .map(({ endpoint }) => endpoint)
        .sort(),
    )
  })
})

describe('more than fifty messages', () => {
  const people = Array.from({ length: 60 }, (_, i) => `E-${i}`)
  const tokens: string[] = []
  const logsOf = async () =>
    (await Promise.all(people.map((employee_id) => aLog({ employee_id, recorded_at: AT })))).map(
      ({ id }) => id,
    )
  beforeEach(async () => {
    tokens.length = 0
    for (const employee_id of people) {
      await anEmployee({ employee_id })
      const { token } = await aUser({ employee_id })
      tokens.push(token)
      await register(token)
    }
  })

  it('are sent six at a time after the response, and by the cron, each once', async () => {
    let [waiting, most] = [0, 0]
    answer = async () => {
      most = Math.max(most, ++waiting)
      await new Promise((resolve) => setTimeout(resolve))
      waiting--
      return new Response(null, { status: 201 })
    }
    await decide({ log_ids: await logsOf() })
    expect(received).toHaveLength(50)
    expect(await health()).toMatchObject({ phones: 60, waiting: 10 })

    await Promise.all([cron(), cron(), cron()])
    const endpoints = received.map(({ endpoint }) => endpoint)
    expect([endpoints.length, new Set(endpoints).size, most]).toEqual([60, 60, 6])
    expect(await health()).toMatchObject({ phones: 60, waiting: 0, error: null, sent_at: NOW })
  })

  it('keep the news of a rejection until it is sent, also if the phone registers again', async () => {
    const comment = 'Nadie la vio entrar.'
    await decide({ log_ids: await logsOf(), status: 'rejected', comment })
    const sentTo = new Set(received.map(({ endpoint }) => endpoint))
    const waiting = phones.findIndex(({ endpoint }) => !sentTo.has(endpoint))
    const employee_id = people[waiting - (phones.length - people.length)] ?? ''
    const other = await aLog({ employee_id, recorded_at: '2026-11-22T14:00:00.000Z' })
    await decide({ log_id: other.id }, {})
    const body = phones[waiting]?.body
    if (body) await send('PUT', MY_PUSH, { token: tokens[people.indexOf(employee_id)] ?? '', body })
    received = []
    await cron()
    expect(received).toHaveLength(10)
    expect(new Set(texts())).toEqual(new Set([REJECTED]))
  })

  it('are not sent a day later, and do not hold up newer ones', async () => {
    await decide({ log_ids: await logsOf() }, {})
    await cron({ VAPID_KEY: '' })
    await env.DB.prepare('UPDATE push_subscriptions SET news_event_id = 60').run()
    stopClock('2026-11-26T18:00:00.000Z')
    await decide({ log_id: (await aLog({ employee_id: 'E-3', recorded_at: AT })).id })
    expect([received.length, (await health()) as object]).toEqual([
      1,
      expect.objectContaining({ waiting: 0 }),
    ])
  })

  it('are found without a look at every user', async () => {
    const { DB, recording } = recordQueries(env.DB)
    await runScheduled({ ...env, ...SETTINGS, DB }, '* * * * *', () => new Date())
    expect([recording.rowsRead < people.length, recording.rowsWritten]).toEqual([true, 0])
  })
})

describe('a push service that does not accept a message', () => {
  it.each([404, 410])('ends the phone with %i', async (status) => {
    await register(luisa.token)
    answer = () => new Response(null, { status })
    await decide({ log_id: (await aLogOfLuisa()).id })
    expect([received.length, await rows()]).toEqual([1, 0])
  })

  it.each([
    ['HTTP 403', () => new Response('vapid: no', { status: 403 })],
    ['HTTP 302', () => new Response(null, { status: 302, headers: { Location: '/otra' } })],
    ['unreachable', () => Promise.reject(new TypeError('network'))],
    ['no response in 10 s', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ])('is shown in /health, and the message is not sent again: %s', async (error, response) => {
    await register(luisa.token)
    answer = response
    await decide({ log_id: (await aLogOfLuisa()).id })
    await cron()
    expect(received).toHaveLength(1)
    expect(await health()).toEqual({ phones: 1, waiting: 0, sent_at: null, error })
    expect(lines.map((line) => JSON.parse(line)).filter(({ push }) => push)).toEqual([
      { push: 'change', duration_ms: 0, sent: 0, gone: 0, failed: 1, error },
    ])

    answer = () => new Response(null, { status: 201 })
    await decide({ log_id: (await aLogOfLuisa('2026-11-23T15:00:00.000Z')).id })
    expect(await health()).toEqual({ phones: 1, waiting: 0, sent_at: NOW, error: null })
  })
})

describe('a VAPID_KEY that is no pair', () => {
  it.each([
    ['of two pairs', `${createVapidKey().split('.')[0]}.${VAPID_KEY.split('.')[1]}`],
    ['off the curve', `B${'A'.repeat(86)}.${VAPID_KEY.split('.')[1]}`],
  ])('is shown in /health, and ends no phone: %s', async (_, key) => {
    await register(luisa.token)
    await decide({ log_id: (await aLogOfLuisa()).id }, { VAPID_KEY: key })
    expect(received).toEqual([])
    const error = 'VAPID_KEY is no pair of keys'
    expect(await health()).toEqual({ phones: 1, waiting: 0, sent_at: null, error })
  })
})

describe('a phone gets no more messages', () => {
  const asLuisa = (method: string, path: string, body: object = {}) =>
    send(method, path, { token: luisa.token, body })
  const change = (values: object) => {
    const names = { ...USER_NAMES, ...USER_ACCESS, role: 'employee', email: 'luisa@empresa.mx' }
    const body = { ...names, employee_id: 'E-luisa', active: 1, expected_version: 1, ...values }
    return send('PUT', `${USERS_PATH}/${luisa.id}`, { body })
  }
  const forgetLuisa = () =>
    forgetEmployee(env.DB, 'E-luisa', { now: new Date(), adminRoles: ['admin'] })
  const ownPassword = { current_password: PASSWORD, password: 'otra clave larga 9' }
  const sayNo = () => asLuisa('DELETE', MY_PUSH, { endpoint: phones[0]?.endpoint })
  it.each<[name: string, end: () => Promise<unknown>]>([
    ['after the sign-out', () => asLuisa('POST', '/auth/logout')],
    ['after the end of all sessions', () => asLuisa('POST', '/auth/logout_all')],
    ['after a new password', () => asLuisa('POST', '/auth/password', ownPassword)],
    ['of an inactive user', () => change({ active: 0 })],
    ['of a user without an employee', () => change({ employee_id: null })],
    ['of a forgotten person', forgetLuisa],
    ['after the person said no', sayNo],
  ])('%s', async (_, end) => {
    await register(luisa.token)
    await end()
    expect(await rows()).toBe(0)
    await decide({ log_id: (await aLogOfLuisa()).id })
    expect(received).toEqual([])
  })

  it('after its token has ended by TOKEN_TTL_MINUTES, although it registered later', async () => {
    stopClock(new Date(Date.parse(NOW) + 50 * 60_000))
    await register(luisa.token)
    await decide({ log_id: (await aLogOfLuisa()).id }, {})
    stopClock(new Date(Date.parse(NOW) + 61 * 60_000))
    await cron({ TOKEN_TTL_MINUTES: '60' })
    expect([received, await rows()]).toEqual([[], 0])
  })

  it('and is deleted within an hour after its token has ended', async () => {
    await register(luisa.token)
    stopClock(new Date(Date.parse(NOW) + 61 * 60_000))
    const settings = { ...env, ...SETTINGS, TOKEN_TTL_MINUTES: '60' }
    await runScheduled(settings, '7 * * * *', () => new Date())
    expect(await rows()).toBe(0)
  })

  it('about its previous user once the next user of the phone says yes', async () => {
    const { endpoint } = await register(luisa.token)
    await anEmployee({ employee_id: 'E-otro' })
    const other = await aUser({ employee_id: 'E-otro' })
    await register(other.token, endpoint)
    await decide({ log_id: (await aLogOfLuisa()).id })
    expect(received).toEqual([])
    // Only its own user can remove it.
    await send('DELETE', MY_PUSH, { token: luisa.token, body: { endpoint } })
    await decide({ log_id: (await aLog({ employee_id: 'E-otro' })).id })
    expect(received).toHaveLength(1)
  })
})

describe('PUT /v2/incidents/my_push', () => {
  const UNKNOWN = 'La dirección no es de un servicio de avisos conocido.'
  const put = async (body: object, token = luisa.token, origin = 'http://localhost') => {
    const request = new Request<unknown, IncomingRequestCfProperties>(`${origin}/api${MY_PUSH}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    const response = await service.fetch(request, env, createExecutionContext())
    return [response.status, await response.json()]
  }

  it.each([
    'https://jmt17.google.com/fcm/send/1',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://api.push.apple.com/x',
    'https://web.push.apple.com/QF1',
    'https://wns2-bn3p.notify.windows.com/w/?token=x',
    'http://127.0.0.1:9000/x',
  ])('accepts a push service: %s', async (endpoint) => {
    const { body } = await aSubscription(endpoint)
    expect((await put(body))[0]).toBe(200)
  })

  it.each([
    'https://example.com/',
    'http://fcm.googleapis.com/fcm/send/1',
    'https://fcm.googleapis.com:8443/fcm/send/1',
    'https://ana:clave@fcm.googleapis.com/fcm/send/1',
    'https://fcm.googleapis.com.example.com/',
    'https://notify.windows.com.example.com/',
    'https://xpush.apple.com/',
    'https://google.com/fcm/send/1',
    'https://permanently-removed.invalid/fcm/send/1',
    'dirección',
  ])('refuses any other address: %s', async (endpoint) => {
    const { body } = await aSubscription()
    const refused = { ...failureOf('UNKNOWN_PUSH_SERVICE'), errors: { endpoint: [UNKNOWN] } }
    expect(await put({ ...body, endpoint })).toEqual([422, refused])
    expect(await rows()).toBe(0)
  })

  it('stores one spelling of an address', async () => {
    const endpoint = 'https://fcm.googleapis.com/fcm/send/1'
    const { body } = await aSubscription(endpoint)
    for (const spelling of [
      endpoint,
      'HTTPS://FCM.googleapis.com:443/fcm/send/1#x',
      `${endpoint}#`,
    ]) {
      expect((await put({ ...body, endpoint: spelling }))[0]).toBe(200)
    }
    expect(await rows()).toBe(1)
    await send('DELETE', MY_PUSH, { token: luisa.token, body: { endpoint: `${endpoint}#x` } })
    expect(await rows()).toBe(0)
  })

  it('refuses loopback unless the service runs on loopback, also when it sends', async () => {
    const phone = await aSubscription('http://127.0.0.1:9000/x')
    expect((await put(phone.body, luisa.token, 'https://checada.example.com'))[0]).toBe(422)
    const { keys, endpoint } = phone.body
    const message = { text: 'x', path: '', ttl: 1 }
    const stored = { endpoint, ...keys, origin: 'https://checada.example.com' }
    expect(await deliver(stored, message, VAPID_KEY)).toBe('gone')
    expect(received).toEqual([])
  })

  it.each([
    ['keys', { keys: undefined }],
    ['keys.p256dh', { keys: { p256dh: 'x', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }],
    ['keys.auth', { keys: { p256dh: VAPID_KEY.split('.')[0], auth: '' } }],
    ['endpoint', { endpoint: ' ' }],
    ['endpoint', { endpoint: `https://fcm.googleapis.com/${'x'.repeat(1_000)}` }],
  ])('names a wrong field: %s', async (field, values) => {
    const { body } = await aSubscription()
    const [status, refused] = await put({ ...body, ...values })
    expect([status, Object.keys((refused as { errors: object }).errors)]).toEqual([422, [field]])
  })

  it('ends a phone whose key is no point of the curve', async () => {
    const { body } = await aSubscription()
    const p256dh = `B${'A'.repeat(86)}`
    expect((await put({ ...body, keys: { ...body.keys, p256dh } }))[0]).toBe(200)
    await decide({ log_id: (await aLogOfLuisa()).id })
    expect([received, await rows()]).toEqual([[], 0])
  })

  it('is only for people with an employee', async () => {
    const { body } = await aSubscription()
    const { status, body: refused } = await call('PUT', MY_PUSH, { token: admin.token, body })
    expect([status, refused.message]).toEqual([403, expect.stringContaining('empleado')])
  })
})
