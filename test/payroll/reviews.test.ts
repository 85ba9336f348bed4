import { beforeEach, describe, expect, it } from 'vitest'
import { attendance_logs } from '../../src/core/tables/logs.ts'
import { day_reviews, employee_shifts } from '../../src/core/tables/payroll.ts'
import { employees } from '../../src/core/tables/people.ts'
import { expectRejectedFields } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aLog, anAdmin, aUser, aZone, db, inBranches, paysFrom } from '../support/factories.ts'
import { actBeforeBatch } from '../support/fault-injection.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { aPerson, punch } from '../support/time-card.ts'

/** Tests which days may be reviewed, by whom, and what an inverted day needs. */

const H = 3600

let token: string
let payroll: Payroll
beforeEach(async () => {
  // In Mexico City it is 9 p.m. of 23 November. In Tokyo it is the 24th.
  stopClock('2026-11-24T03:00:00.000Z')
  token = (await anAdmin()).token
  payroll = payrollOf(token)
  await paysFrom('2026-11-01')
})

const reviews = async () =>
  (await db.select().from(day_reviews)).map(({ employee_id, day, comment }) => [
    employee_id,
    day,
    comment,
  ])

const isReviewed = async (employee_id: string, day: string) => {
  const [row] = await payroll.hours(`employee_id=${employee_id}&from=${day}&to=${day}`)
  return Boolean(row?.reviewed)
}

/** The first punch of the 3rd is missing, so the nights until the 5th count as work. */
const INVERTED = '02 C08:00 C17:00 03 C17:00 04 C08:00 C17:00 05 C08:00 C17:00'

describe('an inverted day', () => {
  it('is reviewed only with the seconds that it pays', async () => {
    const { employee_id } = await aPerson(INVERTED)
    const hours = await payroll.hours('from=2026-11-01&to=2026-11-10')
    const inverted = hours.filter((row) => `${row.exceptions}`.includes('posible_desfase'))
    const [{ day, worked_seconds }] = inverted as [{ day: string; worked_seconds: number }]
    expect(worked_seconds).toBe(15 * H)
    const wrong = [{}, { confirm_seconds: 9 * H }, { confirm_seconds: null }]
    for (const body of wrong) {
      const res = await payroll.review({ employee_id, day, ...body })
      expect([res.status, res.body.errors]).toEqual([
        422,
        { confirm_seconds: [expect.stringContaining('se pagan 15:00 h')] },
      ])
    }
    const many = await payroll.review({ days: [{ employee_id, day }], comment: 'Revisado.' })
    expect(many.status).toBe(422)
    expect(await reviews()).toEqual([])
    const fine = { employee_id, day: '2026-11-02' }
    const list = await payroll.review({ days: [fine, { employee_id, day }], comment: 'Visto.' })
    expectRejectedFields(list, 422, ['days.1'])
    const body = { employee_id, day, confirm_seconds: worked_seconds }
    expect((await payroll.review(body)).status).toBe(200)
    expect(await reviews()).toEqual([[employee_id, day, null]])
  })

  it('is inverted also where only the week before shows it', async () => {
    const week = (days: string[]) => days.map((day) => `${day} C08:00 C17:00`).join(' ')
    const right = week(['02', '03', '04', '05', '09', '10', '11', '12'])
    const turned = `16 C17:00 ${week(['17', '18', '19'])} 20 C08:00`
    const { employee_id } = await aPerson(`${right} ${turned}`)
    const hours = await payroll.hours('from=2026-11-01&to=2026-11-21')
    const marked = hours.filter(({ exceptions }) => `${exceptions}`.includes('posible_desfase'))
    expect(marked.map(({ day }) => `${day}`.slice(8))).toEqual(['16', '17', '18', '19'])
    // A review reads the logs of its day, and those of the stretch before.
    for (const day of ['12', '16', '17', '18', '19', '20']) {
      const res = await payroll.review({ employee_id, day: `2026-11-${day}` })
      expect([day, res.status]).toEqual([day, ['12', '20'].includes(day) ? 200 : 422])
    }
  })

  it('loses its review if it pays other seconds, also by a longest shift', async () => {
    const { employee_id } = await aPerson(INVERTED)
    const day = '2026-11-03'
    await payroll.review({ employee_id, day, confirm_seconds: 15 * H })
    expect(await isReviewed(employee_id, day)).toBe(true)
    await db.insert(employee_shifts).values({ max_shift_hours: 12 })
    expect(await isReviewed(employee_id, day)).toBe(false)
  })

  it('needs a new review if a rejection of another day has inverted it', async () => {
    const { employee_id, ids } = await aPerson(
      '02 C08:00 C17:00 03 C08:00 C17:00 04 C08:00 C17:00 05 C08:00 C17:00',
    )
    const day = '2026-11-04'
    await payroll.review({ employee_id, day })
    expect(await isReviewed(employee_id, day)).toBe(true)
    const rejection = { log_id: ids[2], status: 'rejected', comment: 'Repetida.' }
    await payroll.send('POST', '/change_log_status', rejection)
    expect(await isReviewed(employee_id, day)).toBe(false)
  })
})

