import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOG_KINDS, LOG_STATUSES } from '../../src/core/log-values.ts'
import { timeZone } from '../../src/core/time-zone.ts'
import { inPairingOrder } from '../../src/payroll/pairing.ts'
import {
  type DayOptions,
  type HoursLog,
  hasLogs,
  toWorkDays,
  type WorkDay,
} from '../../src/payroll/work-days.ts'
import { readCard } from '../support/time-card.ts'

/** Tests the days of one employee. Punches are written as on a time card. */

const MEXICO = 'America/Mexico_City'

interface Options {
  maxShiftHours?: number
  hasShiftRule?: boolean
  lastDay?: string
  preview?: boolean
  zone?: string
  now?: string
}

const options = ({
  maxShiftHours = 16,
  hasShiftRule = false,
  lastDay,
  preview = false,
  now,
}: Options): DayOptions => ({
  maxShiftOn: () => maxShiftHours * 3600,
  hasShiftRule: () => hasShiftRule,
  isOffPayroll: (day) => lastDay !== undefined && day > lastDay,
  countPending: preview,
  now: now === undefined ? undefined : new Date(now),
})

/** The logs of a card, approved unless marked. Their ids count from 1. */
const card = (
  text: string,
  { zone = MEXICO, ...settings }: Parameters<typeof readCard>[1] & { zone?: string } = {},
): HoursLog[] =>
  readCard(text, settings).map(({ kind, status, recorded_at }, index) => ({
    log_id: index + 1,
    kind,
    status,
    second: Date.parse(recorded_at) / 1000,
    department: 'Ventas',
    branch_office: 'Norte',
    recorded_at,
    local: timeZone(zone).localTime(new Date(recorded_at)),
    isManual: false,
    isRequest: false,
    isOtherNetwork: false,
    request_comment: null,
    isLate: false,
  }))

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

const daysOf = (text: string, settings: Options & { offset?: string; month?: string } = {}) =>
  toWorkDays(card(text, settings), options(settings)).filter(hasLogs).map(line)

describe('a person at work', () => {
  const NIGHT = '02 E22:00'
  const REPEATED = '02 E08:00 E14:00'
  it.each([
    ['since this morning', '02 E08:00', '2026-11-02T16:20-06:00', '08:00', '02 | 08:00–? | —'],
    ['after midnight', NIGHT, '2026-11-03T02:00-06:00', '22:00', '02 | 22:00–? | —'],
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
    const [day] = toWorkDays(card(text), options({ now })).filter(hasLogs)
    expect(day && line(day)).toBe(expected)
    expect(day?.working_since ?? '').toBe(since && `2026-11-02 ${since}:00`)
  })

  it('is on the newest day only', () => {
    const days = toWorkDays(card('02 E08:00 03 E08:00'), options({ now: '2026-11-03T09:00-06:00' }))
    expect(days.map(line)).toEqual(['02 | 08:00–? | — | sin_salida', '03 | 08:00–? | —'])
  })
})

