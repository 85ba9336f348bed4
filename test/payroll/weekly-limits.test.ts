import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/tables/people.ts'
import { addDays } from '../../src/core/values/time-zone.ts'
import { judgeWeeks } from '../../src/payroll/hours/weekly-limits.ts'
import { emptyDay } from '../../src/payroll/hours/work-day.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { aLog, anAdmin, anEmployee, aZone, db, inBranches, paysFrom } from '../support/factories.ts'
import { daysByOracle, type OracleDay, type OracleLog } from '../support/pairing-oracle.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { createRandom } from '../support/random.ts'
import { recordQueries } from '../support/record-queries.ts'
import { punch } from '../support/time-card.ts'

/** The weekly limit in hours by the decree (DOF 2026-05-01), by the year of the week's Monday. */
const DECREE: Record<number, number> = { 2026: 48, 2027: 46, 2028: 44, 2029: 42, 2030: 40 }

const HOUR_S = 3600

let admin: Admin
let payroll: Payroll
beforeEach(async () => {
  admin = await signInAdmin()
  payroll = payrollOf(admin.token)
})

/** The week of Monday the 9th of November. */
const WEEK = 'from=2026-11-09&to=2026-11-15'

const weeks = (query = WEEK) => payroll.hours(`by=week&${query}`)

/** Nine hours and fifty minutes on each day. */
const fullDays = (...days: number[]) =>
  days.map((day) => `${String(day).padStart(2, '0')} E08:00 S17:50`).join(' ')

/** 49 h 10 min in five days. */
const fullWeek = () => fullDays(9, 10, 11, 12, 13)

it.each([
  ['2026-12-28', 48],
  ['2027-01-04', 46],
  ['2028-12-25', 44],
  ['2029-01-01', 42],
  ['2029-12-31', 42],
  ['2030-01-07', 40],
])(
  'the week of %s has the limit of the year of its Monday, %i hours, to the second',
  (monday, limit) => {
    const place = { department: '', branch_office: '' }
    const ofHours = (seconds: number) => {
      const days = [0, 6].map((day) => emptyDay(addDays(monday, day), place))
      return judgeWeeks(days.map((day) => ({ ...day, worked_seconds: seconds / 2 }))).get(monday)
    }
    const limit_seconds = limit * HOUR_S
    expect(ofHours(limit_seconds)).toMatchObject({
      limit_seconds,
      over_seconds: 0,
      passed_on: null,
    })
    expect(ofHours(limit_seconds + 2)).toMatchObject({
      ...{ limit_seconds, over_seconds: 2, passed_on: addDays(monday, 6) },
    })
  },
)

it('a day of exactly 12 hours is within its limit, and a second more is not', () => {
  const days = [43_200, 43_201].map((worked_seconds, i) => ({
    ...emptyDay(`2026-11-${['09', '10'][i]}`, { department: '', branch_office: '' }),
    worked_seconds,
  }))
  expect(judgeWeeks(days.slice(0, 1)).get('2026-11-09')).toMatchObject({ shifts_over_12h: 0 })
  expect(judgeWeeks(days).get('2026-11-09')).toMatchObject({ shifts_over_12h: 1 })
})

