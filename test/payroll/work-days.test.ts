import { describe, expect, it } from 'vitest'
import type { HoursLog } from '../../src/payroll/hours/hours-log.ts'
import { hasLogs, type WorkDay } from '../../src/payroll/hours/work-day.ts'
import { type DayOptions, toWorkDays } from '../../src/payroll/hours/work-days.ts'
import { hoursLogsOf } from '../support/time-card.ts'

/**
 * Tests the days of one employee. Punches are written as on a time card. pairing-oracle.test.ts
 * tests pairs, marks and held days with generated punches, so that few examples of them are here.
 */

interface Options {
  maxShiftHours?: number
  lastDay?: string
  now?: string
}

const options = ({ maxShiftHours = 16, lastDay, now }: Options = {}): DayOptions => ({
  maxShiftOn: () => maxShiftHours * 3600,
  hasShiftRule: () => false,
  isOffPayroll: (day) => lastDay !== undefined && day > lastDay,
  countPending: false,
  now: now === undefined ? undefined : new Date(now),
})

/** A day as `02 | 08:00–17:00 | 9:00:00 | exceptions | notices`, without empty parts at the end. */
const line = ({ day, detail, worked_seconds: seconds, exceptions, notices }: WorkDay): string => {
  const two = (n: number) => String(n).padStart(2, '0')
  const worked =
    seconds === null
      ? '—'
      : `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const marks = [exceptions.join(' ') || '·', notices.join(' ') || '·']
  return [day.slice(8), detail, worked, ...marks].join(' | ').replace(/( \| ·)+$/, '')
}

describe('a person at work', () => {
  const NIGHT = '02 E22:00'
  const REPEATED = '02 E08:00 E14:00'
  it.each([
    ['since this morning', '02 E08:00', '2026-11-02T16:20-06:00', '08:00', '02 | 08:00–? | —'],
    ['as long as the longest shift', NIGHT, '2026-11-03T14:00-06:00', '22:00', '02 | 22:00–? | —'],
    ['no longer', NIGHT, '2026-11-03T14:00:01-06:00', '', '02 | 22:00–? | — | sin_salida'],
    [
      'after a forgotten exit',
      REPEATED,
      '2026-11-02T15:00-06:00',
      '14:00',
      '02 | 08:00–? 14:00–? | — | sin_salida entrada_repetida',
    ],
    [
      'until the exit',
      '02 E08:00 S17:00',
      '2026-11-02T17:01-06:00',
      '',
      '02 | 08:00–17:00 | 9:00:00',
    ],
    ['not by an exit', '02 S08:00', '2026-11-02T08:01-06:00', '', '02 | ?–08:00 | — | sin_entrada'],
    [
      'not by a rejected entrada',
      '02 E08:00x',
      '2026-11-02T09:00-06:00',
      '',
      '02 |  | — | · | rechazada',
    ],
  ])('is no exception: %s', (_, text, now, since, expected) => {
    const [day] = toWorkDays(hoursLogsOf(text), options({ now })).filter(hasLogs)
    expect(day && line(day)).toBe(expected)
    expect(day?.working_since ?? '').toBe(since && `2026-11-02 ${since}:00`)
  })

  it('is on the newest day only', () => {
    const days = toWorkDays(
      hoursLogsOf('02 E08:00 03 E08:00'),
      options({ now: '2026-11-03T09:00-06:00' }),
    )
    expect(days.map(line)).toEqual(['02 | 08:00–? | — | sin_salida', '03 | 08:00–? | —'])
  })
})

it.each([
  ['two pairs', '02 E08:00 S13:00 E14:00 S17:00', '02 | 08:00–13:00 14:00–17:00 | 8:00:00'],
  ['seconds that are not rounded', '02 E08:00:01 S16:59:59', '02 | 08:00–16:59 | 8:59:58'],
  ['a salida only', '02 S17:00', '02 | ?–17:00 | — | sin_entrada'],
  [
    'a forgotten salida before lunch',
    '02 E08:00 E14:00 S17:00',
    '02 | 08:00–? 14:00–17:00 | 3:00:00 | sin_salida entrada_repetida',
  ],
  ['twelve hours without a mark', '02 E08:00 S20:00', '02 | 08:00–20:00 | 12:00:00'],
  [
    'a salida at exactly the longest shift',
    '02 E08:00 03 S00:00',
    '02 | 08:00–00:00+1 | 16:00:00 | jornada_larga',
  ],
  [
    'a salida after more than the longest shift',
    '02 E08:00 03 S00:00:01',
    '02 | 08:00–? | — | sin_salida',
    '03 | ?–00:00 | — | sin_entrada',
  ],
  ['a night, on the day of its entrada', '02 E22:00 03 S06:00', '02 | 22:00–06:00+1 | 8:00:00'],
  [
    'the first entrada and the last salida of repeated ones',
    '02 E08:00 E08:04 E08:08 S17:00 S17:05',
    '02 | 08:00–17:05 | 9:05:00 | · | repetida',
  ],
  [
    'the approved entrada while its repetition is pending',
    '02 E08:00? E08:02 S17:00',
    '02 | 08:02–17:00 | 8:58:00 | pendientes | repetida',
  ],
  [
    'no salida within a minute after the entrada',
    '02 E08:00 S08:00:20 S17:00',
    '02 | 08:00–17:00 | 9:00:00 | menos_de_60_s',
  ],
  [
    'punches without a kind, in turns',
    '02 C08:00 C13:00 C14:00',
    '02 | 08:00–13:00 14:00–? | 5:00:00 | sin_salida | tipo_deducido',
  ],
  [
    'no pair with a pending log',
    '02 E08:00 S13:00 E14:00 S17:00?',
    '02 | 08:00–13:00 (14:00–17:00) | 5:00:00 | pendientes',
  ],
  [
    'one pair around two rejected logs',
    '02 E08:00 S13:00x E14:00x S17:00',
    '02 | 08:00–17:00 | 9:00:00 | rechazada',
  ],
  [
    'the same pair after the rejection of a repetition',
    '02 E08:00x E08:05 S17:00',
    '02 | 08:05–17:00 | 8:55:00 | · | rechazada',
  ],
  [
    'no exception after the rejection of an entrada that was one too many',
    '02 E08:00 E08:20x S17:00',
    '02 | 08:00–17:00 | 9:00:00 | · | rechazada',
  ],
  [
    'none after that of a punch without a kind, either',
    '02 C08:00 C08:50x C17:00',
    '02 | 08:00–17:00 | 9:00:00 | · | rechazada tipo_deducido',
  ],
  [
    'none after that of a punch that repeated the end of the night before',
    '02 C22:00 03 C06:00 C06:08x C22:00 04 C06:00',
    '02 | 22:00–06:00+1 | 8:00:00 | · | tipo_deducido',
    '03 | 22:00–06:00+1 | 8:00:00 | · | rechazada tipo_deducido',
  ],
  [
    'one after the rejection of a punch that was over an hour from any other',
    '02 E08:00 S10:00x S17:00',
    '02 | 08:00–17:00 | 9:00:00 | rechazada',
  ],
  [
    'one after the rejection of both ends of a short break',
    '02 E08:00 S12:00x E12:30x S12:50 E13:30 S17:00',
    '02 | 08:00–12:50 13:30–17:00 | 8:20:00 | rechazada',
  ],
])('a day has %s', (_, text, ...expected) => {
  expect(toWorkDays(hoursLogsOf(text), options()).filter(hasLogs).map(line)).toEqual(expected)
})

describe('days whose pairs may be inverted', () => {
  const marked = (text: string, settings: Options = {}) =>
    toWorkDays(hoursLogsOf(text), options(settings))
      .filter(({ exceptions }) => exceptions.includes('posible_desfase'))
      .map(({ day, detail }) => `${day.slice(8)} ${detail}`)

  it.each([
    [
      'all days of day workers after a forgotten entrada, until a pause',
      '02 C08:00 C17:00 03 C17:05 04 C08:10 C17:00 05 C08:00 C17:00 08 C08:00 C17:00',
      ['03 17:05–08:10+1', '04 17:00–08:00+1'],
    ],
    [
      'with times at most two hours apart, to the second',
      '02 C08:00 C17:00 03 C19:00:00 04 C10:00:00 05 C08:00 C17:00',
      ['03 19:00–10:00+1'],
    ],
    [
      'not with times further apart',
      '02 C08:00 C17:00 03 C19:00:00 04 C10:00:01 C17:00 05 C08:00 C17:00',
      [],
    ],
    [
      'if only the lunch was forgotten',
      '02 C08:00 C13:00 C14:00 C17:00 03 C08:00 C13:00 C17:00 04 C08:00 C13:00 C14:00 C17:00',
      ['03 08:00–13:00 17:00–08:00+1'],
    ],
    ['nights', '02 C22:00 03 C06:00 04 C06:00 C21:30', ['04 06:00–21:30']],
    [
      'the days before a left-over punch and a right day',
      '02 C17:00 03 C08:00 C17:00 04 C08:00 C17:00 06 C08:00 C17:00',
      ['02 17:00–08:00+1', '03 17:00–08:00+1'],
    ],
    [
      'the nights before a left-over punch and a right night',
      '02 C06:00 C21:30 03 C05:30 C22:00 04 C06:00',
      ['02 06:00–21:30'],
    ],
    [
      'a run of the whole week, if the entrada of its first day is missing',
      '03 C08:00 C17:00 06 C17:00 07 C08:00 C17:00 08 C08:00 C17:00 09 C08:00 C17:00 12 C08:00 C17:00',
      ['06 17:00–08:00+1', '07 17:00–08:00+1', '08 17:00–08:00+1'],
    ],
    [
      'once, if a shift of 12 hours rotates',
      '02 C07:00 C19:00 03 C07:00 C19:00 04 C19:00 05 C07:00 C19:00 06 C07:00 C19:00 07 C07:00',
      ['04 19:00–07:00+1'],
    ],
    [
      'not shifts of eight hours that rotate',
      '02 C07:00 C15:00 03 C15:00 C23:00 04 C23:00 05 C07:00 C23:00 06 C07:00',
      [],
    ],
    ['not if a punch is left over', '02 C08:00 03 C08:00 C17:00 04 C08:00 C17:00', []],
    ['not if the clock sends the kind', '02 E08:00 S17:00 03 E17:00 04 S08:00', []],
    ['not a change from mornings to afternoons', '02 C06:00 C14:00 03 C14:00 C22:00', []],
  ])('are marked: %s', (_, text, expected) => {
    expect(marked(text)).toEqual(expected)
  })

  it('count rest only if a pair is longer than any shift of a rotation', () => {
    const rest = (text: string) =>
      toWorkDays(hoursLogsOf(text), options()).map(({ counts_rest }) => counts_rest)
    const run = '02 C08:00 C17:00 03 C17:00 04 C08:00 C17:00 05 C08:00'
    expect(rest(run)).toEqual([false, true, true])
    expect(rest('02 C07:00 C19:00 03 C19:00 04 C07:00')).toEqual([false, false])
    expect(rest('02 C07:00 C19:00 03 C19:00 04 C07:31')).toEqual([false, true])
    expect(rest('02 C07:00 C22:00')).toEqual([false])
  })

  it('do not include those of guards, whose shifts end at the hour when they began', () => {
    const text = '02 C08:00 03 C08:00 05 C08:00 06 C08:00 07 C08:00'
    expect(marked(text, { maxShiftHours: 26 })).toEqual([])
  })
})

it('marks logs that were added by hand, were asked for or arrived after the closing', () => {
  const [first, second] = hoursLogsOf('02 E08:00 S17:00')
  if (!first || !second) return expect.unreachable()
  const logs = [
    { ...first, isManual: true },
    { ...second, isLate: true, isRequest: true },
  ]
  expect(toWorkDays(logs, options())[0]?.notices).toEqual(['manual', 'solicitada', 'extemporanea'])
})

it('marks the days after the last day of work that have a log which is not rejected', () => {
  const text = '02 E08:00 S17:00 03 E22:00 04 S06:00 E23:00 05 E08:00x S17:00x'
  const noticesAfter = (lastDay?: string) =>
    toWorkDays(hoursLogsOf(text), options(lastDay === undefined ? {} : { lastDay }))
      .filter(({ notices }) => notices.includes('fuera_de_relacion'))
      .map(({ day }) => day)
  expect(noticesAfter()).toEqual([])
  expect(noticesAfter('2026-11-02')).toEqual(['2026-11-03', '2026-11-04'])
  expect(noticesAfter('2026-11-03')).toEqual(['2026-11-04'])
})

describe('a pending log', () => {
  const heldOf = (text: string) =>
    toWorkDays(hoursLogsOf(text), options()).map(({ day, hold, worked_seconds }) => [
      day.slice(8),
      hold?.log_id ?? null,
      (hold?.certain_seconds ?? worked_seconds ?? 0) / 3600,
    ])
  it.each([
    ['its own day', '02 E08:00 S12:00 E13:00 S17:00?', [['02', 4, 4]]],
    ['hours that count only if it is rejected', '02 E08:00 S12:00? S17:00', [['02', 2, 0]]],
    [
      'a later day without a pause, too',
      '02 E08:00 S22:00? 03 E08:00 S12:00',
      [
        ['02', 2, 0],
        ['03', 2, 4],
      ],
    ],
  ])('holds %s', (_, text, expected) => {
    expect(heldOf(text)).toEqual(expected)
  })

  it('holds a day up to one longest shift after its last log, to the second', () => {
    const heldBy = (exit: string) => heldOf(`02 E08:00 S12:00 E20:00 03 E04:00 S${exit}?`)[0]?.[1]
    expect([heldBy('12:00:00'), heldBy('12:00:01')]).toEqual([5, null])
  })
})

it('a day has the place of its first log', () => {
  const [early, late] = hoursLogsOf('02 E08:00 S17:00')
  if (!early || !late) return expect.unreachable()
  const logs = [
    { ...early, branch_office: 'Sur' },
    { ...late, branch_office: 'Norte' },
  ]
  expect(toWorkDays(logs, options())[0]?.branch_office).toBe('Sur')
})

it.each(['isManual', 'isRequest'])(
  'a day loses the mark of a rejection once a person adds the missing log: %s',
  (added) => {
    const logs = hoursLogsOf('02 E08:00 S13:00x S14:30')
    const corrected = logs.map((log) => ({ ...log, [added]: log.log_id === 3 }))
    const exceptions = (some: HoursLog[]) => toWorkDays(some, options())[0]?.exceptions
    expect(exceptions(logs)).toEqual(['rechazada'])
    expect(exceptions(corrected)).toEqual([])
  },
)