describe('a closing with inverted days', () => {
  const body = { before: '2026-11-16' }
  const closings = async () => (await payroll.send('GET', '/closings')).body.data.closings

  it('is made only if the seconds of the preview are confirmed', async () => {
    await aPerson(INVERTED)
    const { data } = (await payroll.preview('before=2026-11-16')).body
    expect([data.inverted_days, data.inverted_seconds]).toEqual([2, 30 * H])
    for (const confirm_inverted of [undefined, null, 0, 15 * H]) {
      const res = await payroll.close({ ...body, confirm_inverted })
      expect([res.status, res.body.message]).toEqual([
        409,
        'Hay 2 días con entradas y salidas invertidas, que suman 30:00 h: corrígelos, o confirma con `confirm_inverted` que se pagan 108000 segundos.',
      ])
    }
    expectRejectedFields(await payroll.close({ ...body, confirm_inverted: '108000' }), 422, [
      'confirm_inverted',
    ])
    expect(await closings()).toEqual([])
    const { period_seconds } = await payroll.closed({ ...body, confirm_inverted: 30 * H })
    expect(period_seconds).toBe(39 * H)
  })

  it('needs nothing for reviewed days, and refuses seconds that are no longer inverted', async () => {
    const { employee_id } = await aPerson(INVERTED)
    for (const day of ['2026-11-03', '2026-11-04']) {
      await payroll.review({ employee_id, day, confirm_seconds: 15 * H })
    }
    const res = await payroll.close({ ...body, confirm_inverted: 30 * H })
    expect([res.status, res.body.message]).toEqual([409, expect.stringContaining('Ya no hay días')])
    await payroll.closed(body)
  })

  it('needs them for earlier days too, which a rejection has inverted', async () => {
    const { ids } = await aPerson('02 C08:00 C17:00 03 C08:00 C17:00 04 C08:00 C17:00 05 C08:00')
    await payroll.closed(body)
    const rejection = { log_id: ids[2], status: 'rejected', comment: 'No vino.' }
    expect((await payroll.send('POST', '/change_log_status', rejection)).status).toBe(200)
    const next = { before: '2026-11-20' }
    const { data } = (await payroll.preview('before=2026-11-20')).body
    expect([data.inverted_days, data.inverted_seconds]).toEqual([2, 30 * H])
    expect((await payroll.close(next)).status).toBe(409)
    const { added_seconds } = await payroll.closed({ ...next, confirm_inverted: 30 * H })
    expect(added_seconds).toBe(12 * H)
  })
})

describe('many days', () => {
  it('are reviewed with one comment, all or none', async () => {
    const { employee_id: ana } = await aPerson('02 E08:00 03 E08:00')
    const { employee_id: bea } = await aPerson('02 E08:00')
    const days = [
      { employee_id: ana, day: '2026-11-02' },
      { employee_id: bea, day: '2026-11-02' },
    ]
    const unknown = [...days, { employee_id: 'E-404', day: '2026-11-02' }]
    expect((await payroll.review({ days: unknown, comment: 'Guardias.' })).status).toBe(422)
    expect(await reviews()).toEqual([])
    const res = await payroll.review({ days, comment: 'Guardias.' })
    expect([res.status, res.body.data]).toEqual([200, { ...days[0], days, approved_log_ids: [] }])
    expect(await reviews()).toEqual(days.map((one) => [one.employee_id, one.day, 'Guardias.']))
    const left = await payroll.hours('from=2026-11-01&to=2026-11-10&exceptions=true')
    expect(left.map(({ day }) => day)).toEqual(['2026-11-03'])
  })

  it('are a hundred at most, and cannot be combined with a single day', async () => {
    const { employee_id } = await aPerson('02 E08:00')
    const day = { employee_id, day: '2026-11-02' }
    const errorsOf = async (body: object) => (await payroll.review(body)).body.errors
    expect(await errorsOf({ days: Array(101).fill(day) })).toEqual({
      days: ['Se pueden revisar 100 días a la vez como máximo.'],
    })
    expect(await errorsOf({ days: [] })).toHaveProperty('days')
    expect(await errorsOf({ ...day, days: [day] })).toEqual({
      employee_id: ['No se combina con una lista de días.'],
      day: ['No se combina con una lista de días.'],
    })
    expect(await errorsOf({})).toEqual({
      employee_id: ['El empleado es obligatorio.'],
      day: ['El día es obligatorio.'],
    })
    expect((await payroll.review({ days: Array(100).fill(day) })).status).toBe(200)
  })
})

