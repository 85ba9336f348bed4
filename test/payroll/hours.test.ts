import { beforeEach, describe, expect, it } from 'vitest'
import { employee_sources, intake_sources } from '../../src/core/tables/intake.ts'
import { employees } from '../../src/core/tables/people.ts'
import { addDays, timeZone } from '../../src/core/values/time-zone.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { expectFailure, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aGroup, aLog, anEmployee, aUser, db, inBranches, paysFrom } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { punch } from '../support/time-card.ts'

let admin: Admin
beforeEach(async () => {
  admin = await signInAdmin()
})

const PERIOD = 'from=2026-11-01&to=2026-11-15'

const hours = async (query = '', env: Partial<Env> = {}) => {
  const res = await admin.get(`/hours?format=ndjson&${PERIOD}&${query}`, env)
  expect(res.status).toBe(200)
  return parseLines(res.text)
}

const payrollRows = async (query: string) =>
  parseLines((await admin.get(`/hours?format=ndjson&${query}`)).text)

const totals = (query = '') => hours(`by=employee&${query}`)

type End = [time: string, log_id: number | undefined]

const aSpan = (day: string, [from, from_log_id]: End, [to, to_log_id]: End) => ({
  from: `${day}T${from}:00`,
  to: `${day}T${to}:00`,
  ...{ from_log_id, to_log_id, pending: false, shift_day: null },
})

