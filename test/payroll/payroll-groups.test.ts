import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/db/schema.ts'
import { type Calendar, guessCalendar, periodOf } from '../../src/core/payroll-calendar.ts'
import { stopClock } from '../support/clock/clock.ts'
import { anAdmin, anEmployee, aZone, db } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { aPerson, punch } from '../support/time-card.ts'

/** Tests the periods of groups, and the first day that a preview suggests. */

let payroll: Payroll
beforeEach(async () => {
  stopClock('2026-11-23T15:00:00.000Z')
  payroll = payrollOf((await anAdmin()).token)
})

const aPersonId = async (...person: Parameters<typeof aPerson>): Promise<string> =>
  (await aPerson(...person)).employee_id

const closed = async (body: object): Promise<number> =>
  (await payroll.closed({ leave_pending: true, ...body })).id

const suggestedDays = async (query: string): Promise<Record<string, string>> => {
  const { body } = await payroll.preview(query)
  return Object.fromEntries(
    body.data.first_taken.map((one: { employee_id: string; suggested: string }) => [
      one.employee_id,
      one.suggested,
    ]),
  )
}

const SEMANAL = { payroll_group: 'semanal' }

describe('the suggested first day', () => {
  it('is the local day of the first log, in the zone of the log’s branch', async () => {
    await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
    // In Tijuana, the entrada is at 22:05 of the 2nd.
    const night = await aPersonId('03 E00:05 S08:00', { branch_office: 'Tijuana' })
    expect(await suggestedDays('before=2026-11-16')).toEqual({ [night]: '2026-11-02' })
  })

  it('is the first day that a closing of the whole group paid for most people', async () => {
    const ana = await aPersonId('02 E08:00 S17:00', SEMANAL)
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    // The group begins on the 9th, but the first day of one person is the 2nd.
    const openings = { [ana]: '2026-11-02' }
    await closed({ before: '2026-11-16', from: '2026-11-09', openings, ...SEMANAL })
    const missed = await aPersonId('03 E08:00 S17:00', SEMANAL)
    const hired = await aPersonId('12 E08:00 S17:00', { ...SEMANAL, started_at: '2026-11-11' })
    const late = await aPersonId('10 E08:00 S17:00', { ...SEMANAL, started_at: '2026-11-10' })
    expect(await suggestedDays('before=2026-11-23&payroll_group=semanal')).toEqual({
      [missed]: '2026-11-09',
      [hired]: '2026-11-12',
      [late]: '2026-11-10',
    })
  })

  it('is not moved by hires, even if most people of the first closing were hires', async () => {
    for (let i = 0; i < 2; i++) await aPersonId('02 E08:00 S17:00', SEMANAL)
    const hires: string[] = []
    for (let i = 0; i < 3; i++) {
      hires.push(await aPersonId('12 E08:00 S17:00', { ...SEMANAL, started_at: '2026-11-12' }))
    }
    const openings = Object.fromEntries(hires.map((id) => [id, '2026-11-12']))
    await closed({ before: '2026-11-16', from: '2026-11-02', openings, ...SEMANAL })
    const missed = await aPersonId('03 E08:00 S17:00', SEMANAL)
    expect(await suggestedDays('before=2026-11-23&payroll_group=semanal')).toEqual({
      [missed]: '2026-11-03',
    })
  })

  it.each([SEMANAL, {}])('stays if the first closing is cancelled: %j', async (first) => {
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    const id = await closed({ before: '2026-11-09', from: '2026-11-02', ...first })
    const hire = await aPersonId('12 E08:00 S17:00', { ...SEMANAL, started_at: '2026-11-12' })
    await closed({ before: '2026-11-16', openings: { [hire]: '2026-11-12' }, ...SEMANAL })
    const missed = await aPersonId('03 E08:00 S17:00', SEMANAL)
    const query = 'before=2026-11-23&payroll_group=semanal'
    const before = await suggestedDays(query)
    expect(before).toEqual({ [missed]: '2026-11-03' })
    expect((await payroll.cancel(id)).status).toBe(200)
    expect(await suggestedDays(query)).toEqual(before)
  })

  it('is a day before the closing, also if the first log comes after it', async () => {
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    const late = await aPersonId('18 E08:00 S17:00', SEMANAL)
    const begun = { ...SEMANAL, started_at: '2026-11-10' }
    const hire = await aPersonId('18 E08:00 S17:00', begun)
    const openings = await suggestedDays('before=2026-11-16&payroll_group=semanal')
    expect(openings).toMatchObject({ [late]: '2026-11-15', [hire]: '2026-11-15' })
    await closed({ before: '2026-11-16', openings, ...SEMANAL })
    const id = await closed({ before: '2026-11-23', ...SEMANAL })
    expect((await payroll.lines(id)).map(({ employee_id }) => employee_id)).toEqual([late, hire])
  })

  it('is not moved by a settlement of one person, a transfer or a cancelled closing', async () => {
    const ids = [await aPersonId('02 E08:00 S17:00', SEMANAL)]
    const query = 'before=2026-11-16&payroll_group=semanal'
    const before = await suggestedDays(query)
    expect(before).toEqual({ [ids[0] ?? '']: '2026-11-02' })

    const leaver = await aPersonId('02 E08:00 S17:00', { ...SEMANAL, ended_at: '2026-11-13' })
    await closed({ before: '2026-11-14', from: '2026-11-12', employee_id: leaver })
    expect(await suggestedDays(query)).toEqual(before)

    const moved = await aPersonId('02 E08:00 S17:00', { payroll_group: 'quincenal' })
    await closed({ before: '2026-11-16', from: '2026-11-05', payroll_group: 'quincenal' })
    await db.update(employees).set(SEMANAL).where(eq(employees.employee_id, moved))
    expect(await suggestedDays(query)).toEqual(before)

    await payroll.cancel(await closed({ before: '2026-11-08', from: '2026-11-04', ...SEMANAL }))
    ids.push(await aPersonId('02 E08:00 S17:00', SEMANAL))
    expect(await suggestedDays(query)).toEqual({ [ids[1] ?? '']: '2026-11-02' })
  })

  it('is the first day of the calendar’s period if the group was never closed', async () => {
    const settings = { PAYROLL_CALENDAR: 'semanal: week monday; mensual: month' }
    payroll = payrollOf((await anAdmin()).token, settings)
    const weekly = await aPersonId('02 E08:00 S17:00', SEMANAL)
    const monthly = await aPersonId('02 E08:00 S17:00', { payroll_group: 'mensual' })
    await punch(weekly, '20 E08:00 S17:00', { kind: 'entrada' })
    const old = { started_at: '2020-01-01' }
    const october = await anEmployee({ ...SEMANAL, ...old })
    await punch(october.employee_id, '01 E08:00 S09:00')
    expect(await suggestedDays('before=2026-11-16')).toEqual({
      [weekly]: '2026-11-09',
      [monthly]: '2026-11-02',
      [october.employee_id]: '2026-11-09',
    })
  })

  it('is not suggested for people who left before it, unless they are given a day', async () => {
    const gone = await aPersonId('02 E08:00 S17:00', { ...SEMANAL, ended_at: '2026-11-05' })
    const here = await aPersonId('02 E08:00 S17:00', SEMANAL)
    const settings = { PAYROLL_CALENDAR: 'semanal: week monday' }
    payroll = payrollOf((await anAdmin()).token, settings)
    const query = 'before=2026-11-16&payroll_group=semanal'
    expect(Object.keys(await suggestedDays(query))).toEqual([here])
    const openings = encodeURIComponent(JSON.stringify({ [gone]: '2026-11-02' }))
    const withGone = await suggestedDays(`${query}&openings=${openings}`)
    expect(Object.keys(withGone).sort()).toEqual([gone, here].sort())
  })
})

