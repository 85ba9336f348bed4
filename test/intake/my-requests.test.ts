import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/tables/people.ts'
import { users } from '../../src/core/tables/users.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { expectFailure, expectInvalid, expectSuccess, get, post } from '../support/api.ts'
import { ago, stopClock } from '../support/clock/clock.ts'
import {
  aLog,
  allComments,
  allLogs,
  anEmployee,
  aUser,
  aZone,
  db,
  inBranches,
} from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const WHEN = ago(20 * DAY)
const REASON = 'Salí por la otra puerta y olvidé checar.'
const OWN = 'No puedes cambiar el estado de tus propios registros.'
const LOG_ID = 1_000_000_000
const CREATED = expect.objectContaining({ log_id: LOG_ID, result: 'created' })
const KNOWN = expect.objectContaining({ log_id: LOG_ID, result: 'known' })

let user: Awaited<ReturnType<typeof aUser>>
let admin: Admin
beforeEach(async () => {
  const { employee_id } = await anEmployee({ branch_office: 'Norte' })
  user = await aUser({ employee_id, role: 'employee' })
  admin = await signInAdmin()
})

const ask = (more: object = {}, settings: Partial<Env> = {}) => {
  const body = { client_id: crypto.randomUUID(), kind: 'salida', recorded_at: WHEN }
  const options = { token: user.token, env: settings }
  return post('/v2/incidents/my_requests', { ...body, comment: REASON, ...more }, options)
}

/** Adds a log of the same employee by hand. */
const add = (more: object = {}, settings: Partial<Env> = {}, { token } = admin) => {
  const { employee_id } = user
  const body = { client_id: crypto.randomUUID(), employee_id, kind: 'salida', recorded_at: WHEN }
  const options = { token, env: settings }
  return post('/v2/incidents/manual_logs', { ...body, comment: REASON, ...more }, options)
}

/** Asks for a log of `index + 1` minutes ago, so that each index has a different time. */
const askForTime = (index: number) => ask({ recorded_at: ago((index + 1) * MINUTE) })

/** Tests logs that people add with a comment: requests for their own, and logs by hand. */