describe('GET /v2/incidents/hours', () => {
  it('has a row for each employee and day, in NDJSON with the ids of the logs', async () => {
    await anEmployee({
      employee_id: 'E-1',
      full_name: 'Sofía Castañeda',
      department: 'Ventas',
      branch_office: 'Norte',
      payroll_group: 'quincenal',
    })
    const ids = await punch('E-1', '09 E08:00 S13:00 E14:00 S17:30')
    expect(await hours()).toEqual([
      {
        employee_id: 'E-1',
        full_name: 'Sofía Castañeda',
        department: 'Ventas',
        branch_office: 'Norte',
        payroll_group: 'quincenal',
        day: '2026-11-09',
        weekday: 'lunes',
        first_in: '2026-11-09 08:00:00',
        last_out: '2026-11-09 17:30:00',
        pairs: 2,
        worked_seconds: 30_600,
        worked_hours: 8.5,
        detail: '08:00–13:00 14:00–17:30',
        exceptions: [],
        notices: [],
        paid_seconds: null,
        closing_id: null,
        reviewed: null,
        holiday: null,
        paid_hours: null,
        log_ids: ids,
        request_comments: [],
        maybe_long_shift: false,
        working_since: null,
        spans: [
          aSpan('2026-11-09', ['08:00', ids[0]], ['13:00', ids[1]]),
          aSpan('2026-11-09', ['14:00', ids[2]], ['17:30', ids[3]]),
        ],
        extra_log_ids: [],
        ...{ pending_seconds: 0, pending_hours: 0 },
      },
    ])
  })

  it('marks the days with logs that the person asked for, with the comments in NDJSON', async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const [entrada] = await punch(employee_id, '09 E08:00')
    await db.update(employees).set({ branch_office: 'Sur' })
    const { token } = await aUser({ employee_id, role: 'employee' })
    const comment = 'Olvidé checar.'
    const request = { client_id: crypto.randomUUID(), kind: 'salida', comment }
    const body = { ...request, recorded_at: '2026-11-09T17:00:00-06:00' }
    const { data } = (await post('/v2/incidents/my_requests', body, { token })).body

    const day = { notices: ['solicitada'], exceptions: ['pendientes'], detail: '(08:00–17:00)' }
    const log_ids = [entrada, data.log_id]
    expect(await hours()).toMatchObject([{ ...day, log_ids, request_comments: [comment] }])
    const csv = (await admin.get(`/hours?format=csv&${PERIOD}`)).text
    expect(csv).toContain(',solicitada,')
    expect(csv).not.toContain(comment)
    await paysFrom('2026-11-01')
    const closing = (await admin.get('/closings/preview?before=2026-11-16')).body.data
    expect(closing).toMatchObject({ exceptions_left: 1 })

    // The day belongs to Norte, where it began. The requested log belongs to Sur.
    admin = await signInAdmin({ scope_branches: inBranches('Norte') })
    expect(await hours()).toMatchObject([{ ...day, log_ids: [entrada], request_comments: [] }])
  })

  it('has Spanish headings, and ids that a spreadsheet keeps, in CSV for people', async () => {
    const ids = ['00007', '1E5', '=1+1', '3-4', '123456789012345', 'A "1"', 'E-1']
    for (const employee_id of ids) await anEmployee({ employee_id })
    await punch('00007', '09 E08:00 S17:00')
    const csv = async (query: string) =>
      (await admin.get(`/hours?format=csv&${PERIOD}&headers=es&${query}`)).text.split('\r\n')
    for (const by of ['', 'by=employee', 'by=week']) {
      const [head = ''] = await csv(by)
      expect(head).toMatch(/^Número,Nombre,Departamento,Sucursal,/)
      expect(head).not.toContain('_')
    }
    expect((await csv(''))[1]).toMatch(/^"=""00007""",/)
    const cells = (await csv('by=employee')).map((line) => line.split(',')[0])
    expect(cells.slice(1, -1).toSorted()).toEqual(
      [
        '"=""00007"""',
        '"=""1E5"""',
        '"=""=1+1"""',
        '"=""3-4"""',
        '"=""123456789012345"""',
        '"A ""1"""',
        'E-1',
      ].toSorted(),
    )
  })

  it('has plain ids beside Spanish headings, or ids that a spreadsheet keeps beside names', async () => {
    await anEmployee({ employee_id: '00007', department: '1/2', branch_office: 'Norte' })
    await punch('00007', '09 E08:00 S17:00')
    const csv = async (query: string) => {
      const { text } = await admin.get(`/hours?format=csv&${PERIOD}&${query}`)
      return text.split('\r\n').map((line) => line.split(',').filter((_, i) => i !== 1 && i < 4))
    }
    const kept = ['"=""00007"""', '"=""1/2"""', 'Norte']
    const plain = ['00007', '1/2', 'Norte']
    const [spanish, names] = [
      ['Número', 'Departamento', 'Sucursal'],
      ['employee_id', 'department', 'branch_office'],
    ]
    for (const by of ['', 'by=employee', 'by=week']) {
      expect((await csv(`headers=es&ids=plain&${by}`)).slice(0, 2)).toEqual([spanish, plain])
      expect((await csv(`headers=es&${by}`)).slice(0, 2)).toEqual([spanish, kept])
      expect((await csv(`headers=es&ids=spreadsheet&${by}`)).slice(0, 2)).toEqual([spanish, kept])
      expect((await csv(`ids=spreadsheet&${by}`)).slice(0, 2)).toEqual([names, kept])
      expect((await csv(by)).slice(0, 2)).toEqual([names, plain])
    }
  })

  it('says in words whether a week is open, in CSV for people', async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', '02 E08:00 S17:00 09 E08:00? S17:00')
    const column = async (query: string, heading: string) => {
      const { text } = await admin.get(`/hours?format=csv&by=week&${PERIOD}&${query}`)
      const [head = [], ...rows] = text.split('\r\n').map((line) => line.split(','))
      return rows.slice(0, -1).map((row) => row[head.indexOf(heading)])
    }
    expect(await column('headers=es', 'Falta decidir')).toEqual(['no', 'sí'])
    expect(await column('', 'open')).toEqual(['false', 'true'])
  })

  it('has the same columns in CSV, with blanks in lists and two decimals in hours', async () => {
    await anEmployee({ employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte' })
    await punch('E-1', '09 E08:00 S16:00 E18:00 10 S07:00')
    const res = await admin.get(`/hours?format=csv&${PERIOD}`)
    expect(res.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
    expect(res.headers.get('Content-Disposition')).toBe(
      'attachment; filename="horas_2026-11-01_2026-11-15.csv"',
    )
    expect(res.text).toBe(
      [
        'employee_id,full_name,department,branch_office,payroll_group,day,weekday,first_in,last_out,pairs,worked_seconds,worked_hours,detail,exceptions,notices,paid_seconds,closing_id,reviewed,holiday,pending_seconds,paid_hours,pending_hours',
        'E-1,Ana,Ventas,Norte,,2026-11-09,lunes,2026-11-09 08:00:00,2026-11-10 07:00:00,2,75600,21.00,08:00–16:00 18:00–07:00+1,jornada_larga,,,,,,0,,0.00',
        '',
      ].join('\r\n'),
    )
  })

  it('is empty, not zero, if no pair counts', async () => {
    await punch((await anEmployee()).employee_id, '09 E08:00')
    expect(await hours()).toMatchObject([{ worked_seconds: null, worked_hours: null }])
    const { text } = await admin.get(`/hours?format=csv&${PERIOD}`)
    expect(text).toMatch(/,0,,,08:00–\?,sin_salida,,,,,,0,,0.00\r\n/)
  })

  it('has only days that nobody has reviewed, if exceptions are requested', async () => {
    for (const employee_id of ['E-1', 'E-2']) await anEmployee({ employee_id })
    await punch('E-1', '09 E08:00 S13:00')
    await punch('E-1', '10 E08:00')
    await punch('E-2', '10 E08:00 S17:00')
    const isOpen = (row: { exceptions: string[] }) => row.exceptions
    expect((await hours('exceptions=true')).map(isOpen)).toEqual([['sin_salida']])
    expect(await totals('exceptions=true')).toMatchObject([{ employee_id: 'E-1', days: 1 }])
    const review = { employee_id: 'E-1', day: '2026-11-10' }
    const { token } = admin
    expect((await post('/v2/incidents/hours/reviews', review, { token })).status).toBe(200)
    expect(await hours('exceptions=true')).toEqual([])
    expect(await hours()).toHaveLength(3)
  })

  it('has the last 31 days unless a period is requested', async () => {
    const { employee_id } = await anEmployee()
    const today = timeZone('America/Mexico_City').localTime(new Date()).slice(0, 10)
    for (const ago of [0, 30, 31]) {
      const recorded_at = `${addDays(today, -ago)}T18:00:00.000Z`
      await aLog({ employee_id, recorded_at })
    }
    const res = await admin.get('/hours?format=ndjson')
    expect(parseLines(res.text)).toHaveLength(2)
  })
})

describe('filters', () => {
  beforeEach(async () => {
    // Sofía moves from Norte to Sur within the period. The row of a day keeps its branch.
    await anEmployee({ employee_id: 'sofia', branch_office: 'Norte', payroll_group: 'semanal' })
    await punch('sofia', '09 E08:00 S17:00 10 E08:00')
    await aGroup('quincenal')
    await db.$client.exec("UPDATE employees SET branch_office = 'Sur', payroll_group = 'quincenal'")
    await punch('sofia', '11 E08:00 S18:00')
    await anEmployee({ employee_id: 'luis', branch_office: 'Norte', department: 'Almacén' })
    await punch('luis', '09 E07:00 S15:00')
  })

  it.each([
    ['branch_office=Norte', ['luis 09', 'sofia 09', 'sofia 10']],
    ['branch_office=Sur', ['sofia 11']],
    ['department=Almac%C3%A9n', ['luis 09']],
    ['branch_office=Norte&department=Ventas', ['sofia 09', 'sofia 10']],
    ['employee_id=sofia', ['sofia 09', 'sofia 10', 'sofia 11']],
    ['employee_id=nadie', []],
    ['payroll_group=semanal', []],
    ['payroll_group=quincenal', ['sofia 09', 'sofia 10', 'sofia 11']],
    ['payroll_group=', ['luis 09']],
  ])('%s chooses rows, and never changes one', async (query, expected) => {
    const all = await hours()
    const rows = await hours(query)
    expect(rows.map(({ employee_id, day }) => `${employee_id} ${day.slice(8)}`)).toEqual(expected)
    for (const row of rows) expect(all).toContainEqual(row)
    const people = await totals()
    for (const row of await totals(query)) expect(people).toContainEqual(row)
  })

  it('of a scope always apply', async () => {
    const { token } = await signInAdmin({ scope_branches: inBranches('Sur') })
    const text = async (query: string) =>
      (await get(`/v2/incidents/hours?format=ndjson&${PERIOD}&${query}`, { token })).text
    expect(parseLines(await text('')).map(({ day }) => day)).toEqual(['2026-11-11'])
    expect(await text('branch_office=Norte')).toBe('')
    expect(await text('employee_id=luis')).toBe('')
    expect(parseLines(await text('by=employee'))).toMatchObject([{ employee_id: 'sofia', days: 1 }])
  })
})

describe('by=employee', () => {
  it('has a row for each place where somebody worked, with the sum of its days', async () => {
    await anEmployee({ employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte' })
    await punch('E-1', '09 E08:00 S13:00 E14:00 S17:00 10 E08:00 S13:20:30 11 E08:00')
    expect(await totals()).toEqual([
      {
        employee_id: 'E-1',
        full_name: 'Ana',
        department: 'Ventas',
        branch_office: 'Norte',
        payroll_group: '',
        days: 2,
        pairs: 3,
        worked_seconds: 48_030,
        worked_hours: 13.34,
        ...{ sunday_seconds: 0, sunday_hours: 0, holiday_seconds: 0, holiday_hours: 0 },
        days_with_exceptions: 1,
        exceptions: ['sin_salida'],
        notices: [],
        rfc: 'XAXX010101000',
        started_at: '2020-01-15',
        ended_at: null,
        unsynced_from: null,
        ...{ pending_seconds: 0, pending_hours: 0 },
      },
    ])
    await db.$client.exec("UPDATE employees SET branch_office = 'Sur'")
    await punch('E-1', '12 E08:00 S16:00')
    const rows = await totals()
    expect(rows.map(({ branch_office, pairs }) => [branch_office, pairs])).toEqual([
      ['Norte', 3],
      ['Sur', 1],
    ])
  })

  it('has the hours of Sundays and official rest days, by the day of the entrada', async () => {
    await anEmployee({ employee_id: 'E-1' })
    // Sunday the 15th, with a night shift that begins on it, and Monday the 16th, Revolución.
    await punch(
      'E-1',
      '14 E20:00 S22:00 15 E08:00 S12:00 E22:00 16 S02:00 E08:00 S11:00:30 17 E08:00',
    )
    const period = 'from=2026-11-14&to=2026-11-17'
    const days = await payrollRows(`${period}`)
    expect(days.map(({ day, holiday }) => [day.slice(8), holiday])).toEqual([
      ['14', null],
      ['15', null],
      ['16', 'Revolución'],
      ['17', null],
    ])
    const rest = { sunday_seconds: 28_800, sunday_hours: 8 }
    const holiday = { holiday_seconds: 10_830, holiday_hours: 3.01 }
    expect(await payrollRows(`by=employee&${period}`)).toMatchObject([{ ...rest, ...holiday }])
    expect(await payrollRows(`by=week&${period}`)).toMatchObject([
      { ...rest, holiday_seconds: 0 },
      { sunday_seconds: 0, ...holiday },
    ])
    const none = { sunday_seconds: null, sunday_hours: null, holiday_seconds: null }
    expect(await payrollRows('by=employee&from=2026-11-17&to=2026-11-17')).toMatchObject([none])
    const { text } = await admin.get(`/hours?format=csv&${period}`)
    expect(text).toMatch(/,2026-11-16,lunes,.*,Revolución,0,,0.00\r\n/)
  })

  it('has everybody who was on the payroll, even without a log', async () => {
    await anEmployee({ employee_id: 'activa' })
    await anEmployee({ employee_id: 'salió antes', ended_at: '2026-10-31' })
    await anEmployee({ employee_id: 'salió ese día', ended_at: '2026-11-01' })
    await anEmployee({ employee_id: 'entra después', started_at: '2026-11-16' })
    await anEmployee({ employee_id: 'entra ese día', started_at: '2026-11-15' })
    const rows = await totals()
    expect(rows.map(({ employee_id }) => employee_id)).toEqual([
      'activa',
      'entra ese día',
      'salió ese día',
    ])
    expect(rows[0]).toMatchObject({
      days: 0,
      pairs: 0,
      worked_seconds: null,
      worked_hours: null,
      exceptions: ['sin_checadas'],
    })
    expect(await totals('branch_office=Norte')).toEqual([])
    expect(await totals('branch_office=Centro')).toHaveLength(3)
  })
})

describe('pending_seconds: what the approval of everything pending would add', () => {
  const secondsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ worked_seconds, pending_seconds }) => [worked_seconds, pending_seconds])

  it.each([
    ['nothing is approved', '09 E08:00? S17:00?', [null, 32_400]],
    ['some of it is approved', '09 E08:00 S13:00 E14:00? S17:00?', [18_000, 10_800]],
    ['nothing is pending', '09 E08:00 S13:00 E14:00 S17:00x', [18_000, 0]],
    [
      'a pending entrada, four minutes earlier, repeats the approved one',
      '09 E08:00? E08:04 S17:00',
      [32_160, 240],
    ],
    ['the pair becomes too long', '09 E06:58? E07:02 S23:00', [57_480, -57_480]],
  ])('%s', async (_, card, expected) => {
    const { employee_id } = await anEmployee({ employee_id: 'E-1' })
    await punch(employee_id, card)
    for (const by of ['', 'by=employee', 'by=week']) {
      expect(secondsOf(await hours(by)), by).toEqual([expected])
    }
    // A preview counts everything that is pending, so that nothing is left to add.
    const preview = await hours('by=employee&preview=true')
    const [worked, pending] = expected
    const sum = (worked ?? 0) + (pending ?? 0)
    expect(secondsOf(preview)).toEqual([[sum === 0 ? null : sum, 0]])
  })

  it('is the sum of the days also if the approval moves a shift to the day before', async () => {
    const { employee_id } = await anEmployee({ employee_id: 'E-1' })
    await punch(employee_id, '08 E23:58? 09 E00:01 S08:00')
    expect(secondsOf(await hours())).toEqual([[28_740, 180]])
    expect(secondsOf(await totals())).toEqual([[28_740, 180]])
    expect(secondsOf(await totals('preview=true'))).toEqual([[28_920, 0]])
  })

  it('is of the place of each day, and stands in the files', async () => {
    await anEmployee({ employee_id: 'E-1', branch_office: 'Norte' })
    await punch('E-1', '09 E08:00? S17:00?')
    await db.update(employees).set({ branch_office: 'Sur' })
    await punch('E-1', '10 E08:00? S16:00?')
    expect(secondsOf(await totals('branch_office=Norte'))).toEqual([[null, 32_400]])
    for (const by of ['employee', 'week']) {
      const { text } = await admin.get(`/hours?format=csv&${PERIOD}&by=${by}&branch_office=Sur`)
      const [head = [], row = []] = text.split('\r\n').map((line) => line.split(','))
      const at = (column: string) => row[head.indexOf(column)]
      expect([at('pending_seconds'), at('pending_hours')]).toEqual(['28800', '8.00'])
    }
  })
})

