import { beforeEach, describe, expect, it } from 'vitest'
import { employee_sources } from '../../src/core/tables/intake.ts'
import { log_events } from '../../src/core/tables/logs.ts'
import { timeZone } from '../../src/core/values/time-zone.ts'
import { signInAdmin } from '../support/admin.ts'
import { expectFailure, expectInvalid, get, post } from '../support/api.ts'
import { ago, stopClock } from '../support/clock/clock.ts'
import { aLog, allLogs, anEmployee, aUser, aZone, db, inBranches } from '../support/factories.ts'

const UUID = '0B9F8D3E-5A0C-4D7B-9A53-1F2F0C5E7A11'
const OTHER_UUID = '5d0a1c52-90a6-4c0b-8a2e-0a3a4b1f7c22'
/** What every answer has: whose result it is. */
const OWN = { client_id: UUID.toLowerCase() }
const NO_ZONE = 'La hora debe ser un instante ISO 8601 con zona, como 2026-11-02T08:00:00-06:00.'
const zone = timeZone('America/Mexico_City')
const HOUR = 3_600_000

let user: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  const { employee_id } = await anEmployee()
  user = await aUser({ employee_id })
})

const clockIn = (more: object = {}, env: Partial<Env> = {}) => {
  const body = { client_id: UUID, kind: 'entrada', ...more }
  return post('/v2/incidents/my_logs', body, { token: user.token, env })
}

const myLogs = (query = '') => get(`/v2/incidents/my_logs?${query}`, { token: user.token })