describe('POST /v2/incidents/my_requests', () => {
  it('adds a log of the caller’s own employee, with the comment in its first event', async () => {
    const client_id = '0B9F8D3E-5A0C-4D7B-9A53-1F2F0C5E7A11'
    const other = await anEmployee()
    const res = await ask({ client_id, employee_id: other.employee_id })
    expectSuccess(res, 'Solicitud enviada.', CREATED)
    expect(await allLogs()).toMatchObject([
      {
        employee_id: user.employee_id,
        branch_office: 'Norte',
        status: 'pending',
        source: `request:${user.id}`,
        source_id: client_id.toLowerCase(),
        recorded_by: user.id,
        recorded_at: WHEN,
      },
    ])
    const { data } = (await admin.get('/logs/1000000000')).body
    expect(data).toMatchObject({ request_comment: REASON, comments: 1, own: false })
    expect(data.history).toMatchObject([
      { event: 'recorded', to_status: 'pending', user: { id: user.id }, comment: REASON },
    ])
  })

  it('shows the comment in lists and files and to the person, also after the decision', async () => {
    const employee_id = user.employee_id ?? ''
    await aLog({ employee_id, recorded_at: ago(2 * DAY) })
    const { log_id } = (await ask({ recorded_at: ago(DAY) })).body.data
    await admin.change({ log_id, status: 'approved', comment: 'Lo vi salir.' })

    const words = [null, REASON]
    const wordsOf = (rows: { request_comment: string | null }[]) =>
      rows.map(({ request_comment }) => request_comment)
    expect(wordsOf((await admin.list('order=oldest')).body.data.logs)).toEqual(words)
    const mine = (await get('/v2/incidents/my_logs', { token: user.token })).body.data.logs
    expect(wordsOf(mine)).toEqual(words)
    expect(mine[1]).toMatchObject({ status: 'approved', comment: 'Lo vi salir.' })
    const { text } = await admin.get('/export?format=ndjson')
    expect(wordsOf(parseLines(text))).toEqual(words)
    expect((await admin.get('/export?format=csv')).text).toContain(`Lo vi salir.,${REASON}`)
  })

  it('takes ten pending requests of a person, and one more when one is decided', async () => {
    const first = crypto.randomUUID()
    await ask({ client_id: first })
    for (let i = 1; i < 10; i++) expect((await askForTime(i)).status).toBe(200)
    const full = 'Ya tienes 10 solicitudes por revisar.'
    expectFailure(await askForTime(10), 409, full)
    expect((await ask({ client_id: first })).body.data).toEqual(KNOWN)
    expect([(await allLogs()).length, (await allComments()).length]).toEqual([10, 10])
    const colleague = user
    user = await aUser({ employee_id: (await anEmployee()).employee_id })
    expect((await askForTime(10)).status).toBe(200)

    user = colleague
    await admin.change({ log_id: LOG_ID, status: 'rejected', comment: 'No consta.' })
    const both = await Promise.all([askForTime(10), askForTime(11)])
    expect(both.map((res) => res.status).sort()).toEqual([200, 409])
  })

  it('is a 422 after the person’s last day, in the branch’s zone', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    const branch_office = 'Tijuana'
    await aZone({ branch_office, time_zone: 'America/Tijuana' })
    const { employee_id } = await anEmployee({ branch_office, ended_at: '2026-11-14' })
    user = await aUser({ employee_id, scope_branches: inBranches('Norte') })
    const ended = 'La hora es de un día posterior a tu último día de trabajo.'
    const midnight = await ask({ recorded_at: '2026-11-15T08:00:00.000Z' })
    expectInvalid(midnight, 'recorded_at', ended)
    const body = { client_id: crypto.randomUUID(), recorded_at: '2026-11-15T07:59:59.999Z' }
    expect((await ask(body)).body.data).toEqual(CREATED)
    await db.update(employees).set({ ended_at: '2026-11-10' })
    expect((await ask(body)).body.data).toEqual(KNOWN)
  })

  it('is a 403 if EMPLOYEE_REQUESTS is off, and without an employee', async () => {
    for (const EMPLOYEE_REQUESTS of ['', 'off']) {
      const off = await ask({}, { EMPLOYEE_REQUESTS, EMPLOYEE_CLOCK_IN: 'on' })
      expectFailure(off, 403, 'Aquí no se pueden solicitar checadas.')
    }
    expect((await ask({}, { EMPLOYEE_CLOCK_IN: '' })).status).toBe(200)
    await db.update(users).set({ employee_id: null })
    expectFailure(await ask(), 403, 'Tu usuario no está vinculado a un empleado.')
    expect(await allLogs()).toHaveLength(1)
  })
})

describe('POST /v2/incidents/manual_logs', () => {
  const settings = { FORBID_SELF_APPROVAL: 'true' }

  it('adds a pending log whose first event has the reason', async () => {
    const res = await add()
    expectSuccess(res, 'Registro agregado.', CREATED)
    const log = { status: 'pending', source: `manual:${admin.id}`, recorded_at: WHEN }
    expect(await allLogs()).toMatchObject([{ ...log, recorded_by: admin.id }])
    const { data } = (await admin.get('/logs/1000000000')).body
    expect(data).toMatchObject({ comments: 1, source: log.source })
    expect(data.history).toMatchObject([
      { event: 'recorded', to_status: 'pending', user: { id: admin.id }, comment: REASON },
    ])
  })

  it('is a 422 for an unknown employee', async () => {
    const message = 'No existe un empleado con ese identificador.'
    expectInvalid(await add({ employee_id: 'nadie' }), 'employee_id', message)
  })

  it('with FORBID_SELF_APPROVAL, forbids adding own logs and deciding added ones', async () => {
    const { employee_id } = await anEmployee()
    const boss = await signInAdmin({ employee_id })
    const own = await add({ employee_id }, settings, boss)
    expectFailure(own, 403, OWN)
    const { log_id } = (await add({}, settings, boss)).body.data
    expect((await boss.change({ log_id, status: 'approved' }, settings)).status).toBe(403)
  })

  it('lets payroll add a log, and an administrator decide that log', async () => {
    const roles = { PAYROLL_ROLES: 'nomina' }
    const payer = await signInAdmin({ role: 'nomina' })
    const { log_id } = (await add({}, { ...settings, ...roles }, payer)).body.data
    expect((await allLogs())[0]).toMatchObject({ status: 'pending', recorded_by: payer.id })
    const change = { log_id, status: 'approved' }
    expect((await payer.change(change, roles)).status).toBe(403)
    expect(await allLogs()).toMatchObject([{ status: 'pending' }])
    expect((await admin.change(change, { ...settings, ...roles })).status).toBe(200)
  })
})

