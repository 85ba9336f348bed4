import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/tables/people.ts'
import { stopClock } from '../support/clock/clock.ts'
import { allRows, anAdmin, anEmployee, aZone, db, paysFrom } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { aPerson, punch } from '../support/time-card.ts'

/**
 * Tests the first day that is paid to each person, and who is named because of unpaid hours.
 * closing-histories.test.ts tests both with random closings, cancellations and changes of people.
 */

const H = 3600
const NOW = '2026-11-23T15:00:00.000Z'

let payroll: Payroll
beforeEach(async () => {
  stopClock(NOW)
  payroll = payrollOf((await anAdmin()).token)
  await paysFrom('2026-11-02')
})

const HIRED_EARLIER = { started_at: '2026-11-01' }

const SEMANAL = { payroll_group: 'semanal' }

const preview = async (query = 'before=2026-11-16') => (await payroll.preview(query)).body.data

const closed = async (body: object = {}): Promise<number> =>
  (await payroll.closed({ before: '2026-11-16', ...body })).id

const change = (employee_id: string, row: Partial<typeof employees.$inferInsert>) =>
  db.update(employees).set(row).where(eq(employees.employee_id, employee_id))

const daysOf = async (id: number) =>
  (await payroll.lines(id)).map(({ employee_id, day }) => [employee_id, day])

describe('the first day of a person', () => {
  it('is that of the group or of work, whichever is later, or else `paid_from`', async () => {
    const card = '02 E08:00 S17:00 04 E08:00 S17:00 06 E08:00 S17:00'
    const { employee_id: old } = await aPerson(card)
    const { employee_id: hired } = await aPerson(card, { started_at: '2026-11-04' })
    const { employee_id: moved } = await aPerson(card, { paid_from: '2026-11-06' })
    const { employee_id: early } = await aPerson('01 E08:00 S17:00', { paid_from: '2026-11-01' })
    expect((await preview()).first_taken).toMatchObject([
      { employee_id: old, first_day: '2026-11-02', was: null, seconds: 27 * H },
      { employee_id: hired, first_day: '2026-11-04', was: null, seconds: 18 * H },
      { employee_id: moved, first_day: '2026-11-06', was: null, seconds: 9 * H },
      { employee_id: early, first_day: '2026-11-01', was: null, seconds: 9 * H },
    ])
    const id = await closed()
    expect(await daysOf(id)).toEqual([
      ...['02', '04', '06'].map((day) => [old, `2026-11-${day}`]),
      ...['04', '06'].map((day) => [hired, `2026-11-${day}`]),
      [moved, '2026-11-06'],
      [early, '2026-11-01'],
    ])
    expect((await preview('before=2026-11-20')).first_taken).toEqual([])
  })

  const begun = { started_at: '2026-11-04' }
  it.each([
    ['the group', '2026-11-04', {}, () => paysFrom('2026-11-01', 'semanal')],
    ['the start of work', '2026-11-01', begun, (id: string) => change(id, HIRED_EARLIER)],
    ['`paid_from`', '2026-11-01', begun, (id: string) => change(id, { paid_from: '2026-11-01' })],
  ])('may become earlier by %s, and the next closing pays the added days', async (...example) => {
    const [, pays_from, start, act] = example
    await paysFrom(pays_from, 'semanal')
    const card = '01 E08:00 S17:00 04 E08:00 S12:00 10 E08:00 S17:00'
    const { employee_id, full_name } = await aPerson(card, { ...SEMANAL, ...start })
    await closed({ before: '2026-11-09' })
    await act(employee_id)
    const { first_taken, added_seconds } = await preview()
    expect(first_taken).toEqual([
      { employee_id, full_name, first_day: '2026-11-01', was: '2026-11-04', seconds: 9 * H },
    ])
    expect(added_seconds).toBe(9 * H)
    expect(await payroll.lines(await closed())).toMatchObject([
      { day: '2026-11-10', of_period: 1, difference_seconds: 9 * H },
      { day: '2026-11-01', of_period: 0, difference_seconds: 9 * H },
    ])
    expect((await preview('before=2026-11-20')).first_taken).toEqual([])
  })
})

describe('a group without a first day', () => {
  it('is named in a preview with the figures of the others, and stops the closing', async () => {
    await paysFrom(null, 'semanal')
    await paysFrom(null, 'mensual')
    const { employee_id } = await aPerson('03 E08:00 S17:00')
    await aPerson('03 E08:00 S17:00', SEMANAL)
    await aPerson('03 E08:00 S17:00', { payroll_group: 'mensual', paid_from: '2026-11-01' })
    const data = await preview()
    expect(data).toMatchObject({
      groups_without_day: ['semanal'],
      people: 2,
      period_seconds: 18 * H,
    })
    expect(data.first_taken[0].employee_id).toBe(employee_id)
    const res = await payroll.close({ before: '2026-11-16' })
    expect([res.status, res.body.message]).toEqual([
      409,
      'Di desde qué día paga este servicio al grupo «semanal».',
    ])
    await paysFrom(null)
    await anEmployee()
    expect((await payroll.close({ before: '2026-11-16' })).body.message).toBe(
      'Di desde qué día paga este servicio a los grupos «General», «semanal».',
    )
  })
})