describe('GET /v2/incidents/hours?by=week', () => {
  it('has a row for each employee and week, judged by the limit', async () => {
    await anEmployee({ employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte' })
    await punch('E-1', `${fullWeek()} 14 E08:00 S14:00 E15:00 S21:30 16 E08:00 S09:00`)
    const row = {
      ...{ employee_id: 'E-1', full_name: 'Ana', department: 'Ventas', branch_office: 'Norte' },
      ...{ payroll_group: '', week_from: '2026-11-09', week_to: '2026-11-15' },
      ...{ days: 6, pairs: 7, worked_seconds: 222_000, worked_hours: 61.67 },
      ...{ days_with_exceptions: 1, exceptions: ['semana_sobre_limite'], notices: [] },
      ...{ week_seconds: 222_000, limit_seconds: 172_800, over_seconds: 49_200 },
      ...{ shifts_over_12h: 1, open: false, sunday_seconds: 0, sunday_hours: 0 },
      ...{ holiday_seconds: 0, holiday_hours: 0, pending_seconds: 0, pending_hours: 0 },
      ...{ week_hours: 61.67, limit_hours: 48, over_hours: 13.67 },
    }
    expect(await weeks()).toEqual([row])
    expect(await weeks('from=2026-11-09&to=2026-11-16')).toMatchObject([row, { over_seconds: 0 }])
    expect(await weeks('from=2026-11-09&to=2026-11-16&exceptions=true')).toEqual([row])
    const { text } = await admin.get(`/hours?format=csv&by=week&${WEEK}`)
    expect(text).toBe(
      [
        'employee_id,full_name,department,branch_office,payroll_group,week_from,week_to,days,pairs,worked_seconds,worked_hours,days_with_exceptions,exceptions,notices,week_seconds,limit_seconds,over_seconds,shifts_over_12h,open,sunday_seconds,holiday_seconds,pending_seconds,week_hours,limit_hours,over_hours,sunday_hours,holiday_hours,pending_hours',
        'E-1,Ana,Ventas,Norte,,2026-11-09,2026-11-15,6,7,222000,61.67,1,semana_sobre_limite,,222000,172800,49200,1,false,0,0,0,61.67,48.00,13.67,0.00,0.00,0.00',
        '',
      ].join('\r\n'),
    )
  })

  it('judges the whole week if the requested period has only a part of it', async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', fullWeek())
    const whole = await weeks()
    expect(whole).toMatchObject([{ over_seconds: 4_200 }])
    for (const period of ['from=2026-11-01&to=2026-11-09', 'from=2026-11-15&to=2026-11-15']) {
      expect(await weeks(period)).toEqual(whole)
    }
    const res = await admin.get('/hours?format=csv&by=week&from=2026-11-11&to=2026-11-17')
    expect(res.headers.get('Content-Disposition')).toContain('horas_2026-11-09_2026-11-22.csv')
  })

  it('reads the rows of its whole weeks, and no others', async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', `${fullDays(2, 3, 4, 5)} ${fullWeek()} ${fullDays(23, 24, 25)}`)
    const rowsRead = async (query: string) => {
      const { DB, recording } = recordQueries(env.DB)
      await payrollOf(admin.token, { DB }).hours(query)
      return recording.rowsRead
    }
    const byDay = await rowsRead(WEEK)
    expect(await rowsRead('by=week&from=2026-11-11&to=2026-11-12')).toBe(byDay)
    expect(byDay).toBeLessThan(await rowsRead('from=2026-11-09&to=2026-11-25'))
    // A request for days also reads the earlier days of the week, because their hours decide on
    // which day the week passes the limit.
    expect(await rowsRead('from=2026-11-11&to=2026-11-15')).toBe(byDay)
  })

  it('has a row for each place of a person, with the judgement of the whole week', async () => {
    await anEmployee({ employee_id: 'E-1', branch_office: 'Norte' })
    await punch('E-1', fullDays(9, 10, 11))
    await db.update(employees).set({ branch_office: 'Sur' })
    await punch('E-1', fullDays(12, 13))
    const judged = { week_seconds: 177_000, over_seconds: 4_200 }
    const [norte, sur] = [
      { branch_office: 'Norte', worked_seconds: 106_200, exceptions: [], ...judged },
      { branch_office: 'Sur', worked_seconds: 70_800, ...judged },
    ]
    expect(await weeks()).toMatchObject([norte, sur])
    expect(await weeks(`${WEEK}&exceptions=true`)).toMatchObject([norte, sur])
    expect(await weeks(`${WEEK}&branch_office=Norte`)).toMatchObject([norte])
    const ofSur = payrollOf((await anAdmin({ scope_branches: inBranches('Sur') })).token)
    expect(await ofSur.hours(`by=week&${WEEK}`)).toMatchObject([sur])
  })

  it('is open with a pending log of its own, also in a preview, which counts the log', async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', `${fullDays(9, 10, 11, 12)} 13 E08:00? S17:50?`)
    expect(await weeks()).toMatchObject([{ over_seconds: 0, open: true }])
    expect(await weeks(`${WEEK}&preview=true`)).toMatchObject([{ over_seconds: 4_200, open: true }])
  })

  it('is open with a pending log of the next week, which may change the pair of Sunday', async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', '15 E14:00 S22:00 16 E06:00?')
    expect(await weeks()).toMatchObject([{ open: true }])
  })
})