describe('a day', () => {
  it.each([
    ['entrada and salida', '02 E08:00 S17:00', ['02 | 08:00–17:00 | 9:00:00']],
    [
      'two pairs with lunch between them',
      '02 E08:00 S13:00 E14:00 S17:00',
      ['02 | 08:00–13:00 14:00–17:00 | 8:00:00'],
    ],
    ['seconds that are not rounded', '02 E08:00:01 S16:59:59', ['02 | 08:00–16:59 | 8:59:58']],
    ['one entrada only', '02 E08:00', ['02 | 08:00–? | — | sin_salida']],
    ['one salida only', '02 S17:00', ['02 | ?–17:00 | — | sin_entrada']],
    [
      'a forgotten exit, and the next day',
      '02 E08:00 03 E08:00 S17:00',
      ['02 | 08:00–? | — | sin_salida', '03 | 08:00–17:00 | 9:00:00'],
    ],
    [
      'a forgotten exit before lunch',
      '02 E08:00 E14:00 S17:00',
      ['02 | 08:00–? 14:00–17:00 | 3:00:00 | sin_salida entrada_repetida'],
    ],
    [
      'an exit after more than the longest shift',
      '02 E08:00 03 S00:00:01',
      ['02 | 08:00–? | — | sin_salida', '03 | ?–00:00 | — | sin_entrada'],
    ],
    [
      'an exit at exactly the longest shift',
      '02 E08:00 03 S00:00',
      ['02 | 08:00–00:00+1 | 16:00:00 | jornada_larga'],
    ],
    [
      'a repeated exit at exactly the longest shift',
      '02 E08:00 S23:56 03 S00:00',
      ['02 | 08:00–00:00+1 | 16:00:00 | jornada_larga | repetida'],
    ],
    ['twelve hours', '02 E08:00 S20:00', ['02 | 08:00–20:00 | 12:00:00']],
    [
      'more than twelve hours',
      '02 E08:00 S20:00:01',
      ['02 | 08:00–20:00 | 12:00:01 | jornada_larga'],
    ],
    [
      'one shift that ends as the next begins',
      '02 E08:00 S13:00 E13:00 S17:00',
      ['02 | 08:00–13:00 13:00–17:00 | 9:00:00'],
    ],
  ])('with %s', (_, text, expected) => {
    expect(daysOf(text)).toEqual(expected)
  })
})

describe('the same punch twice', () => {
  it.each([
    ['the first entrada', '02 E08:00 E08:05 S17:00', '08:00–17:00 | 9:00:00 | · | repetida'],
    ['the last salida', '02 E08:00 S17:00 S17:05', '08:00–17:05 | 9:05:00 | · | repetida'],
    [
      'the first entrada of a chain',
      '02 E08:00 E08:04 E08:08 S17:00',
      '08:00–17:00 | 9:00:00 | · | repetida',
    ],
    [
      'an entrada an hour later is a different punch',
      '02 E08:00 E09:00 S17:00',
      '08:00–? 09:00–17:00 | 8:00:00 | sin_salida entrada_repetida',
    ],
    [
      'a salida more than five minutes later is a different punch',
      '02 E08:00 S17:00 S17:05:01',
      '08:00–17:00 ?–17:05 | 9:00:00 | sin_entrada',
    ],
    ['without its entrada', '02 S17:00 S17:03', '?–17:03 | — | sin_entrada | repetida'],
  ])('%s', (_, text, expected) => {
    expect(daysOf(text)).toEqual([`02 | ${expected}`])
  })

  it.each([
    ['entrada', '02 E08:00? E08:02 S17:00', '08:02–17:00 | 8:58:00 | pendientes | repetida'],
    ['salida', '02 E08:00 S17:00 S17:03?', '08:00–17:00 | 9:00:00 | pendientes | repetida'],
  ])('uses the approved %s while the other one is pending', (_, text, expected) => {
    expect(daysOf(text)).toEqual([`02 | ${expected}`])
  })

  it('is chosen before the longest shift is checked', () => {
    expect(daysOf('02 E08:00 S23:58 03 S00:02')).toEqual([
      '02 | 08:00–? | — | sin_salida',
      '03 | ?–00:02 | — | sin_entrada | repetida',
    ])
    // Only the first of the two exits counts.
    expect(daysOf('02 E08:00 S23:58 03 S00:02?')).toEqual([
      '02 | 08:00–23:58 | 15:58:00 | jornada_larga pendientes | repetida',
    ])
  })

  it('may be a checada and another kind in any order, and takes the other kind', () => {
    expect(daysOf('02 E08:00 C08:04 S17:00')).toEqual([
      '02 | 08:00–17:00 | 9:00:00 | · | tipo_deducido repetida',
    ])
    expect(daysOf('02 C08:00 E08:04 C16:58 S17:00')).toEqual([
      '02 | 08:00–17:00 | 9:00:00 | · | tipo_deducido repetida',
    ])
  })
})