describe('POST /v2/incidents/my_logs', () => {
  it('records a log of the caller’s own employee, even if the body names another one', async () => {
    const { employee_id } = await anEmployee()
    const res = await clockIn({ employee_id })
    expect(res.status).toBe(200)
    expect(res.body.data).toEqual({ ...OWN, log_id: 1_000_000_000, result: 'created' })
    const [log] = await allLogs()
    expect(log).toMatchObject({
      employee_id: user.employee_id,
      source: `app:${user.id}`,
      source_id: UUID.toLowerCase(),
      recorded_by: user.id,
      status: 'pending',
    })
    expect(Math.abs(Date.parse(log?.recorded_at ?? '') - Date.now())).toBeLessThan(HOUR)
    expect(await db.select().from(log_events)).toMatchObject([{ actor: user.actor_hash }])
    expect(await db.select().from(employee_sources)).toMatchObject([
      { employee_id: user.employee_id, source: `app:${user.id}` },
    ])
  })

  it('recognizes the same client_id, even if the other fields differ', async () => {
    await clockIn()
    const again = await clockIn({ kind: 'salida', recorded_at: ago(HOUR) })
    expect(again.body.data).toEqual({ ...OWN, log_id: 1_000_000_000, result: 'known' })
    expect(await allLogs()).toHaveLength(1)
  })

  it.each([
    [72 * HOUR, { log_id: 1_000_000_000, result: 'created' }],
    [72 * HOUR + 1, { log_id: null, result: 'refused', reason: 'too_old' }],
    [-5 * 60_000, { log_id: 1_000_000_000, result: 'created' }],
    [-5 * 60_000 - 1, { log_id: null, result: 'refused', reason: 'future' }],
  ])('takes a time from 72 hours ago to 5 minutes ahead: %d ms ago', async (age, result) => {
    stopClock()
    const { data, message } = (await clockIn({ recorded_at: ago(age) })).body
    expect(data).toEqual({ ...OWN, ...result })
    const refusal = 'El registro no se guardó: revisa su hora.'
    expect(message).toBe(result.log_id === null ? refusal : 'Registro recibido.')
  })

  it('refuses the time of a phone whose clock is over 5 minutes off', async () => {
    stopClock()
    const refused = { ...OWN, log_id: null, result: 'refused', reason: 'invalid', detail: 'clock' }
    const recorded_at = ago(HOUR)
    for (const off of [5 * 60_000 + 1, -5 * 60_000 - 1]) {
      for (const time of [recorded_at, ago(off), ago(80 * HOUR)]) {
        const { message, data } = (await clockIn({ recorded_at: time, sent_at: ago(off) })).body
        const text = 'El registro no se guardó: el reloj de tu teléfono no está en hora.'
        expect([data, message]).toEqual([refused, text])
      }
    }
    expect([await allLogs(), await db.select().from(employee_sources)]).toEqual([[], []])
    const unreadable = NO_ZONE.replace('hora', 'hora de envío')
    expectInvalid(await clockIn({ sent_at: 'ayer' }), 'sent_at', unreadable)

    const created = { ...OWN, log_id: 1_000_000_000, result: 'created' }
    const right = { recorded_at, sent_at: ago(5 * 60_000) }
    expect((await clockIn(right)).body.data).toEqual(created)
    const retry = await clockIn({ recorded_at, sent_at: ago(HOUR) })
    expect(retry.body.data).toEqual({ ...created, result: 'known' })
    // If a phone with a wrong clock sends no recorded_at, the log gets the time of the service.
    const now = await clockIn({ client_id: OTHER_UUID, sent_at: ago(HOUR) })
    expect(now.body.data).toEqual({
      client_id: OTHER_UUID,
      log_id: 1_000_000_001,
      result: 'created',
    })
  })

  it('takes off what a phone’s clock is ahead, and adds nothing if it is behind', async () => {
    stopClock()
    const pressed = ago(HOUR)
    const ahead = { recorded_at: ago(HOUR - 4 * 60_000), sent_at: ago(-4 * 60_000) }
    const behind = { recorded_at: ago(HOUR + 4 * 60_000), sent_at: ago(4 * 60_000) }
    await clockIn(ahead)
    await clockIn({ ...behind, client_id: OTHER_UUID })
    expect((await allLogs()).map(({ recorded_at }) => recorded_at)).toEqual([
      pressed,
      behind.recorded_at,
    ])
  })

  it('refuses a log of a local day after the last day of work, and takes a late one', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    const branch_office = 'Tijuana'
    await aZone({ branch_office, time_zone: 'America/Tijuana' })
    const { employee_id } = await anEmployee({ branch_office, ended_at: '2026-11-14' })
    user = await aUser({ employee_id, scope_branches: inBranches('Norte') })
    const ended = {
      ...OWN,
      log_id: null,
      result: 'refused',
      reason: 'unknown_employee',
      detail: 'ended',
    }
    const now = await clockIn()
    expect(now.body.data).toEqual(ended)
    expect(now.body.message).toBe(
      'El registro no se guardó: es de un día posterior a tu último día de trabajo.',
    )
    // This is the first millisecond of the 15th in Tijuana. In Mexico City, the 15th began two
    // hours earlier.
    const midnight = '2026-11-15T08:00:00.000Z'
    expect((await clockIn({ recorded_at: midnight })).body.data).toEqual(ended)
    expect(await db.select().from(employee_sources)).toEqual([])
    const last = '2026-11-15T07:59:59.999Z'
    const created = { ...OWN, log_id: 1_000_000_000, result: 'created' }
    expect((await clockIn({ recorded_at: last })).body.data).toEqual(created)
    expect((await clockIn()).body.data).toEqual({ ...created, result: 'known' })
    const tooOld = await clockIn({ client_id: OTHER_UUID, recorded_at: ago(73 * HOUR) })
    expect(tooOld.body.data).toEqual({
      ...{ client_id: OTHER_UUID, log_id: null, result: 'refused', reason: 'too_old' },
    })
    expect(await allLogs()).toMatchObject([{ employee_id, recorded_at: last }])
  })

  it.each([
    [{ client_id: 'x' }, 'client_id', 'El identificador del envío debe ser un UUID.'],
    [{ kind: 'checada' }, 'kind', 'El tipo debe ser entrada o salida.'],
    [{ recorded_at: '2026-11-20T08:00:00' }, 'recorded_at', NO_ZONE],
  ])('is a 422 for %j', async (wrong, field, message) => {
    expectInvalid(await clockIn(wrong), field, message)
  })

  it('is a 403 if EMPLOYEE_CLOCK_IN is off, and without an employee', async () => {
    for (const EMPLOYEE_CLOCK_IN of ['', 'false']) {
      const off = await clockIn({}, { EMPLOYEE_CLOCK_IN })
      expectFailure(off, 403, 'Aquí no se puede checar desde la app.')
    }
    user = await aUser()
    const res = await clockIn()
    expectFailure(res, 403, 'Tu usuario no está vinculado a un empleado.')
    expect([await allLogs(), (await myLogs()).status]).toEqual([[], 403])
  })
})