describe('a review that approves pending logs of its day', () => {
  const day = '2026-11-02'
  const dayOf = async (employee_id: string) =>
    (await payroll.hours(`employee_id=${employee_id}&from=${day}&to=${day}`))[0]
  const statuses = async () => {
    const rows = await db.select().from(attendance_logs).orderBy(attendance_logs.id)
    return rows.map(({ status }) => status)
  }

  it('approves and reviews at once, with one comment and an event of each log', async () => {
    const { employee_id, ids } = await aPerson('02 E08:00 S21:00? 03 E08:00?')
    const [, exit = 0] = ids
    const body = { employee_id, day, approve_log_ids: [exit], comment: 'Inventario.' }
    const res = await payroll.review(body)
    expect([res.status, res.body.data]).toEqual([
      200,
      { employee_id, day, approved_log_ids: [exit] },
    ])
    expect(await dayOf(employee_id)).toMatchObject({
      worked_seconds: 13 * H,
      exceptions: ['jornada_larga'],
      reviewed: { comment: 'Inventario.' },
    })
    expect(await statuses()).toEqual(['approved', 'approved', 'pending'])
    const { body: list } = await payroll.send('GET', '/changes?event=decided')
    expect(list.data.changes).toMatchObject([
      { log_id: exit, from_status: 'pending', to_status: 'approved', comment: 'Inventario.' },
    ])
    // A later change of the log ends the review.
    const rejection = { log_id: exit, status: 'rejected', comment: 'No vino.' }
    expect((await payroll.send('POST', '/change_log_status', rejection)).status).toBe(200)
    expect(await isReviewed(employee_id, day)).toBe(false)
  })

  it('confirms the seconds of the day as it becomes', async () => {
    const card = '02 C08:00 C17:00 03 C17:00 04 C08:00? C17:00 05 C08:00 C17:00'
    const { employee_id, ids } = await aPerson(card)
    const body = { employee_id, day: '2026-11-03', approve_log_ids: [ids[3]] }
    const res = await payroll.review({ ...body, confirm_seconds: 0 })
    expect([res.status, res.body.errors]).toEqual([
      422,
      { confirm_seconds: [expect.stringContaining('se pagan 15:00 h')] },
    ])
    expect(await statuses()).toContain('pending')
    expect((await payroll.review({ ...body, confirm_seconds: 15 * H })).status).toBe(200)
    expect(await isReviewed(employee_id, '2026-11-03')).toBe(true)
  })

  it('does nothing unless every log is pending, of that day, and the caller’s to decide', async () => {
    const { employee_id, ids } = await aPerson('02 E08:00 S17:00? 03 E08:00?')
    const [entry, exit, next] = ids
    const body = { employee_id, day }
    const refused = async (approve_log_ids: unknown, more = {}) => {
      const res = await payroll.review({ ...body, approve_log_ids, ...more })
      return [res.status, Object.keys(res.body.errors ?? {})]
    }
    expect(await refused([exit, entry])).toEqual([409, ['approve_log_ids.1']])
    expect(await refused([exit, next])).toEqual([422, ['approve_log_ids']])
    expect(await refused([exit, 999])).toEqual([422, ['approve_log_ids']])
    expect(await refused([exit, exit])).toEqual([422, ['approve_log_ids.1']])
    const days = { employee_id: null, day: null, days: [body] }
    expect(await refused([exit], days)).toEqual([422, ['approve_log_ids']])
    const auditor = payrollOf((await aUser({ role: 'auditor' })).token, {
      PAYROLL_ROLES: 'admin,auditor',
    })
    expect((await auditor.review({ ...body, approve_log_ids: [exit] })).status).toBe(403)
    const strict = payrollOf(token, { REQUIRE_COMMENT: 'approved' })
    const silent = await strict.review({ ...body, approve_log_ids: [exit] })
    expect([silent.status, silent.body.errors]).toEqual([422, { comment: [expect.any(String)] }])
    expect(await reviews()).toEqual([])
    expect(await statuses()).toEqual(['approved', 'pending', 'pending'])
    // Without the list, who may not decide reviews the day, and the logs stay pending.
    expect((await auditor.review(body)).status).toBe(200)
    expect(await statuses()).toEqual(['approved', 'pending', 'pending'])
  })

  it('is not for the caller’s own request', async () => {
    const { employee_id, ids } = await aPerson('02 E08:00 S17:00?')
    const own = payrollOf((await aUser({ role: 'admin', employee_id })).token, {
      FORBID_SELF_APPROVAL: 'on',
    })
    expect((await own.review({ employee_id, day, approve_log_ids: [ids[1]] })).status).toBe(403)
    expect(await statuses()).toEqual(['approved', 'pending'])
  })

  it('is a 409 if a log of the person changes after the day was read', async () => {
    const { employee_id, ids } = await aPerson('02 E08:00 S17:00?')
    const arrive = () =>
      aLog({ employee_id, recorded_at: '2026-11-02T20:00:00.000Z', status: 'pending' })
    const racing = payrollOf(token, { DB: actBeforeBatch(4, arrive) })
    expect((await racing.review({ employee_id, day, approve_log_ids: [ids[1]] })).status).toBe(409)
    expect(await statuses()).toEqual(['approved', 'pending', 'pending'])
  })
})

