import { beforeEach, describe, expect, it } from 'vitest'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { expectFailure, expectInvalid, post } from '../support/api.ts'
import { ago } from '../support/clock/clock.ts'
import { allComments, allLogs, anEmployee, aUser } from '../support/factories.ts'

const UUID = '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a11'
const MINUTE = 60_000
const DAY = 86_400_000
const WHEN = ago(20 * DAY)
const REASON = 'Olvidó checar; lo confirma su jefe.'
const FUTURE = 'La hora no puede estar en el futuro.'
const TOO_OLD = 'La hora puede ser de hace 400 días como máximo.'

let admin: Admin
let employee_id: string
beforeEach(async () => {
  employee_id = (await anEmployee()).employee_id
  admin = await signInAdmin({ employee_id: (await anEmployee()).employee_id })
})

const add = (more: object = {}, settings: Partial<Env> = {}) =>
  post(
    '/v2/incidents/manual_logs',
    { client_id: UUID, employee_id, kind: 'salida', recorded_at: WHEN, comment: REASON, ...more },
    { token: admin.token, env: settings },
  )

describe('POST /v2/incidents/manual_logs', () => {
  it('adds a pending log whose first event has the reason', async () => {
    const res = await add()
    expect(res.status).toBe(200)
    expect(res.body.data).toEqual({ log_id: 1_000_000_000, result: 'created' })
    const log = { status: 'pending', source: `manual:${admin.id}`, recorded_at: WHEN }
    expect(await allLogs()).toMatchObject([{ ...log, recorded_by: admin.id }])
    const { data } = (await admin.get('/logs/1000000000')).body
    expect(data).toMatchObject({ comments: 1, source: log.source })
    expect(data.history).toMatchObject([
      { event: 'recorded', to_status: 'pending', user: { id: admin.id }, comment: REASON },
    ])
  })

  it('adds a log once even if it is sent several times', async () => {
    const calls = await Promise.all([add(), add(), add()])
    const kinds = calls.map((res) => res.body.data.result).sort()
    expect(kinds).toEqual(['created', 'known', 'known'])
    const other = await add({ client_id: UUID.replace('0b', '1c') })
    expect(other.body.data).toEqual({ log_id: 1_000_000_000, result: 'known' })
    expect(other.body.message).toBe('Esa checada ya estaba registrada.')
    expect([(await allLogs()).length, (await allComments()).length]).toEqual([1, 1])
  })

  it.each([
    [{ employee_id: 'nadie' }, 'employee_id', 'No existe un empleado con ese identificador.'],
    [{ recorded_at: ago(-6 * MINUTE) }, 'recorded_at', FUTURE],
    [{ recorded_at: ago(400 * DAY + MINUTE) }, 'recorded_at', TOO_OLD],
    [{ comment: '\u200B\u2800' }, 'comment', 'El comentario es obligatorio.'],
    [{ client_id: 7 }, 'client_id', 'El identificador del envío debe ser un UUID.'],
  ])('is a 422 for %j', async (wrong, field, message) => {
    const res = await add(wrong)
    expectInvalid(res, field, message)
    expect(await allComments()).toEqual([])
  })

  it('takes a time of 400 days ago to 5 minutes ahead', async () => {
    expect((await add({ recorded_at: ago(-4 * MINUTE) })).status).toBe(200)
    const oldest = { client_id: crypto.randomUUID(), recorded_at: ago(400 * DAY - MINUTE) }
    expect((await add(oldest)).body.data).toMatchObject({ result: 'created' })
  })

  it('with FORBID_SELF_APPROVAL, forbids adding own logs and deciding added ones', async () => {
    const settings = { FORBID_SELF_APPROVAL: 'true' }
    const own = await add({ employee_id: admin.employee_id }, settings)
    expectFailure(own, 403, 'No puedes cambiar el estado de tus propios registros.')
    const { log_id } = (await add({}, settings)).body.data
    expect((await admin.change({ log_id, status: 'approved' }, settings)).status).toBe(403)
  })

  it('lets payroll add a log, and an administrator decide that log', async () => {
    const settings = { PAYROLL_ROLES: 'nomina', FORBID_SELF_APPROVAL: 'on' }
    const payer = await aUser({ role: 'nomina' })
    const decider = admin
    admin = { ...admin, ...payer }
    const { log_id } = (await add({}, settings)).body.data
    expect((await allLogs())[0]).toMatchObject({ status: 'pending', recorded_by: payer.id })
    const change = { log_id, status: 'approved' }
    const options = { token: payer.token, env: { PAYROLL_ROLES: 'nomina' } }
    const refused = await post('/v2/incidents/change_log_status', change, options)
    expect(refused.status).toBe(403)
    expect(await allLogs()).toMatchObject([{ status: 'pending' }])
    expect((await decider.change(change, settings)).status).toBe(200)
  })
})