describe('GET /v2/incidents/payroll_groups', () => {
  const groups = async (query = '', settings: Partial<Env> = {}) => {
    const { token } = await anAdmin()
    const res = await payrollOf(token, settings).send('GET', `/payroll_groups${query}`)
    expect(res.status, res.text).toBe(200)
    return res.body.data.groups
  }

  it('names the next period of each group, and says until when it is paid', async () => {
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    await aPersonId('02 E08:00 S17:00', { ...SEMANAL, ended_at: '2026-11-20' })
    await aPersonId('02 E08:00 S17:00', { payroll_group: 'quincenal' })
    await aPersonId('02 E08:00 S17:00', { payroll_group: '' })
    await closed({ before: '2026-11-16', from: '2026-11-02', ...SEMANAL })
    const settings = { PAYROLL_CALENDAR: 'semanal: week monday' }
    const halfMonth = { calendar: 'half month', guessed: true, paid_before: null }
    const fortnight = { name: 'Quincena 21', from: '2026-11-01', before: '2026-11-16' }
    expect(await groups('', settings)).toEqual([
      { payroll_group: '', people: 1, ...halfMonth, next: fortnight },
      { payroll_group: 'quincenal', people: 1, ...halfMonth, next: fortnight },
      {
        payroll_group: 'semanal',
        people: 1,
        calendar: 'week monday',
        guessed: false,
        paid_before: '2026-11-16',
        next: { name: 'Semana 47', from: '2026-11-16', before: '2026-11-23' },
      },
    ])
    const [, , weekly] = await groups('?day=2026-10-20', settings)
    expect(weekly.next).toEqual({ name: 'Semana 43', from: '2026-10-19', before: '2026-10-26' })
  })

  it('guesses weeks from the last two closings of the whole group', async () => {
    const id = await aPersonId('02 E08:00 S17:00', SEMANAL)
    await closed({ before: '2026-11-07', from: '2026-11-01', ...SEMANAL })
    await closed({ before: '2026-11-14' })
    await closed({ before: '2026-11-17', employee_id: id })
    expect(await groups()).toMatchObject([
      {
        calendar: 'week saturday',
        guessed: true,
        paid_before: '2026-11-14',
        next: { from: '2026-11-14', before: '2026-11-21' },
      },
    ])
  })

  it('takes a day from 2000 to 9999-12-30', async () => {
    await aPersonId('02 E08:00 S17:00', SEMANAL)
    const settings = { PAYROLL_CALENDAR: 'semanal: week monday' }
    const ofDay = async (day: string) =>
      (await payrollOf((await anAdmin()).token, settings).send('GET', `/payroll_groups?day=${day}`))
        .status
    for (const day of ['2026-02-30', '0000-01-01', '1999-12-31', '9999-12-31']) {
      expect(await ofDay(day), day).toBe(422)
    }
    expect([await ofDay('2000-01-01'), await ofDay('9999-12-30')]).toEqual([200, 200])
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
  [['2026-11-16', '2026-11-01'], 'half month'],
  [['2026-11-01', '2026-10-16'], 'half month'],
  [['2026-03-01', '2026-02-01'], 'month'],
  [['2026-11-16', '2026-11-09'], { days: 7, since: '2026-11-16' }],
  [['2026-11-16', '2026-10-26'], { days: 7, since: '2026-11-16' }],
  [['2026-11-16', '2026-11-02'], { days: 14, since: '2026-11-16' }],
  [['2026-11-16', '2026-11-11'], 'half month'],
  [['2026-11-16'], 'half month'],
] as const)('closings until %j suggest %j', (paidDays, calendar) => {
  expect(guessCalendar(paidDays)).toEqual(calendar)
})

describe('the guess from two closings in a row', () => {
  /** The first days of the periods of three years, one of them a leap year. */
  const beginnings = (calendar: Calendar): string[] => {
    const days: string[] = []
    for (let day = '2026-01-05'; day < '2029-01-05'; day = periodOf(calendar, day).before) {
      days.push(periodOf(calendar, day).from)
    }
    return days
  }

  it.each([
    [{ days: 7, since: '2026-01-05' }],
    [{ days: 14, since: '2026-01-05' }],
    [{ days: 14, since: '2026-01-12' }],
    ['half month'],
    ['month'],
  ] as const)('is %j in each of three years', (calendar) => {
    const days = beginnings(calendar)
    expect(days.length).toBeGreaterThan(35)
    for (const [i, last] of days.entries()) {
      const previous = days[i - 1]
      if (previous === undefined) continue
      const guess = guessCalendar([last, previous])
      const expected = typeof calendar === 'string' ? calendar : { ...calendar, since: last }
      expect(guess, `${previous}, ${last}`).toEqual(expected)
    }
  })
})