describe('an exit too soon', () => {
  it.each([
    [
      'is ignored, and the next one ends the pair',
      '02 E08:00 S08:00:20 S17:00',
      '08:00–17:00 | 9:00:00',
    ],
    [
      'leaves the entrada without an exit if there is no other',
      '02 E08:00 S08:00:20',
      '08:00–? | —',
    ],
  ])('%s', (_, text, expected) => {
    const open = expected.includes('?') ? 'sin_salida ' : ''
    expect(daysOf(text)).toEqual([`02 | ${expected} | ${open}menos_de_60_s`])
  })

  it('may come twice', () => {
    expect(daysOf('02 E08:00 S08:00:20 S08:00:40 S17:00')).toEqual([
      '02 | 08:00–17:00 | 9:00:00 | menos_de_60_s | repetida',
    ])
  })

  it('is one exit together with its repetition, and the repetition may end the pair', () => {
    expect(daysOf('02 E08:00 S08:00:20 S08:01')).toEqual([
      '02 | 08:00–08:01 | 0:01:00 | · | repetida',
    ])
  })

  it('is a normal exit after a full minute', () => {
    expect(daysOf('02 E08:00 S08:01')).toEqual(['02 | 08:00–08:01 | 0:01:00'])
  })
})

describe('a night', () => {
  it.each([
    [
      'belongs to the day of its entrada',
      '02 E22:00 03 S06:00',
      {},
      ['02 | 22:00–06:00+1 | 8:00:00'],
    ],
    ['ends at midnight sharp', '02 E16:00 03 S00:00', {}, ['02 | 16:00–00:00+1 | 8:00:00']],
    ['begins at midnight sharp', '02 E00:00 S08:00', {}, ['02 | 00:00–08:00 | 8:00:00']],
  ])('%s', (_, text, settings, expected) => {
    expect(daysOf(text, settings)).toEqual(expected)
  })

  it('at the end of a year belongs to the day of the old year', () => {
    const night = [
      ...card('31 E22:00', { month: '2026-12' }),
      ...card('01 S06:00', { month: '2027-01' }),
    ]
    const [day] = toWorkDays(night, options({}))
    expect(day).toMatchObject({
      day: '2026-12-31',
      detail: '22:00–06:00+1',
      worked_seconds: 28_800,
    })
  })

  it('of a guard may last a day if the longest shift allows it', () => {
    const text = '02 E08:00 03 S08:00 S08:01 04 E08:00 05 S08:00'
    expect(daysOf(text, { maxShiftHours: 26 })).toEqual([
      '02 | 08:00–08:01+1 | 24:01:00 | jornada_larga | repetida',
      '04 | 08:00–08:00+1 | 24:00:00 | jornada_larga',
    ])
  })
})

describe('a clock that does not send the kind', () => {
  it.each([
    [
      'for a whole day',
      '02 C08:00 C13:00 C14:00 C17:00',
      '08:00–13:00 14:00–17:00 | 8:00:00 | · | tipo_deducido',
    ],
    ['once', '02 C08:00', '08:00–? | — | sin_salida | tipo_deducido'],
    [
      'for an odd number of punches',
      '02 C08:00 C13:00 C14:00',
      '08:00–13:00 14:00–? | 5:00:00 | sin_salida | tipo_deducido',
    ],
    [
      'for the same punch twice',
      '02 C08:00 C08:03 C17:00',
      '08:00–17:00 | 9:00:00 | · | tipo_deducido repetida',
    ],
    [
      'together with a clock that does',
      '02 E08:00 C13:00 C14:00 S17:00',
      '08:00–13:00 14:00–17:00 | 8:00:00 | · | tipo_deducido',
    ],
  ])('%s', (_, text, expected) => {
    expect(daysOf(text)).toEqual([`02 | ${expected}`])
  })
})