describe('semana_sobre_limite', () => {
  const marked = async (query: string) =>
    (await payroll.hours(`exceptions=true&${query}`)).map(({ day }) => day)

  beforeEach(async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', `${fullWeek()} 14 E08:00 S10:00`)
  })

  it('is an exception of the day that passed the limit, whatever days are asked for', async () => {
    expect(await marked(WEEK)).toEqual(['2026-11-13'])
    expect(await marked('from=2026-11-13&to=2026-11-13')).toEqual(['2026-11-13'])
    expect(await marked('from=2026-11-01&to=2026-11-12')).toEqual([])
    expect(await marked('from=2026-11-14&to=2026-11-30')).toEqual([])
    expect(await payroll.hours(`by=employee&${WEEK}`)).toMatchObject([
      { days_with_exceptions: 1, exceptions: ['semana_sobre_limite'] },
    ])
  })

  it('is no longer listed once the day is reviewed', async () => {
    await payroll.review({ employee_id: 'E-1', day: '2026-11-13' })
    expect(await marked(WEEK)).toEqual([])
  })

  it('is not in a closing, which pays the hours as they are', async () => {
    await paysFrom('2026-11-09')
    const { body } = await payroll.close({ before: '2026-11-16' })
    const { id, exceptions_left, period_seconds } = body.data
    expect([exceptions_left, period_seconds]).toEqual([0, 184_200])
    expect(await payroll.weeks(id)).toMatchObject([
      { total_seconds: 184_200, exceptions: [], limit_seconds: 172_800, over_seconds: 11_400 },
    ])
    const lines = await payroll.lines(id)
    expect(lines.map(({ exceptions }) => exceptions)).toEqual(lines.map(() => ''))
  })
})

