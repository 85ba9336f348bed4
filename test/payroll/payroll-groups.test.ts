import { beforeEach, describe, expect, it } from 'vitest'
import { parseCalendar, periodOf } from '../../src/payroll/rules/calendar.ts'
import { expectRejectedFields, get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { allRows, anAdmin, aUser, paysFrom } from '../support/factories.ts'
import { actBeforeBatch } from '../support/fault-injection.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { aPerson } from '../support/time-card.ts'

let token: string
let payroll: Payroll
beforeEach(async () => {
  stopClock('2026-11-23T15:00:00.000Z')
  token = (await anAdmin()).token
  payroll = payrollOf(token)
})

const SEMANAL = { payroll_group: 'semanal' }

const put = (body: object) => payroll.send('PUT', '/payroll_groups', body)

const groups = async (query = '') => {
  const res = await payroll.send('GET', `/payroll_groups${query}`)
  expect(res.status, res.text).toBe(200)
  return res.body.data.groups
}

const WEEKLY = {
  ...SEMANAL,
  calendar: 'week monday',
  pays_from: '2026-11-04',
  expected_version: 0,
}

describe('GET /v2/incidents/payroll_groups', () => {
  it('has the group General from the start, with its last period that is over', async () => {
    expect(await groups()).toEqual([
      {
        payroll_group: '',
        people: 0,
        calendar: 'half month',
        pays_from: null,
        version: 1,
        paid_before: null,
        next: { name: 'Quincena 21', from: '2026-11-01', before: '2026-11-16' },
      },
    ])
  })

  it('names the next period of each group, and says until when it is paid', async () => {
    await put(WEEKLY)
    const first = { name: 'Semana 45', from: '2026-11-04', before: '2026-11-09' }
    expect((await groups())[1].next).toEqual(first)
    await aPerson('04 E08:00 S17:00', SEMANAL)
    await aPerson('04 E08:00 S17:00', { ...SEMANAL, ended_at: '2026-11-20' })
    await payroll.closed({ before: '2026-11-09', ...SEMANAL })
    const [, weekly] = await groups()
    expect(weekly).toEqual({
      ...SEMANAL,
      people: 1,
      calendar: 'week monday',
      pays_from: '2026-11-04',
      version: 1,
      paid_before: '2026-11-09',
      next: { name: 'Semana 46', from: '2026-11-09', before: '2026-11-16' },
    })
    const [, ofDay] = await groups('?day=2026-10-20')
    expect(ofDay.next).toEqual({ name: 'Semana 43', from: '2026-10-19', before: '2026-10-26' })
  })

  it('counts closings that took somebody of the group, but not those of one person', async () => {
    await put(WEEKLY)
    const { employee_id } = await aPerson('05 E08:00 S17:00', SEMANAL)
    const paidBefore = async () => (await groups()).at(-1).paid_before
    await payroll.closed({ before: '2026-11-07', employee_id })
    expect(await paidBefore()).toBe(null)
    await paysFrom('2026-11-01')
    await payroll.closed({ before: '2026-11-16' })
    expect(await paidBefore()).toBe('2026-11-16')
    await put({ ...WEEKLY, payroll_group: 'quincenal' })
    const [, empty] = await groups()
    expect([empty.payroll_group, empty.paid_before]).toEqual(['quincenal', null])
  })

  it('takes a day from 2000 to 9999-12-30', async () => {
    const ofDay = async (day: string) =>
      (await payroll.send('GET', `/payroll_groups?day=${day}`)).status
    for (const day of ['2026-02-30', '0000-01-01', '1999-12-31', '9999-12-31']) {
      expect(await ofDay(day), day).toBe(422)
    }
    expect([await ofDay('2000-01-01'), await ofDay('9999-12-30')]).toEqual([200, 200])
  })
})

describe('PUT /v2/incidents/payroll_groups', () => {
  it('adds a group, changes it, and records both as the changes of people are', async () => {
    const added = await put(WEEKLY)
    expect([added.status, added.body.message]).toEqual([200, 'El grupo se guardó.'])
    expect(added.body.data.group).toMatchObject({ ...SEMANAL, pays_from: '2026-11-04', version: 1 })
    const changed = await put({ ...WEEKLY, pays_from: '2026-11-02', expected_version: 1 })
    expect(changed.body.data.group).toMatchObject({ pays_from: '2026-11-02', version: 2 })
    expect(changed.body.data.group).toEqual((await groups())[1])
    const { body } = await get('/v2/people/changes?subject=payroll_group', { token })
    expect(body.data.changes).toMatchObject([
      {
        subject: 'payroll_group',
        subject_id: 'semanal',
        changes: [
          { field: 'calendar', before: null, after: 'week monday' },
          { field: 'pays_from', before: null, after: '2026-11-04' },
        ],
      },
      { changes: [{ field: 'pays_from', before: '2026-11-04', after: '2026-11-02' }] },
    ])
  })

  it('changes nothing if nothing differs', async () => {
    await put(WEEKLY)
    const again = await put({ ...WEEKLY, expected_version: 1 })
    expect([again.status, again.body.data.group.version]).toEqual([200, 1])
    expect((await allRows()).people_changes).toHaveLength(1)
  })

  it('is a 409 with the stored group if the version is another one', async () => {
    const added = await put(WEEKLY)
    for (const expected_version of [0, 2]) {
      const res = await put({ ...WEEKLY, calendar: 'month', expected_version })
      expect([res.status, res.body.current]).toEqual([409, added.body.data.group])
    }
    const missing = await put({ ...WEEKLY, payroll_group: 'mensual', expected_version: 1 })
    expectRejectedFields(missing, 422, ['payroll_group'])
    // Batch 2 reads the group, and batch 3 writes it.
    for (const [i, calendar] of (['month', 'half month'] as const).entries()) {
      const expected_version = i + 1
      const meanwhile = actBeforeBatch(i + 2, () => put({ ...WEEKLY, expected_version, calendar }))
      const change = { ...WEEKLY, pays_from: '2026-11-01', expected_version }
      const late = await payrollOf(token, { DB: meanwhile }).send('PUT', '/payroll_groups', change)
      expect([i, late.status]).toEqual([i, 409])
      expect((await groups())[1]).toMatchObject({ calendar, pays_from: '2026-11-04' })
    }
  })

  it('does not take the first day back', async () => {
    await put(WEEKLY)
    const res = await put({ ...WEEKLY, pays_from: null, expected_version: 1 })
    expectRejectedFields(res, 422, ['pays_from'])
    expect((await groups())[1].pays_from).toBe('2026-11-04')
  })

  it.each([
    ['calendar', { calendar: 'week lunes' }],
    ['calendar', { calendar: '14 days 2026-02-30' }],
    ['calendar', { calendar: '367 days 2026-01-05' }],
    ['pays_from', { pays_from: '2026-11-31' }],
    ['pays_from', { pays_from: '1999-12-31' }],
    ['pays_from', { pays_from: '2100-01-01' }],
    ['pays_from', { pays_from: undefined }],
    ['payroll_group', { payroll_group: ' semanal' }],
    ['payroll_group', { payroll_group: 'sema\u200bnal' }],
    ['payroll_group', { payroll_group: 'jose\u0301' }],
    ['payroll_group', { payroll_group: '__proto__' }],
    ['payroll_group', { payroll_group: 'x'.repeat(101) }],
    ['expected_version', { expected_version: -1 }],
    ['guessed', { guessed: true }],
  ])('is a 422 on %s for %j', async (field, changes) => {
    expectRejectedFields(await put({ ...WEEKLY, ...changes }), 422, [field])
    expect(await groups()).toHaveLength(1)
  })

  it('leaves a record that who pays may read, and who keeps people', async () => {
    await put(WEEKLY)
    const settings = { PEOPLE_ROLES: 'rh', PAYROLL_ROLES: 'nomina' }
    const read = async (role: string) => {
      const { token: own } = await aUser({ role })
      const path = '/v2/people/changes?subject=payroll_group'
      return (await get(path, { token: own, env: settings })).status
    }
    expect([await read('nomina'), await read('rh'), await read('admin')]).toEqual([200, 200, 403])
  })
})

it.each([
  [{ days: 7, since: '2026-01-05' }, '2026-01-01', 'Semana 1', '2025-12-29', '2026-01-05'],
  [{ days: 7, since: '2026-01-05' }, '2027-01-03', 'Semana 53', '2026-12-28', '2027-01-04'],
  [{ days: 14, since: '2026-01-05' }, '2026-01-18', 'Catorcena 1', '2026-01-05', '2026-01-19'],
  [{ days: 10, since: '2026-01-01' }, '2026-01-11', 'Periodo 2', '2026-01-11', '2026-01-21'],
  ['half month', '2026-02-28', 'Quincena 4', '2026-02-16', '2026-03-01'],
  ['half month', '2026-12-16', 'Quincena 24', '2026-12-16', '2027-01-01'],
  ['month', '2028-02-29', 'Febrero', '2028-02-01', '2028-03-01'],
] as const)('of %j, the day %s lies in %s', (calendar, day, name, from, before) => {
  expect(periodOf(calendar, day)).toEqual({ name, from, before })
})

it.each([
  ['week monday', { days: 7, since: '2026-01-05' }],
  ['week sunday', { days: 7, since: '2026-01-11' }],
  ['half month', 'half month'],
  ['14 days 2026-01-05', { days: 14, since: '2026-01-05' }],
])('the calendar %s is parsed', (text, calendar) => {
  expect(parseCalendar(text)).toEqual(calendar)
})

describe('a closing with confirm_early: false', () => {
  /** It is the 23rd. The week ends on the 29th, the half month on the 30th. */
  const close = (body: object) =>
    payroll.close({ before: '2026-11-24', confirm_early: false, ...body })

  it('is a 409 that names the groups whose running period goes on, and writes nothing', async () => {
    await put({ ...WEEKLY, pays_from: '2026-11-02' })
    await paysFrom('2026-11-01')
    const ana = await aPerson('03 E08:00 S17:00')
    expect((await close({})).body.errors).toEqual({
      confirm_early: [
        'Ese día todavía no termina el periodo de «General»: espera a que termine, o di que cierras antes.',
      ],
    })
    await aPerson('03 E08:00 S17:00', SEMANAL)
    const both = await close({})
    expect([both.status, both.body.message]).toEqual([
      409,
      expect.stringContaining('de «General», «semanal»:'),
    ])
    expect((await close(SEMANAL)).body.message).toContain('de «semanal»:')
    expect((await payroll.send('GET', '/closings')).body.data.closings).toEqual([])
    // One person, or an end of a period that is over, is not early.
    expect((await close({ employee_id: ana.employee_id })).status).toBe(200)
    expect((await close({ ...SEMANAL, before: '2026-11-23' })).status).toBe(200)
    expect((await close({ ...SEMANAL, confirm_early: true })).status).toBe(200)
  })

  it('is asked about on the last day of the period, which is not over, and not without the field', async () => {
    await put({ ...WEEKLY, calendar: 'week tuesday', pays_from: '2026-11-02' })
    await put({ ...WEEKLY, payroll_group: 'mensual', calendar: 'month' })
    await aPerson('05 E08:00 S17:00', SEMANAL)
    await aPerson('05 E08:00 S17:00', { payroll_group: 'mensual' })
    expect((await close(SEMANAL)).body.code).toBe('CLOSES_EARLY')
    expect((await close({ ...SEMANAL, before: '2026-11-17' })).status).toBe(200)
    const body = { before: '2026-11-24', payroll_group: 'mensual' }
    expect((await payroll.close(body)).status).toBe(200)
  })
})