describe('days whose pairs may be inverted', () => {
  const marked = (text: string, settings: Options = {}) =>
    toWorkDays(card(text, settings), options(settings))
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
      toWorkDays(card(text), options({})).map(({ counts_rest }) => counts_rest)
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

describe('a log that is not approved', () => {
  it.each([
    ['a pending exit is not a missing one', '02 E08:00 S17:00?', '(08:00–17:00) | — | pendientes'],
    [
      'a pending lunch is not paid, and its two sides are not joined',
      '02 E08:00 S13:00? E14:00? S17:00',
      '(08:00–13:00) (14:00–17:00) | — | pendientes',
    ],
    [
      'a pair next to a pending log counts',
      '02 E08:00 S13:00 E14:00 S17:00?',
      '08:00–13:00 (14:00–17:00) | 5:00:00 | pendientes',
    ],
    ['a rejected exit is missing', '02 E08:00 S17:00x', '08:00–? | — | sin_salida rechazada'],
    [
      'a rejected middle punch joins two pairs',
      '02 E08:00 S13:00x E14:00x S17:00',
      '08:00–17:00 | 9:00:00 | rechazada',
    ],
    [
      'a rejected entrada in between leaves one pair',
      '02 E08:00 E13:00x S17:00',
      '08:00–17:00 | 9:00:00 | rechazada',
    ],
    [
      'a rejected repetition leaves the pair whole',
      '02 E08:00 E08:02x S17:00',
      '08:00–17:00 | 9:00:00 | · | rechazada',
    ],
    [
      'a rejected last repetition leaves the pair whole',
      '02 E08:00 S17:00 S17:03x',
      '08:00–17:00 | 9:00:00 | · | rechazada',
    ],
    [
      'a rejected extra punch leaves the pair whole',
      '02 E08:00 S17:00 E18:00x',
      '08:00–17:00 | 9:00:00 | · | rechazada',
    ],
    [
      'a rejected first punch within five minutes leaves the pair whole',
      '02 E08:00x E08:05 S17:00',
      '08:05–17:00 | 8:55:00 | · | rechazada',
    ],
    [
      'a rejected punch over five minutes earlier takes time from the pair',
      '02 E08:00x E08:05x E08:05:01 S17:00',
      '08:05–17:00 | 8:54:59 | rechazada',
    ],
    ['only a rejected punch', '02 E08:00x', ' | — | · | rechazada'],
    ['a rejected pair', '02 E08:00x S17:00x', ' | — | rechazada'],
  ])('%s', (_, text, expected) => {
    expect(daysOf(text)).toEqual([`02 | ${expected}`])
  })

  it('counts as approved in a preview, and stays marked', () => {
    expect(daysOf('02 E08:00? S13:00 E14:00 S17:00?', { preview: true })).toEqual([
      '02 | 08:00–13:00 14:00–17:00 | 8:00:00 | pendientes',
    ])
  })

  it('marks the day of the night shift whose exit was rejected', () => {
    expect(daysOf('02 E22:00 03 S06:00x E22:00 04 S06:00')).toEqual([
      '02 | 22:00–? | — | sin_salida rechazada',
      '03 | 22:00–06:00+1 | 8:00:00',
    ])
  })
})

describe('a change of clocks', () => {
  it('counts the hours that passed: Tijuana’s night of 1 November 2026 has an hour more', () => {
    const night = [
      ...card('31 E22:00', { month: '2026-10', offset: '-07:00' }),
      ...card('01 S06:00', { offset: '-08:00' }),
    ]
    const [day] = toWorkDays(inZone(night, { zone: 'America/Tijuana' }), options({}))
    expect(day).toMatchObject({ detail: '22:00–06:00+1', worked_seconds: 9 * 3600 })
  })

  it('does not happen in Mexico City', () => {
    const night = [...card('31 E22:00', { month: '2026-10' }), ...card('01 S06:00')]
    expect(toWorkDays(night, options({}))[0]?.worked_seconds).toBe(8 * 3600)
  })
})

it('marks logs that were added by hand, were asked for or arrived after the closing', () => {
  const [first, second] = card('02 E08:00 S17:00')
  if (!first || !second) return expect.unreachable()
  const logs = [
    { ...first, isManual: true },
    { ...second, isLate: true, isRequest: true },
  ]
  expect(toWorkDays(logs, options({}))[0]?.notices).toEqual([
    'manual',
    'solicitada',
    'extemporanea',
  ])
})

it('marks the days after the last day of work that have a log which is not rejected', () => {
  const text = '02 E08:00 S17:00 03 E22:00 04 S06:00 E23:00 05 E08:00x S17:00x'
  const noticesAfter = (lastDay?: string) =>
    toWorkDays(card(text), options(lastDay === undefined ? {} : { lastDay }))
      .filter(({ notices }) => notices.includes('fuera_de_relacion'))
      .map(({ day }) => day)
  expect(noticesAfter()).toEqual([])
  expect(noticesAfter('2026-11-02')).toEqual(['2026-11-03', '2026-11-04'])
  expect(noticesAfter('2026-11-03')).toEqual(['2026-11-04'])
})

describe('a pending log', () => {
  const heldOf = (text: string, settings: Options = {}) =>
    toWorkDays(card(text, settings), options(settings)).map(({ day, hold, worked_seconds }) => [
      day.slice(8),
      hold?.log_id ?? null,
      (hold?.certain_seconds ?? worked_seconds ?? 0) / 3600,
    ])

  it.each([
    ['its own day', '02 E08:00 S12:00 E13:00 S17:00?', [['02', 4, 4]]],
    ['hours that count only if it is rejected', '02 E08:00 S12:00? S17:00', [['02', 2, 0]]],
    ['no hours that it cannot change', '02 E08:00 S12:00 E13:00 S15:00? S17:00', [['02', 4, 4]]],
    [
      'no day beyond a pause',
      '02 E08:00 S12:00? 03 E08:00 S12:00',
      [
        ['02', 2, 0],
        ['03', null, 4],
      ],
    ],
    [
      'a later day without a pause, too',
      '02 E08:00 S22:00? 03 E08:00 S12:00',
      [
        ['02', 2, 0],
        ['03', 2, 4],
      ],
    ],
    [
      'no day whose last log is more than a shift before it',
      '02 E08:00 S12:00 E23:00 03 S07:00 E15:00 S22:00 E23:30?',
      [
        ['02', null, 12],
        ['03', 7, 7],
      ],
    ],
  ])('holds %s', (_, text, expected) => {
    expect(heldOf(text)).toEqual(expected)
  })

  it('holds a day up to one longest shift after its last log, to the second', () => {
    const heldBy = (exit: string) => heldOf(`02 E08:00 S12:00 E20:00 03 E04:00 S${exit}?`)[0]?.[1]
    expect([heldBy('12:00:00'), heldBy('12:00:01')]).toEqual([5, null])
  })

  it('holds a day on which no shift begins because of it', () => {
    expect(heldOf('02 C07:00? C08:00 03 C08:00 04 C08:00', { maxShiftHours: 26 })).toEqual([
      ['02', 1, 0],
      ['03', 1, 0],
      ['04', 1, 0],
    ])
  })
})

it('a day has first_in, last_out, the ids of its logs and a place', () => {
  const logs = card('02 E08:00 S13:00 E14:00? S17:00x')
  const [day] = toWorkDays(logs, options({}))
  expect(day).toMatchObject({
    first_in: '2026-11-02 08:00:00',
    last_out: '2026-11-02 13:00:00',
    pairs: 1,
    log_ids: [1, 2, 3],
    branch_office: 'Norte',
  })
})

it('a day has the place of its first log', () => {
  const [early, late] = card('02 E08:00 S17:00')
  if (!early || !late) return expect.unreachable()
  const logs = [
    { ...early, branch_office: 'Sur' },
    { ...late, branch_office: 'Norte' },
  ]
  expect(toWorkDays(logs, options({}))[0]?.branch_office).toBe('Sur')
})

it.each(['isManual', 'isRequest'])(
  'a day loses the mark of a rejection once a person adds the missing log: %s',
  (added) => {
    const logs = card('02 E08:00 S13:00x S14:30')
    const corrected = logs.map((log) => ({ ...log, [added]: log.log_id === 3 }))
    const exceptions = (some: HoursLog[]) => toWorkDays(some, options({}))[0]?.exceptions
    expect(exceptions(logs)).toEqual(['rechazada'])
    expect(exceptions(corrected)).toEqual([])
  },
)

const anyLog = fc.record({
  gap: fc.oneof(
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: 0, max: 10 * 3600 }),
    fc.integer({ min: 0, max: 40 * 3600 }),
  ),
  kind: fc.constantFrom(...LOG_KINDS),
  status: fc.constantFrom(...LOG_STATUSES, 'approved', 'approved'),
  isLate: fc.boolean(),
})