describe('random weeks', () => {
  const PLACES = [
    ['Norte', 'America/Mexico_City'],
    ['Tijuana', 'America/Tijuana'],
  ] as const

  const dayAfter = (day: string, days: number) =>
    new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7) - 1, +day.slice(8) + days))
      .toISOString()
      .slice(0, 10)

  const mondayBefore = (day: string): string =>
    new Date(day).getUTCDay() === 1 ? day : mondayBefore(dayAfter(day, -1))

  const sumOf = (days: readonly OracleDay[]) =>
    days.reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)

  const toWeek = (monday: string, days: readonly OracleDay[]) => {
    const limit_seconds = (DECREE[Number(monday.slice(0, 4))] ?? 0) * HOUR_S
    const ofWeek = days.filter(({ day }) => day >= monday && day < dayAfter(monday, 7))
    const passes = (_: OracleDay, i: number) => sumOf(ofWeek.slice(0, i + 1)) > limit_seconds
    return {
      has_row: ofWeek.some(({ log_ids, notices }) => log_ids.length > 0 || notices.length > 0),
      passed_on: ofWeek.find(passes)?.day,
      judged: {
        week_seconds: sumOf(ofWeek),
        limit_seconds,
        over_seconds: Math.max(sumOf(ofWeek) - limit_seconds, 0),
        shifts_over_12h: ofWeek.filter((day) => sumOf([day]) > 12 * HOUR_S).length,
        open: ofWeek.some(
          ({ held_by, exceptions }) => held_by !== null || exceptions.includes('pendientes'),
        ),
      },
    }
  }

  /** Twenty shifts of a person, who moves to the other branch after ten of them. */
  const aPerson = async (seed: number, start: string): Promise<[string, OracleDay[]]> => {
    const { next, int, pick } = createRandom(seed)
    const places = next() < 0.5 ? PLACES : PLACES.toReversed()
    const { employee_id } = await anEmployee({ branch_office: places[0]?.[0] ?? '' })
    const logs: OracleLog[] = []
    let moment = Date.parse(start) + int(48) * 3_600_000
    for (let i = 0; i < 40; i++) {
      if (i === 20) await db.update(employees).set({ branch_office: places[1]?.[0] ?? '' })
      const time_zone = places[i < 20 ? 0 : 1]?.[1] ?? ''
      const kind = i % 2 === 0 ? ('entrada' as const) : ('salida' as const)
      const status = next() < 0.9 ? ('approved' as const) : pick(['pending', 'rejected'] as const)
      const recorded_at = new Date(moment).toISOString()
      const { id } = await aLog({ employee_id, kind, status, recorded_at })
      logs.push({ log_id: id, kind, status, recorded_at, time_zone })
      moment += (kind === 'entrada' ? 7 * 3600 + int(7 * 3600) : pick([9, 14, 17, 40]) * 3600) * 1e3
    }
    const days = daysByOracle(logs, { longest: () => 16 * HOUR_S })
    return [employee_id, days.toSorted((a, b) => (a.day < b.day ? -1 : 1))]
  }

  it.each([
    ['2026-10-19', 'clocks change'],
    ['2026-12-14', 'the year ends, and the limit is another one'],
    ['2029-12-17', 'the year ends on a Monday'],
  ])('from %s are judged as by the oracle and the decree (%s)', async (start) => {
    for (const [branch_office, time_zone] of PLACES) await aZone({ branch_office, time_zone })
    const seen = { rows: 0, over: 0, open: 0, long: 0 }
    for (let seed = 1; seed <= 6; seed++) {
      const [employee_id, days] = await aPerson(seed, start)
      const { int } = createRandom(seed + 100)
      const from = dayAfter(start, int(20))
      const to = dayAfter(from, int(15))
      const query = `employee_id=${employee_id}&from=${from}&to=${to}`
      const rows = await payroll.hours(`by=week&${query}`)
      const expected = []
      for (let monday = mondayBefore(from); monday <= to; monday = dayAfter(monday, 7)) {
        expected.push([monday, toWeek(monday, days)] as const)
      }
      const found = expected.filter(([, { has_row }]) => has_row)
      expect([...new Set(rows.map(({ week_from }) => week_from))]).toEqual(
        found.map(([monday]) => monday),
      )
      for (const [monday, { judged }] of found) {
        const ofWeek = rows.filter(({ week_from }) => week_from === monday)
        for (const row of ofWeek) expect(row, `seed ${seed}`).toMatchObject(judged)
        const atPlaces = ofWeek.reduce((sum, row) => sum + Number(row.worked_seconds), 0)
        expect(atPlaces).toBe(judged.week_seconds)
        seen.rows += ofWeek.length
        seen.over += Math.sign(judged.over_seconds)
        seen.open += Number(judged.open)
        seen.long += judged.shifts_over_12h
      }
      const passed = (await payroll.hours(query)).filter(({ exceptions }) =>
        (exceptions as string[]).includes('semana_sobre_limite'),
      )
      expect(passed.map(({ day }) => day)).toEqual(
        expected.flatMap(([, { passed_on }]) =>
          passed_on !== undefined && passed_on >= from && passed_on <= to ? passed_on : [],
        ),
      )
    }
    // Rows, weeks over the limit, open weeks and long shifts: at least three of each are compared.
    expect(
      Math.min(seen.rows, seen.over, seen.open, seen.long),
      JSON.stringify(seen),
    ).toBeGreaterThan(2)
  })
})