it('a reviewed day lies between 2000 and today, in the zone that is furthest ahead', async () => {
  const { employee_id } = await aPerson('02 E08:00')
  const statusOf = async (day: string) => (await payroll.review({ employee_id, day })).status
  expect(await statusOf('1999-12-31')).toBe(422)
  expect(await statusOf('2000-01-01')).toBe(200)
  expect(await statusOf('2026-11-23')).toBe(200)
  expect(await statusOf('2026-11-24')).toBe(422)
  await aZone({ branch_office: 'Tokio', time_zone: 'Asia/Tokyo' })
  expect(await statusOf('2026-11-24')).toBe(200)
  expect(await statusOf('2026-11-25')).toBe(422)
})

it('a review does not cover a log that arrives after its days were read', async () => {
  const admin = await anAdmin()
  const { employee_id } = await aPerson('02 E08:00')
  const addLog = () =>
    aLog({ employee_id, recorded_at: '2026-11-02T20:00:00.000Z', status: 'pending' })
  const body = { employee_id, day: '2026-11-02' }
  // The last batch stores the review.
  for (const batch of [3, 4]) {
    const { status } = await payrollOf(admin.token, { DB: actBeforeBatch(batch, addLog) }).review(
      body,
    )
    expect(status).toBe(200)
    expect(await payroll.hours('from=2026-11-01&to=2026-11-10&exceptions=true')).toHaveLength(1)
  }
  expect((await payroll.review(body)).status).toBe(200)
  expect(await payroll.hours('from=2026-11-01&to=2026-11-10&exceptions=true')).toEqual([])
})

it('a review needs the branch of each day: a log of the person on another day is not enough', async () => {
  const { employee_id } = await aPerson(INVERTED, { branch_office: 'Sur' })
  const move = (branch_office: string) => db.update(employees).set({ branch_office })
  await move('Norte')
  await punch(employee_id, '20 E08:00')
  await move('Sur')
  const { token } = await aUser({ role: 'admin', scope_branches: inBranches('Norte') })
  const mine = payrollOf(token)
  const day = (name: string) => ({ employee_id, day: `2026-11-${name}` })
  for (const body of [day('02'), day('03'), day('10'), { days: [day('20'), day('02')] }]) {
    const { status, body: said } = await mine.review(body)
    expect([status, said.message]).toEqual([422, expect.stringContaining('No existe un empleado')])
  }
  expect((await mine.review(day('20'))).status).toBe(200)
})

describe('FORBID_SELF_APPROVAL', () => {
  const settings = { FORBID_SELF_APPROVAL: 'on' }

  it('keeps people from reviewing days of their own', async () => {
    const { employee_id: own } = await aPerson('02 E08:00 S17:00', { payroll_group: 'semanal' })
    const { employee_id: other } = await aPerson('02 E08:00 S17:00', { payroll_group: 'quincenal' })
    const { token } = await aUser({ role: 'admin', employee_id: own })
    const day = { day: '2026-11-02' }
    const statuses = async (mine: Payroll) => [
      (await mine.review({ employee_id: own, ...day })).status,
      (await mine.review({ days: [own, other].map((id) => ({ employee_id: id, ...day })) })).status,
      (await mine.review({ employee_id: other, ...day })).status,
    ]
    expect(await statuses(payrollOf(token, settings))).toEqual([403, 403, 200])
    expect(await statuses(payrollOf(token))).toEqual([200, 200, 200])
  })
})