describe('GET /v2/incidents/my_logs', () => {
  it('shows the caller’s own logs with the last decision, and nobody else’s', async () => {
    const admin = await signInAdmin()
    const employee_id = user.employee_id ?? ''
    const late = await aLog({ employee_id, recorded_at: ago(HOUR), kind: 'salida' })
    const early = await aLog({ employee_id, recorded_at: ago(9 * HOUR) })
    await aLog({ recorded_at: ago(HOUR) })
    await admin.change({ log_id: late.id, status: 'approved' })
    await admin.change({ log_id: early.id, status: 'rejected', comment: 'Repetida.' })

    stopClock()
    const { body } = await myLogs()

    expect(body.data.now).toBe(new Date().toISOString())
    const decided_at = expect.stringMatching(/Z$/)
    const facts = ({ id: log_id, kind, recorded_at, created_at: received_at }: typeof late) => ({
      ...{ log_id, kind, recorded_at, received_at, request_comment: null },
      local_at: zone.localAt(new Date(recorded_at)),
    })
    expect(body.data.logs).toEqual([
      { ...facts(early), status: 'rejected', decided_at, comment: 'Repetida.' },
      { ...facts(late), status: 'approved', decided_at, comment: null },
    ])
    await admin.change({ log_id: late.id, status: 'pending', comment: 'Se deshizo.' })
    expect((await myLogs()).body.data.logs[1]).toMatchObject({ decided_at: null, comment: null })
  })

  it('comes in pages that begin after a log, for an app that reads a little at a time', async () => {
    const employee_id = user.employee_id ?? ''
    const ids: number[] = []
    for (const hours of [9, 5, 5, 1]) {
      ids.push((await aLog({ employee_id, recorded_at: ago(hours * HOUR), kind: 'checada' })).id)
    }
    const page = async (query: string) =>
      (await myLogs(query)).body.data.logs.map(({ log_id }: { log_id: number }) => log_id)

    expect(await page('limit=2')).toEqual(ids.slice(0, 2))
    expect(await page(`limit=2&after=${ids[1]}`)).toEqual(ids.slice(2))
    expect(await page(`after=${ids[3]}`)).toEqual([])
    const other = await aLog({ recorded_at: ago(HOUR) })
    expect((await myLogs(`after=${other.id}`)).status).toBe(404)
    expect((await myLogs('limit=0')).status).toBe(422)
  })

  it('shows 31 days at most, also if one of them has 25 hours', async () => {
    const employee_id = user.employee_id ?? ''
    const old = await aLog({ employee_id, recorded_at: '2026-03-10T14:00:00.000Z' })
    const month = (await myLogs('from=2026-03-01&to=2026-03-31')).body.data.logs
    expect(month).toMatchObject([{ log_id: old.id }])
    const tooLong = await myLogs('from=2026-03-01&to=2026-04-01')
    expectInvalid(tooLong, 'to', 'El periodo puede tener 31 días como máximo.')
    await aZone({ branch_office: null, time_zone: 'America/Tijuana' })
    expect((await myLogs('from=2026-10-15&to=2026-11-14')).status).toBe(200)
  })

  it('shows the last fourteen days by default, to the millisecond', async () => {
    stopClock()
    const employee_id = user.employee_id ?? ''
    await aLog({ employee_id, recorded_at: ago(13 * 24 * HOUR + 1) })
    const first = await aLog({ employee_id, recorded_at: ago(13 * 24 * HOUR) })
    const { logs } = (await myLogs()).body.data
    expect(logs).toMatchObject([{ log_id: first.id }])
  })

  it('says since when logs may be requested', async () => {
    stopClock()
    const { requests_since } = (await myLogs()).body.data
    const request = (recorded_at: string) => {
      const client_id = crypto.randomUUID()
      const body = { client_id, kind: 'entrada', recorded_at, comment: 'Abrí yo.' }
      return post('/v2/incidents/my_requests', body, { token: user.token })
    }
    const before = new Date(Date.parse(requests_since) - 1).toISOString()
    expect((await request(requests_since)).status).toBe(200)
    expect((await request(before)).body.code).toBe('TIME_TOO_OLD')
  })

  it('says whether apps may check in and ask for logs here', async () => {
    const may = async (env: Partial<Env>) => {
      const { data } = (await get('/v2/incidents/my_logs', { token: user.token, env })).body
      return [data.may_check_in, data.may_request]
    }
    expect(await may({ EMPLOYEE_CLOCK_IN: '', EMPLOYEE_REQUESTS: 'on' })).toEqual([false, true])
    expect(await may({ EMPLOYEE_CLOCK_IN: 'on', EMPLOYEE_REQUESTS: '' })).toEqual([true, false])
  })
})
