import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { toWorkDays } from '../../src/payroll/hours/work-days.ts'
import { aClosing, anAdmin, anEmployee, aUser, inBranches, paysFrom } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { payrollOf } from '../support/payroll.ts'
import { hoursLogsOf, punch } from '../support/time-card.ts'

/** Facts of a day for programs: its spans, and the punches that are one too many. */

const daysOf = (text: string, { countPending = false, now = '', maxShiftHours = 16 } = {}) =>
  toWorkDays(hoursLogsOf(text), {
    maxShiftOn: () => maxShiftHours * 3600,
    hasShiftRule: () => false,
    isOffPayroll: () => false,
    countPending,
    now: now ? new Date(now) : undefined,
  })

/** The extra logs of each day that has some, as the times of a card: `{ '02': ['08:00', '08:07'] }`. */
const extraOf = (text: string, options = {}) => {
  const logs = new Map(hoursLogsOf(text).map((log) => [log.log_id, log]))
  const timesOf = (ids: number[]) => ids.map((id) => logs.get(id)?.local.slice(8, 16))
  return Object.fromEntries(
    daysOf(text, options)
      .filter(({ extra_log_ids }) => extra_log_ids.length > 0)
      .map(({ day, extra_log_ids }) => [day.slice(8), timesOf(extra_log_ids)]),
  )
}

describe('spans', () => {
  it('have local times with seconds, and the logs of both ends', () => {
    const [day] = daysOf('02 E08:58:12 S17:03')
    expect(day?.spans).toEqual([
      {
        from: '2026-11-02T08:58:12',
        to: '2026-11-02T17:03:00',
        from_log_id: 1,
        to_log_id: 2,
        pending: false,
        shift_day: null,
      },
    ])
  })

  it.each([
    // [punches, the day of the missing end]
    ['02 E08:00', '2026-11-02'],
    ['02 E17:30', '2026-11-02'],
    ['02 E22:00', '2026-11-03'],
    ['02 S17:00', '2026-11-02'],
    ['02 S14:00', '2026-11-02'],
    ['02 S06:10', '2026-11-01'],
    ['02 S08:00', '2026-11-01'],
  ])('say on which day the missing end of %s is', (text, shift_day) => {
    const spans = daysOf(text).flatMap((day) => day.spans)
    expect(spans.map((span) => span.shift_day)).toEqual([shift_day])
  })

  it('keep apart the two ends that are missing on one day', () => {
    const day = daysOf('02 S06:10 E22:00').at(-1)
    expect(day?.spans).toMatchObject([
      { from: null, to: '2026-11-02T06:10:00', shift_day: '2026-11-01' },
      { from: '2026-11-02T22:00:00', to: null, shift_day: '2026-11-03' },
    ])
  })

  it('are the same whether pending logs count or not, without rejected ones', () => {
    const text = '02 E08:00? E08:03 S12:00x S17:00? 03 E08:00'
    const spansOf = (countPending: boolean) => daysOf(text, { countPending }).map((d) => d.spans)
    expect(spansOf(false)).toEqual(spansOf(true))
    expect(spansOf(false)[0]).toMatchObject([
      { from: '2026-11-02T08:00:00', to: '2026-11-02T17:00:00', pending: true },
    ])
  })
})

describe('extra logs', () => {
  it.each([
    ['a double tap of 7 minutes', '02 C08:00 C08:07 C17:00', { '02': ['02 08:00', '02 08:07'] }],
    ['one 50 minutes later', '02 C08:00 C08:50 C17:00', { '02': ['02 08:00', '02 08:50'] }],
    ['a second exit', '02 C08:00 C17:00 C17:20', { '02': ['02 17:00', '02 17:20'] }],
    ['a repeated entrada', '02 E08:00 E08:20 S17:00', { '02': ['02 08:00', '02 08:20'] }],
    ['a repeated salida', '02 E08:00 S17:00 S17:20', { '02': ['02 17:00', '02 17:20'] }],
    ['an exit of a night', '02 E22:00 03 S06:00 S06:20', { '03': ['03 06:00', '03 06:20'] }],
    [
      'one that spoils the next days, too',
      '02 C08:00 C17:00 03 C08:00 C08:08 C17:00 04 C08:00 C17:00 05 C08:00 C17:00',
      {
        '03': ['03 08:00', '03 08:08'],
        '04': ['03 08:00', '03 08:08'],
        '05': ['03 08:00', '03 08:08'],
      },
    ],
    [
      'a third tap after two in five minutes',
      '02 C08:00 C08:02 C08:09 C17:00',
      { '02': ['02 08:09'] },
    ],
  ])('are found: %s', (_, text, expected) => {
    expect(extraOf(text)).toEqual(expected)
  })

  it.each([
    ['a whole day', '02 E08:00 S17:00'],
    ['a tap again within five minutes', '02 C08:00 C08:03 C17:00'],
    ['a short lunch', '02 C08:00 C12:00 C12:30 C17:00'],
    ['a forgotten exit', '02 E08:00 03 E08:00 S17:00'],
    ['two that are too many', '02 E08:00 E08:10 E08:20 S17:00'],
    ['two hours apart', '02 C08:00 C10:00 C17:00'],
    ['rejected already', '02 C08:00 C08:07x C17:00'],
    ['a wrong key', '02 E08:00 E17:00'],
  ])('are not found: %s', (_, text) => {
    expect(extraOf(text)).toEqual({})
  })

  it('do not make a person who is at work look for a salida', () => {
    const now = '2026-11-02T15:00:00-06:00'
    expect(extraOf('02 E08:00', { now })).toEqual({})
    expect(extraOf('02 E08:00 E08:20', { now })).toEqual({ '02': ['02 08:00', '02 08:20'] })
  })

  it('do not depend on which logs are pending', () => {
    const text = '02 C08:00? C08:07 C17:00?'
    expect(extraOf(text)).toEqual(extraOf(text, { countPending: true }))
    expect(extraOf(text)).not.toEqual({})
  })

  it('are looked for in bounded time, however many punches there are', () => {
    const punches = Array.from({ length: 12 }, (_, hour) =>
      Array.from({ length: 9 }, (_, i) =>
        `C${String(hour + 8).padStart(2, '0')}:${i + 1}0`.replace(/:(\d)0/, ':0$1'),
      ),
    )
    const days = Array.from(
      { length: 28 },
      (_, i) => `${String(i + 1).padStart(2, '0')} ${punches.flat().join(' ')}`,
    )
    expect(extraOf(days.join(' '))).toEqual({})
  })
})