describe('sin_sincronizar', () => {
  const source = (complete_until: string | null, row = {}) =>
    db
      .insert(intake_sources)
      .values({ source: 'reloj', last_seen_at: '2026-11-12T00:00:00.000Z', complete_until, ...row })
  const seen = (employee_id: string, last_recorded_at: string) =>
    db.insert(employee_sources).values({ employee_id, source: 'reloj', last_recorded_at })

  const exceptions = async () =>
    (await hours()).map(({ day, exceptions }) => [day.slice(8), ...exceptions])

  beforeEach(async () => {
    await anEmployee({ employee_id: 'E-1' })
    await punch('E-1', '09 E08:00 S17:00 10 E08:00 S17:00')
  })

  it('marks the days that a clock of this person has not sent completely', async () => {
    await seen('E-1', '2026-11-10T23:00:00.000Z')
    // The clock is complete until midnight of the 10th in Mexico City, so the 9th is complete.
    await source('2026-11-10T06:00:00.000Z')
    expect(await exceptions()).toEqual([['09'], ['10', 'sin_sincronizar']])
  })

  it('marks the days if the clock recorded this person 31 days before', async () => {
    await seen('E-1', '2026-10-10T06:00:00.000Z')
    await source('2026-10-11T06:00:00.000Z')
    expect(await exceptions()).toEqual([
      ['09', 'sin_sincronizar'],
      ['10', 'sin_sincronizar'],
    ])
  })

  it.each([
    ['never sends complete_until', null, {}, '2026-11-10T23:00:00.000Z'],
    [
      'is retired',
      '2026-11-01T00:00:00.000Z',
      { retired_at: '2026-11-05T00:00:00.000Z' },
      '2026-11-10T23:00:00.000Z',
    ],
    [
      'has not recorded this person for 31 days',
      '2026-10-01T00:00:00.000Z',
      {},
      '2026-10-09T05:59:59.999Z',
    ],
  ])('does not mark the days if the clock %s', async (_, until, row, last) => {
    await seen('E-1', last)
    await source(until, row)
    expect(await exceptions()).toEqual([['09'], ['10']])
  })

  it('also marks a total if days after the last log have not arrived', async () => {
    await seen('E-1', '2026-11-10T23:00:00.000Z')
    await source('2026-11-11T06:00:00.000Z')
    expect(await exceptions()).toEqual([['09'], ['10']])
    expect((await totals()).map((row) => [row.exceptions, row.unsynced_from])).toEqual([
      [['sin_sincronizar'], '2026-11-11'],
    ])
  })

  it('does not mark a total of an unfinished period if all logs until today arrived', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await seen('E-1', inDays(0))
    await source(inDays(2))
    const period = `from=${inDays(-1).slice(0, 10)}&to=${inDays(5).slice(0, 10)}`
    const res = await admin.get(`/hours?format=ndjson&by=employee&${period}`)
    expect(parseLines(res.text)[0].exceptions).not.toContain('sin_sincronizar')
  })

  it('marks a day only once it is over, as pendientes does', async () => {
    await seen('E-1', '2026-11-10T23:00:00.000Z')
    await source('2026-11-09T06:00:00.000Z')
    await punch('E-1', '12 E08:00? S17:00?')
    const marked = async (now: string) => {
      stopClock(now)
      return [(await exceptions()).at(-1), (await totals())[0].unsynced_from]
    }
    expect(await marked('2026-11-13T05:59:59.000Z')).toEqual([['12'], '2026-11-09'])
    expect(await marked('2026-11-13T06:00:00.000Z')).toEqual([
      ['12', 'pendientes', 'sin_sincronizar'],
      '2026-11-09',
    ])
  })

  it('says nothing of a shift that goes on after midnight', async () => {
    await seen('E-1', '2026-11-10T23:00:00.000Z')
    await source('2026-11-09T06:00:00.000Z')
    await punch('E-1', '12 E22:00?')
    stopClock('2026-11-13T08:00:00.000Z')
    const [day] = (await hours()).slice(-1)
    expect(day).toMatchObject({ working_since: '2026-11-12 22:00:00', exceptions: [] })
    expect((await hours('working=true')).map((row) => row.day)).toEqual(['2026-11-12'])
    await db.update(intake_sources).set({ complete_until: '2026-11-12T06:00:00.000Z' })
    expect((await totals())[0]).toMatchObject({ exceptions: [], unsynced_from: null })
    await db.update(intake_sources).set({ complete_until: '2026-11-09T06:00:00.000Z' })
    expect((await hours('exceptions=true')).map(({ day }) => day)).not.toContain('2026-11-12')
    stopClock('2026-11-13T20:00:01.000Z')
    const [later] = (await hours()).slice(-1)
    expect(later).toMatchObject({
      working_since: null,
      exceptions: ['sin_salida', 'pendientes', 'sin_sincronizar'],
    })
    expect(await hours('working=true')).toEqual([])
    const res = await admin.get('/hours?format=ndjson&by=employee&working=true')
    expect(res.body.errors).toEqual({ working: ['working no se combina con by.'] })
  })

  it('names the first missing day of the period, at each place of a person', async () => {
    await seen('E-1', '2026-11-10T23:00:00.000Z')
    await source('2026-11-10T05:59:59.999Z')
    await db.update(employees).set({ branch_office: 'Sur' })
    await punch('E-1', '12 E08:00 S17:00')
    expect((await totals()).map((row) => row.unsynced_from)).toEqual(['2026-11-09', '2026-11-09'])
    await db.update(intake_sources).set({ complete_until: '2026-10-20T00:00:00.000Z' })
    expect((await totals())[0].unsynced_from).toBe('2026-11-01')
    await db.update(intake_sources).set({ complete_until: '2026-11-16T06:00:00.000Z' })
    expect((await totals())[0].unsynced_from).toBeNull()
    // The clock is complete except for the last millisecond of the period.
    await db.update(intake_sources).set({ complete_until: '2026-11-16T05:59:59.999Z' })
    expect((await totals())[0].unsynced_from).toBe('2026-11-15')
  })

  it('distinguishes a person without logs from one with logs that have not arrived', async () => {
    await anEmployee({ employee_id: 'E-2' })
    await seen('E-2', '2026-10-30T23:00:00.000Z')
    await source('2026-11-05T06:00:00.000Z')
    const [, second] = await totals()
    expect(second).toMatchObject({ exceptions: ['sin_checadas', 'sin_sincronizar'] })
  })
})