const anyCard = fc.array(anyLog, { maxLength: 40 }).map((steps): HoursLog[] => {
  let second = Date.parse('2026-11-01T12:00:00Z') / 1000
  return steps.map(({ gap, ...step }, index) => {
    second += gap
    return { ...(card('02 E08:00')[0] as HoursLog), ...step, log_id: index + 1, second }
  })
})

const inZone = (logs: readonly HoursLog[], { zone = MEXICO }: Options): HoursLog[] =>
  logs
    .map((log) => ({ ...log, local: timeZone(zone).localTime(new Date(log.second * 1000)) }))
    .sort(inPairingOrder)

const anyOptions = fc.record({
  maxShiftHours: fc.integer({ min: 1, max: 36 }),
  preview: fc.boolean(),
  zone: fc.constantFrom(MEXICO, 'America/Tijuana', 'Asia/Kathmandu', 'UTC'),
})

describe('any sequence of punches', () => {
  it('counts no second twice, and each day is the sum of its pairs', () => {
    fc.assert(
      fc.property(anyCard, anyOptions, (logs, settings) => {
        const days = toWorkDays(inZone(logs, settings), options(settings))
        const worked = days.reduce((sum, day) => sum + (day.worked_seconds ?? 0), 0)
        const span = (logs.at(-1)?.second ?? 0) - (logs[0]?.second ?? 0)
        expect(worked).toBeLessThanOrEqual(span)
        for (const day of days) {
          expect(day.worked_seconds === null).toBe(day.pairs === 0)
          expect(day.worked_seconds).not.toBe(0)
          expect(day.pairs).toBe(day.detail.match(/(?<!\(\S*)\d\d:\d\d–\d\d:\d\d/g)?.length ?? 0)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('has each log that is not rejected in one row, and marks the rows that leave one out', () => {
    fc.assert(
      fc.property(anyCard, anyOptions, (logs, settings) => {
        const days = toWorkDays(inZone(logs, settings), options(settings))
        const ids = days.flatMap(({ log_ids }) => log_ids).toSorted((a, b) => a - b)
        const kept = logs.filter(({ status }) => status !== 'rejected')
        expect(ids).toEqual(kept.map(({ log_id }) => log_id))
        for (const day of days) {
          const leftOut = day.log_ids.length !== 2 * day.pairs
          const marks = day.exceptions.length + day.notices.length
          if (leftOut) expect(marks).toBeGreaterThan(0)
        }
        const isRejected = kept.length < logs.length
        const marked = days.some(({ exceptions, notices }) =>
          [...exceptions, ...notices].includes('rechazada'),
        )
        expect(marked).toBe(isRejected)
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same days when it starts after a pause longer than any shift', () => {
    fc.assert(
      fc.property(anyCard, anyCard, anyOptions, (earlier, later, settings) => {
        const end = earlier.at(-1)?.second ?? 0
        const start = later[0]?.second ?? 0
        const shift = end + (settings.maxShiftHours + 48) * 3600 - start
        const moved = later.map((log) => ({ ...log, second: log.second + shift }))
        const alone = toWorkDays(inZone(moved, settings), options(settings))
        const together = toWorkDays(inZone([...earlier, ...moved], settings), options(settings))
        // `posible_desfase` is ignored, because it depends on the week before.
        const unmarked = (days: WorkDay[]) =>
          days.map(({ exceptions, ...day }) => ({
            ...day,
            exceptions: exceptions.filter((name) => name !== 'posible_desfase'),
          }))
        const last = together.slice(together.length - alone.length)
        expect(unmarked(last)).toEqual(unmarked(alone))
      }),
      { numRuns: 200 },
    )
  })
})
