import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/tables/people.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { expectInvalid, expectSuccess, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import {
  allComments,
  allLogs,
  anEmployee,
  aUser,
  aZone,
  db,
  inBranches,
} from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

/** Tests added logs whose local time the service turns into an instant. */

const REASON = 'Olvidé checar.'
const TWICE = 'Ese día la hora 01:30 pasó dos veces: se tomó la primera.'
/** The moments at which Tijuana had 01:30 on 1 November 2026. */
const [FIRST, SECOND] = ['2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z']

let user: Awaited<ReturnType<typeof aUser>>
let admin: Admin
beforeEach(async () => {
  stopClock('2026-11-09T18:00:00.000Z')
  await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
  const { employee_id } = await anEmployee({ branch_office: 'Tijuana' })
  user = await aUser({ employee_id, role: 'employee', scope_branches: inBranches('Norte') })
  admin = await signInAdmin()
})

const ask = (more: object = {}, settings: Partial<Env> = {}) => {
  const body = { client_id: crypto.randomUUID(), kind: 'entrada', comment: REASON }
  const options = { token: user.token, env: settings }
  return post('/v2/incidents/my_requests', { ...body, ...more }, options)
}

const add = (more: object = {}, settings: Partial<Env> = {}, { token } = admin) => {
  const { employee_id } = user
  const body = { client_id: crypto.randomUUID(), employee_id, kind: 'entrada', comment: REASON }
  return post('/v2/incidents/manual_logs', { ...body, ...more }, { token, env: settings })
}

const moveTo = (branch_office: string) => db.update(employees).set({ branch_office })

const storedTimes = async () => (await allLogs()).map(({ recorded_at }) => recorded_at)

describe.each([
  { name: 'my_requests', send: ask, message: 'Solicitud enviada.' },
  { name: 'manual_logs', send: add, message: 'Registro agregado.' },
])('POST /v2/incidents/$name with a local time', ({ send, message }) => {
  it('stores the instant in the zone of the employee’s branch, in one round trip', async () => {
    const { recording, DB } = recordQueries(env.DB)
    await send({ local_time: '2026-11-02T07:00' }, { DB })
    const before = recording.calls
    const res = await send({ local_time: '2026-11-02T08:58:12' }, { DB })
    expectSuccess(res, message, {
      log_id: 1_000_000_001,
      result: 'created',
      recorded_at: '2026-11-02T16:58:12.000Z',
      local_at: '2026-11-02T08:58:12-08:00',
      day: '2026-11-02',
      warnings: [],
    })
    expect(recording.calls).toBe(before + 1)
    expect(await storedTimes()).toEqual(['2026-11-02T15:00:00.000Z', '2026-11-02T16:58:12.000Z'])
  })

  it('has the local day and hour of an instant too', async () => {
    const { data } = (await send({ recorded_at: '2026-11-02T06:30:00Z' })).body
    expect(data).toMatchObject({
      recorded_at: '2026-11-02T06:30:00.000Z',
      local_at: '2026-11-01T22:30:00-08:00',
      day: '2026-11-01',
      warnings: [],
    })
  })

  it('uses the zone that the branch had on that day', async () => {
    await aZone({
      branch_office: 'Tijuana',
      time_zone: 'America/Mexico_City',
      valid_from: '2026-11-05',
    })
    await send({ local_time: '2026-11-04T23:30' })
    await send({ local_time: '2026-11-05T02:30' })
    expect(await storedTimes()).toEqual(['2026-11-05T07:30:00.000Z', '2026-11-05T08:30:00.000Z'])
    const gap = await send({ local_time: '2026-11-05T00:30' })
    const missing =
      'Ese día no hubo 00:30, porque el reloj se adelantó: la hora que sigue es 02:00.'
    expectInvalid(gap, 'local_time', missing)
  })

  it('uses the zone of another branch, and keeps the log in the employee’s branch', async () => {
    await anEmployee({ branch_office: 'Cancún' })
    await aZone({ branch_office: 'Cancún', time_zone: 'America/Cancun' })
    const { data } = (await send({ local_time: '2026-11-02T01:30', branch_office: 'Cancún' })).body
    // The answer has the log's own branch, as every list has.
    expect(data).toMatchObject({ local_at: '2026-11-01T22:30:00-08:00', day: '2026-11-01' })
    const recorded_at = '2026-11-02T06:30:00.000Z'
    expect(await allLogs()).toMatchObject([{ recorded_at, branch_office: 'Tijuana' }])
  })

  it('takes the first of two equal hours with a warning, or the second if asked', async () => {
    const client_id = crypto.randomUUID()
    const first = await send({ client_id, local_time: '2026-11-01T01:30' })
    const warning = {
      code: 'LOCAL_TIME_TWICE',
      message: TWICE,
      details: { instants: [FIRST, SECOND] },
    }
    const local = { local_at: '2026-11-01T01:30:00-07:00', day: '2026-11-01', recorded_at: FIRST }
    const created = { log_id: 1_000_000_000, result: 'created', ...local, warnings: [warning] }
    expectSuccess(first, message, created)
    const again = await send({ client_id, local_time: '2026-11-01T01:30' })
    expect(again.body.data).toEqual({ ...created, result: 'known' })

    const second = await send({ local_time: '2026-11-01T01:30', second: true })
    expect(second.body.data).toMatchObject({
      result: 'created',
      recorded_at: SECOND,
      local_at: '2026-11-01T01:30:00-08:00',
      warnings: [],
    })
    expect(await storedTimes()).toEqual([FIRST, SECOND])
  })

  it('knows a repeated client_id, whatever its time is now', async () => {
    const client_id = crypto.randomUUID()
    const { data } = (await send({ client_id, local_time: '2026-11-02T08:00' })).body
    const known = { ...data, result: 'known' }
    for (const time of [
      { local_time: '2026-03-08T02:30' },
      { local_time: '2026-11-03T08:00', second: true },
      { local_time: '2026-11-01T01:30' },
      { local_time: '2026-11-03T08:00', branch_office: 'Nadie' },
      { recorded_at: '2020-01-01T00:00:00Z' },
      { recorded_at: '2030-01-01T00:00:00Z' },
    ]) {
      expect((await send({ client_id, ...time })).body.data, JSON.stringify(time)).toEqual(known)
    }
    expect(await allLogs()).toHaveLength(1)
  })

  it('judges the age of the instant', async () => {
    expect((await send({ local_time: '2026-11-09T10:05' })).status).toBe(200)
    const ahead = await send({ local_time: '2026-11-09T10:05:01' })
    expectInvalid(ahead, 'local_time', 'La hora no puede estar en el futuro.')
    expect((await send({ local_time: '2024-11-09T10:00' })).body.errors).toHaveProperty(
      'local_time',
    )
    const sent = await send({ recorded_at: '2030-01-01T00:00:00Z' })
    expectInvalid(sent, 'recorded_at', 'La hora no puede estar en el futuro.')
  })

  it('is a 422 for an hour that the clocks skip, with the next one', async () => {
    stopClock('2026-03-10T18:00:00.000Z')
    const missing =
      'Ese día no hubo 02:30, porque el reloj se adelantó: la hora que sigue es 03:00.'
    expectInvalid(await send({ local_time: '2026-03-08T02:30' }), 'local_time', missing)
    expect([await allLogs(), await allComments()]).toEqual([[], []])
    await moveTo('Centro')
    expect((await send({ local_time: '2026-03-08T02:30' })).status).toBe(200)
    expect(await storedTimes()).toEqual(['2026-03-08T08:30:00.000Z'])
  })

  it('is a 422 for the second of an hour that came once', async () => {
    const once = await send({ local_time: '2026-11-01T02:30', second: true })
    expectInvalid(once, 'second', 'Ese día la hora no pasó dos veces.')
    expect(await allLogs()).toEqual([])
  })

  it('is a 422 for neither or both times, and for fields that go only with a local time', async () => {
    const [local_time, recorded_at] = ['2026-11-02T08:00:00', '2026-11-02T16:00:00Z']
    const both = 'La hora va en recorded_at o en local_time, no en los dos.'
    for (const [times, field, text] of [
      [{}, 'recorded_at', 'La hora es obligatoria.'],
      [{ recorded_at: null, local_time: null }, 'recorded_at', 'La hora es obligatoria.'],
      [{ recorded_at, local_time }, 'recorded_at', both],
      [
        { recorded_at, branch_office: 'Tijuana' },
        'branch_office',
        'La sucursal solo va con local_time.',
      ],
      [{ recorded_at, second: true }, 'second', 'La segunda vez solo va con local_time.'],
      [{ local_time, second: 'sí' }, 'second', 'La segunda vez debe ser true o false.'],
    ] as const) {
      expectInvalid(await send(times), field, text)
    }
    expect((await send({ comment: '' })).body.errors).toEqual({
      recorded_at: ['La hora es obligatoria.'],
      comment: ['El comentario es obligatorio.'],
    })
    expect(await allLogs()).toEqual([])
  })

  it('is a 422 for a local time that is none', async () => {
    const rule = 'La hora local debe ser una fecha con hora, sin zona, como 2026-11-02T08:58:12.'
    for (const local_time of [
      '2026-02-29T08:00',
      '2026-11-31T08:00:00',
      '2026-11-02T24:00',
      '2026-11-02T08:60',
      '2026-11-02T08:00:00Z',
      '2026-11-02T08:00:00-08:00',
      '2026-11-02T08:00:00.000',
      '2026-11-02 08:00',
      '2026-11-02',
      '',
      8,
    ]) {
      expectInvalid(await send({ local_time }), 'local_time', rule)
    }
  })

  it('is a 422 for an unknown branch', async () => {
    const unknown = await send({ local_time: '2026-11-02T08:00', branch_office: 'Nadie' })
    const nobody = 'Nadie está en esa sucursal: agrega antes a alguien de ella.'
    expectInvalid(unknown, 'branch_office', nobody)
    expect(await allLogs()).toEqual([])
  })
})

it('takes only branches of the caller’s scope for a log by hand', async () => {
  const { employee_id } = await anEmployee({ branch_office: 'Norte' })
  const scoped = await signInAdmin({ scope_branches: inBranches('Norte') })
  const addAt = (branch_office: string) =>
    add({ employee_id, local_time: '2026-11-02T08:00', branch_office }, {}, scoped)
  const outside = 'Esta sucursal no es de las tuyas.'
  expectInvalid(await addAt('Tijuana'), 'branch_office', outside)
  expectInvalid(await addAt('Nadie'), 'branch_office', outside)
  expect(await allLogs()).toEqual([])
  expect((await addAt('Norte')).status).toBe(200)
  expect(await storedTimes()).toEqual(['2026-11-02T14:00:00.000Z'])
})

it('refuses a request for a local day after the person’s last day', async () => {
  await db.update(employees).set({ ended_at: '2026-11-04' })
  const ended = 'La hora es de un día posterior a tu último día de trabajo.'
  expectInvalid(await ask({ local_time: '2026-11-05T00:00' }), 'recorded_at', ended)
  expect((await ask({ local_time: '2026-11-04T23:59:59' })).status).toBe(200)
})