describe('a query that is not valid', () => {
  it.each([
    ['', { format: ['El formato debe ser csv o ndjson.'] }],
    ['format=ndjson&headers=es', { headers: ['headers solo se combina con csv.'] }],
    ['format=ndjson&ids=plain', { ids: ['ids solo se combina con csv.'] }],
    ['format=csv&ids=raw', { ids: ['ids debe ser plain o spreadsheet.'] }],
    ['format=csv&headers=en', { headers: ['Los encabezados deben ser es.'] }],
    [
      'format=csv&from=2026-11-02T00:00:00Z',
      { from: ['La fecha inicial debe ser una fecha (AAAA-MM-DD).'] },
    ],
    [
      'format=csv&from=2026-11-10&to=2026-11-09',
      { to: ['La fecha final no puede ser anterior a la inicial.'] },
    ],
    [
      'format=csv&from=2025-01-01&to=2026-01-02',
      { to: ['El periodo puede tener 366 días como máximo.'] },
    ],
    ['format=csv&by=branch', { by: ['El agrupamiento debe ser employee o week.'] }],
    ['format=csv&preview=sí', { preview: ['La vista previa debe ser true o false.'] }],
  ])('%s is a 422', async (query, errors) => {
    const res = await admin.get(`/hours?${query}`)
    expectFailure(res, 422, Object.values(errors)[0]?.[0] ?? '', errors)
  })

  it('may span a leap year', async () => {
    const res = await admin.get('/hours?format=csv&from=2028-01-01&to=2028-12-31')
    expect(res.status).toBe(200)
  })
})

it('pages through more employees than one query takes', async () => {
  const ids = Array.from({ length: 90 }, (_, i) => `E-${String(i).padStart(3, '0')}`)
  for (const employee_id of ids) {
    await anEmployee({ employee_id })
    await punch(employee_id, '09 E08:00 S17:00')
  }
  const rows = await hours()
  expect(rows.map(({ employee_id }) => employee_id)).toEqual(ids)
  expect(new Set(rows.map(({ worked_seconds }) => worked_seconds))).toEqual(new Set([32_400]))
})