describe('a day of two punches made twice on a clock without kinds', () => {
  const marksOf = (text: string) =>
    daysOf(text).flatMap(({ exceptions }) =>
      exceptions.filter((name) => name === 'posible_desfase'),
    )

  it('is no day of 16 minutes without a word', () => {
    expect(marksOf('02 C08:00 C08:08 C17:00 C17:08')).toEqual(['posible_desfase'])
  })

  it.each([
    '02 C08:00 C13:00 C14:00 C17:00',
    '02 C08:00 C08:50 C17:00 C21:00',
    '02 E08:00 S08:08 E17:00 S17:08',
    '02 C08:00 C08:40',
    '02 C08:00 C08:40 C08:50 C09:30',
  ])('is not %s', (text) => {
    expect(marksOf(text)).toEqual([])
  })
})

it('are in hours, own days and lines of closings', async () => {
  await paysFrom('2026-11-01')
  const { employee_id } = await anEmployee({ branch_office: 'Norte' })
  const { token } = await aUser({ employee_id })
  const ids = await punch(employee_id, '02 E08:00 E08:20 S17:00')
  const payroll = payrollOf((await anAdmin()).token)
  const facts = {
    spans: [
      {
        from: '2026-11-02T08:00:00',
        to: null,
        from_log_id: ids[0],
        to_log_id: null,
        pending: false,
        shift_day: '2026-11-02',
      },
      {
        from: '2026-11-02T08:20:00',
        to: '2026-11-02T17:00:00',
        from_log_id: ids[1],
        to_log_id: ids[2],
        pending: false,
        shift_day: null,
      },
    ],
    extra_log_ids: [ids[0], ids[1]],
  }
  const period = 'from=2026-11-02&to=2026-11-02'

  expect(await payroll.hours(period)).toMatchObject([facts])
  const own = await payrollOf(token).send('GET', `/my_days?${period}`)
  expect(own.body.data.days).toMatchObject([facts])
  const preview = await payroll.send(
    'GET',
    '/closings/preview/lines?before=2026-11-03&format=ndjson',
  )
  expect(parseLines(preview.text)).toMatchObject([facts])
  const { id } = await payroll.closed({ before: '2026-11-03' })
  expect(await payroll.lines(id)).toMatchObject([facts])
})

it('are null in a closing that version 2.0.0 made: unknown is not none', async () => {
  const { employee_id } = await anEmployee()
  const admin = await anAdmin()
  const { id } = await aClosing({ user_id: admin.id, taken: [employee_id], hasLines: true })
  const lines = await payrollOf(admin.token).lines(id)
  expect(lines).toMatchObject([{ detail: '08:00–16:00', spans: null, extra_log_ids: null }])
})

it('do not name the logs of other branches', async () => {
  const { employee_id } = await anEmployee({ branch_office: 'Norte' })
  const [entrada] = await punch(employee_id, '02 E08:00')
  await env.DB.prepare("UPDATE employees SET branch_office = 'Sur'").run()
  await punch(employee_id, '02 E08:20 S17:00')
  const north = payrollOf((await anAdmin({ scope_branches: inBranches('Norte') })).token)

  const [row] = await north.hours('from=2026-11-02&to=2026-11-02')
  expect(row).toMatchObject({
    spans: [
      { from_log_id: entrada, to: null },
      { from: '2026-11-02T08:20:00', from_log_id: null, to_log_id: null },
    ],
    extra_log_ids: [entrada],
  })
})