describe.each([
  { name: 'my_requests', send: ask, days: 35 },
  { name: 'manual_logs', send: add, days: 400 },
])('POST /v2/incidents/$name', ({ send, days }) => {
  it('adds a log once even if it is sent several times', async () => {
    const client_id = crypto.randomUUID()
    const calls = await Promise.all([1, 2, 3].map(() => send({ client_id })))
    const results = calls.map((res) => res.body.data.result).sort()
    expect(results).toEqual(['created', 'known', 'known'])
    const otherFacts = await send({ client_id, kind: 'entrada', comment: 'Otra cosa.' })
    expectSuccess(otherFacts, 'Esa checada ya estaba registrada.', KNOWN)
    expect((await send()).body.data).toEqual(KNOWN)
    expect([(await allLogs()).length, (await allComments()).length]).toEqual([1, 1])
  })

  it('is a 422 for a wrong field', async () => {
    for (const [wrong, field, message] of [
      [{ comment: '\u200B\u2800' }, 'comment', 'El comentario es obligatorio.'],
      [{ recorded_at: undefined }, 'recorded_at', 'La hora es obligatoria.'],
      [{ client_id: 7 }, 'client_id', 'El identificador del envío debe ser un UUID.'],
    ] as const) {
      expectInvalid(await send(wrong), field, message)
    }
    expect((await send({ kind: 'comida' })).body.errors).toHaveProperty('kind')
    expect([await allLogs(), await allComments()]).toEqual([[], []])
  })

  it(`takes a time of ${days} days ago to 5 minutes ahead`, async () => {
    stopClock()
    const tooOld = `La hora puede ser de hace ${days} días como máximo.`
    expectInvalid(await send({ recorded_at: ago(days * DAY + 1) }), 'recorded_at', tooOld)
    const ahead = 'La hora no puede estar en el futuro.'
    expectInvalid(await send({ recorded_at: ago(-5 * MINUTE - 1) }), 'recorded_at', ahead)
    for (const age of [days * DAY, -5 * MINUTE]) {
      expect((await send({ recorded_at: ago(age) })).status).toBe(200)
    }
  })
})

describe('a request', () => {
  it('is never decided by the person who asked, even if own logs may be approved', async () => {
    const { employee_id } = await anEmployee()
    const boss = await signInAdmin({ employee_id })
    user = { ...user, ...boss }
    const checkIn = await aLog({ employee_id, recorded_at: ago(DAY) })
    const { log_id } = (await ask()).body.data
    const both = { log_ids: [checkIn.id, log_id], status: 'approved', comment: 'x' }

    expectFailure(await boss.change({ log_id, status: 'approved' }), 403, OWN)
    expectFailure(await boss.changeMany(both), 403, OWN)
    expect((await boss.change({ log_id: checkIn.id, status: 'approved' })).status).toBe(200)
    expect((await admin.change({ log_id, status: 'approved' })).status).toBe(200)
    expectFailure(await boss.change({ log_id, status: 'pending' }), 403, OWN)

    // Neither the user without the employee nor another user of the employee may decide the log.
    await db.update(users).set({ employee_id: null })
    expectFailure(await boss.change({ log_id, status: 'rejected' }), 403, OWN)
    const again = await signInAdmin({ employee_id })
    expectFailure(await again.change({ log_id, status: 'rejected' }), 403, OWN)
  })
})