describe('hours before the first day', () => {
  it('are named with the reason, also if the closing does not take the person', async () => {
    const card = '03 E08:00 S17:00 04 E08:00 S12:00'
    const hired = await aPerson(card, { started_at: '2026-11-04' })
    const later = await aPerson(card, { started_at: '2026-11-20' })
    const elsewhere = await aPerson(card, { paid_from: '2026-11-09' })
    await aPerson('03 E08:00? S17:00? 04 E08:00x S17:00x', { started_at: '2026-11-09' })
    const named = ({ employee_id, full_name }: typeof hired) => ({ employee_id, full_name })
    const expected = [
      { ...named(hired), days: 1, seconds: 9 * H, reason: 'before_start' },
      { ...named(later), days: 2, seconds: 13 * H, reason: 'before_start' },
      { ...named(elsewhere), days: 2, seconds: 13 * H, reason: 'paid_from' },
    ]
    expect((await preview()).left_out).toEqual(expected)
    await closed({ leave_pending: true })
    expect((await preview('before=2026-11-20')).left_out).toEqual(expected)
    expect((await preview(`before=2026-11-04&employee_id=${later.employee_id}`)).left_out).toEqual([
      { ...named(later), days: 1, seconds: 9 * H, reason: 'before_start' },
    ])
  })

  it('are not named on a day of which an active closing pays a part', async () => {
    const { employee_id } = await aPerson('03 E08:00 S17:00 04 E08:00 S12:00')
    const first = await closed({ before: '2026-11-09' })
    const log_ids = await punch(employee_id, '03 E18:00? S20:00?', { created_at: NOW })
    await payroll.send('POST', '/change_logs_status', { log_ids, status: 'approved' })
    await closed()
    // What the second closing paid for the 3rd stays paid.
    await payroll.cancel(first)
    await change(employee_id, { started_at: '2026-11-12' })
    expect((await preview()).left_out).toMatchObject([{ employee_id, days: 1, seconds: 4 * H }])
  })

  it('are found by the zone of the log’s branch', async () => {
    await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
    // In Tijuana it is the 3rd, in Mexico City the 4th.
    const person = { started_at: '2026-11-04', branch_office: 'Tijuana' }
    const { employee_id } = await aPerson('04 E00:30 S08:00', person)
    await change(employee_id, { branch_office: 'Centro' })
    expect((await preview()).left_out).toMatchObject([{ employee_id, days: 1, seconds: 7.5 * H }])
  })
})

describe('a day before the start of work', () => {
  it('is a day to look at until `paid_from` pays it, or a closing has paid it', async () => {
    const { employee_id } = await aPerson('03 E08:00 S17:00 10 E08:00 S17:00', {
      started_at: '2026-11-09',
    })
    const noticed = async () =>
      (await payroll.hours('from=2026-11-01&to=2026-11-20&exceptions=true')).map(
        ({ day, notices }) => [day, notices],
      )
    expect(await noticed()).toEqual([['2026-11-03', ['fuera_de_relacion']]])
    await change(employee_id, { paid_from: '2026-11-03' })
    expect(await noticed()).toEqual([])
    expect((await preview()).exceptions_left).toBe(0)
    await closed()
    await change(employee_id, { paid_from: null })
    expect(await noticed()).toEqual([])
  })

  it('is also a day between two times of work', async () => {
    const { employee_id } = await aPerson('03 E08:00 S17:00', { ended_at: '2026-11-03' })
    await closed({ before: '2026-11-06' })
    await change(employee_id, { started_at: '2026-11-12', ended_at: null })
    await punch(employee_id, '10 E08:00 S17:00 13 E08:00 S17:00')
    const data = await preview()
    expect(data).toMatchObject({ exceptions_left: 1, period_seconds: 18 * H })
    expect(await payroll.hours('from=2026-11-01&to=2026-11-20&exceptions=true')).toMatchObject([
      { day: '2026-11-10', notices: ['fuera_de_relacion'] },
    ])
  })
})

it('says from when one person is paid, if that is not before the end of the closing', async () => {
  const { employee_id } = await anEmployee({ started_at: '2026-11-20' })
  const res = await payroll.close({ before: '2026-11-16', employee_id })
  expect([res.status, res.body.message]).toEqual([
    409,
    `${employee_id} empieza a pagarse el 20/11/2026: el cierre no le paga ningún día.`,
  ])
  expect(await preview(`before=2026-11-16&employee_id=${employee_id}`)).toMatchObject({ people: 0 })
})

it('takes who left before the first day only if there is something to pay', async () => {
  await anEmployee({ ended_at: '2026-10-30' })
  const { employee_id } = await aPerson('03 E08:00 S17:00', { ended_at: '2026-10-30' })
  const here = await anEmployee()
  const people = (await payroll.persons(await closed())).map((row) => row.employee_id)
  expect(people).toEqual([employee_id, here.employee_id])
})

it('is saved only if it pays the seconds of the preview', async () => {
  const { employee_id } = await aPerson('03 E08:00 S17:00')
  await closed({ before: '2026-11-04' })
  const [late = 0] = await punch(employee_id, '03 S19:00?', {
    created_at: new Date().toISOString(),
  })
  expect(
    (await payroll.send('POST', '/change_log_status', { log_id: late, status: 'approved' })).status,
  ).toBe(200)
  await punch(employee_id, '10 E08:00 S12:00')
  const before = await allRows()
  for (const expected_seconds of [0, 13 * H, -1]) {
    const res = await payroll.close({ before: '2026-11-16', expected_seconds })
    expect([res.status, res.body.message]).toEqual([
      409,
      'Algo cambió desde la vista previa: ahora se pagarían 4:00 h. Vuelve a verla.',
    ])
  }
  expect(await allRows()).toEqual(before)
  const { period_seconds, added_seconds, deducted_seconds } = await preview()
  const expected_seconds = period_seconds + added_seconds - deducted_seconds
  expect((await payroll.close({ before: '2026-11-16', expected_seconds })).status).toBe(200)
})
