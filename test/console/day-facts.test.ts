import { describe, expect, it } from 'vitest'
import { clockChangeSeconds } from '../../console/hours/clock-change.ts'
import { actsOf } from '../../console/hours/day-act.ts'
import { sentenceOf } from '../../console/hours/day-sentence.ts'
import { extraLog, isExtraFirst, wrongKey } from '../../console/hours/extra-log.ts'
import { dayOfEnd, missingEnds } from '../../console/hours/missing-log.ts'
import type { HoursDay } from '../../sdk/api-types.ts'
import { toWorkDays } from '../../src/payroll/hours/work-days.ts'
import { hoursLogsOf } from '../support/time-card.ts'

/** Tests what a row offers for a day, with the facts that the service gives for its punches. */

const daysOf = (text: string, now?: string): HoursDay[] =>
  toWorkDays(hoursLogsOf(text), {
    maxShiftOn: () => 16 * 3600,
    hasShiftRule: () => false,
    isOffPayroll: () => false,
    countPending: false,
    now: now ? new Date(now) : undefined,
  }) as unknown as HoursDay[]

const dayOf = (text: string, day = '02'): HoursDay => {
  const found = daysOf(text).find((one) => one.day.endsWith(day))
  if (!found) throw new Error(`There is no day ${day}.`)
  return found
}

/** What may be missing, as `salida after 22:00 on 03`, with the day for a typed hour. */
const endsOf = (row: HoursDay, time = '') =>
  missingEnds(row).map((end) => {
    const beside = `${end.kind === 'salida' ? 'after' : 'before'} ${end.beside.slice(11, 16)}`
    return `${end.kind} ${beside} on ${dayOfEnd(end, time).slice(8)}`
  })

describe('the missing punch goes to the right day', () => {
  it('of a night worker, whose day has the end of one night and the begin of the next', () => {
    const row = dayOf('02 S06:10 E22:00')
    expect(endsOf(row)).toEqual(['entrada before 06:10 on 01', 'salida after 22:00 on 03'])
    expect(endsOf(row, '22:00')).toEqual(['entrada before 06:10 on 01', 'salida after 22:00 on 03'])
    expect(endsOf(row, '06:00')).toEqual(['entrada before 06:10 on 02', 'salida after 22:00 on 03'])
  })

  it.each([
    ['02 E08:00', '17:00', 'salida after 08:00 on 02'],
    ['02 E16:30', '23:30', 'salida after 16:30 on 02'],
    ['02 E22:00', '23:30', 'salida after 22:00 on 02'],
    ['02 E22:00', '06:00', 'salida after 22:00 on 03'],
    ['02 S17:00', '08:00', 'entrada before 17:00 on 02'],
    ['02 S06:10', '22:00', 'entrada before 06:10 on 01'],
    // A guard of 24 hours.
    ['02 E08:00', '08:10', 'salida after 08:00 on 03'],
  ])('of %s with the hour %s', (text, time, expected) => {
    const row = daysOf(text).at(-1) as HoursDay
    expect(endsOf(row, time)).toEqual([expected])
  })

  it('of an inverted day: the entrada is of the eve', () => {
    const inverted = {
      ...dayOf('02 C06:03 C22:00'),
      exceptions: ['posible_desfase'],
    } as HoursDay
    expect(endsOf(inverted)).toEqual(['entrada before 06:03 on 01'])
    expect(endsOf(inverted, '22:00')).toEqual(['entrada before 06:03 on 01'])
  })

  it('of a clock without keys: either end may be missing', () => {
    expect(endsOf(dayOf('02 C17:00'), '08:00')).toEqual([
      'salida after 17:00 on 03',
      'entrada before 17:00 on 02',
    ])
  })

  it('asks for nothing while the person is at work', () => {
    const [row] = daysOf('02 E08:00', '2026-11-02T15:00:00-06:00')
    expect(endsOf(row as HoursDay)).toEqual([])
  })
})

describe('a punch that is too many is rejected', () => {
  it.each([
    // [punches, the first act, the sentence]
    ['02 C08:00 C08:07 C17:00', 'checada 08:07', 'Sobra o falta una checada: dos están a menos'],
    ['02 E08:00 E08:20 S17:00', 'entrada 08:20', 'Hay dos entradas seguidas'],
    ['02 E08:00 S17:00 S17:20', 'salida 17:20', 'Hay dos salidas seguidas'],
  ])('%s: %s', (text, act, sentence) => {
    const row = dayOf(text)
    const { punch } = extraLog(row) ?? {}
    expect(`${punch?.kind} ${punch?.at.slice(11, 16)}`).toBe(act)
    expect(isExtraFirst(row)).toBe(true)
    expect(sentenceOf(row)).toContain(sentence)
  })

  it('of an earlier day is named as such', () => {
    const row = dayOf('02 C08:00 C17:00 03 C08:00 C08:08 C17:00 04 C08:00 C17:00', '04')
    expect(extraLog(row)).toEqual({ log_id: 4, punch: undefined })
    expect(sentenceOf(row)).toContain('de un día anterior')
  })

  it('is the second of the first two, if each punch of a clock without keys was made twice', () => {
    const row = dayOf('02 C08:00 C08:08 C17:00 C17:08')
    expect(extraLog(row)?.punch).toMatchObject({ log_id: 2, at: '2026-11-02T08:08:00' })
    expect(sentenceOf(row)).toContain('Sobra o falta una checada')
    // After it, one is too many.
    const then = dayOf('02 C08:00 C08:08x C17:00 C17:08')
    expect(extraLog(then)?.punch?.at).toBe('2026-11-02T17:08:00')
  })

  it('is offered second where a salida after a break may be missing', () => {
    const row = dayOf('02 E08:00 S12:00 E12:30')
    expect(endsOf(row)).toEqual(['salida after 12:30 on 02'])
    expect([extraLog(row)?.log_id, isExtraFirst(row)]).toEqual([3, false])
    expect(sentenceOf(row)).toBe('Falta la salida, o sobra la última entrada.')
  })

  it.each([['02 E08:00'], ['02 E08:00 E17:00'], ['02 S17:00']])('%s has none', (text) => {
    expect(extraLog(daysOf(text).at(-1) as HoursDay)).toBeUndefined()
  })
})

describe('the wrong key', () => {
  it.each([
    ['02 E08:00 E17:00', 'entrada 17:00'],
    ['02 S08:00 S17:00', 'salida 08:00'],
  ])('%s: the other kind of the %s makes one shift', (text, expected) => {
    const punch = wrongKey(dayOf(text))
    expect(`${punch?.kind} ${punch?.at.slice(11, 16)}`).toBe(expected)
    expect(sentenceOf(dayOf(text))).toContain('quizá')
  })

  it.each([['02 E08:00 E13:00 S17:00'], ['02 S06:10 E22:00'], ['02 E08:00'], ['02 C08:00']])(
    '%s shows none',
    (text) => expect(wrongKey(dayOf(text))).toBeUndefined(),
  )
})

describe('the acts of a row', () => {
  const ALL = { decide: true, close: true, keep_people: true }
  const namesOf = (row: HoursDay, may = ALL) => actsOf(row, may).map(({ name }) => name)
  /** The last day of the punches, with facts that depend on more than these. */
  const rowOf = (text: string, facts: Partial<HoursDay> = {}): HoursDay => ({
    ...(daysOf(text).at(-1) as HoursDay),
    ...facts,
  })

  it.each([
    ['02 E08:00?', ['add', 'approve', 'review']],
    ['02 E08:00? E08:20? S17:00?', ['reject', 'add', 'approve', 'review']],
    ['02 E08:00? S12:00? E12:30?', ['add', 'reject', 'approve', 'review']],
    ['02 E08:00 E17:00', ['change_kind', 'add', 'review']],
    ['02 E08:00? S17:00?', ['approve']],
    ['02 E08:00 S21:00', ['review']],
  ])('%s: %j', (text, expected) => expect(namesOf(rowOf(text))).toEqual(expected))

  it('are what the user may do', () => {
    const row = rowOf('02 E08:00? E08:20? S17:00?')
    expect(namesOf(row, { ...ALL, decide: false })).toEqual(['add'])
  })

  it('begin with the guard of 24 h, or with the dates of who did not work here', () => {
    const guard = rowOf('02 E08:00', { maybe_long_shift: true })
    expect(namesOf(guard)[0]).toBe('long_shift')
    expect(namesOf(guard, { ...ALL, close: false })[0]).toBe('add')
    expect(sentenceOf(guard)).toContain('¿Hace guardias de 24 h?')
    const off = rowOf('02 E08:00? S17:00?', { notices: ['fuera_de_relacion'] })
    expect(namesOf(off)).toEqual(['dates', 'approve'])
    expect(namesOf(off, { ...ALL, keep_people: false })).toEqual(['approve'])
    expect(sentenceOf(off)).toContain('antes de su primer día')
  })
})

it('says by how much the clock was changed', () => {
  const { spans } = dayOf('02 E08:00 S17:00')
  expect(clockChangeSeconds(spans, 9 * 3600)).toBe(0)
  expect(clockChangeSeconds(spans, 10 * 3600)).toBe(3600)
  expect(clockChangeSeconds(spans, 8 * 3600)).toBe(-3600)
  // A closing that version 2.0.0 made has no spans.
  expect(clockChangeSeconds([], 9 * 3600)).toBe(0)
  // A part of the day is held.
  expect(clockChangeSeconds(spans, 4 * 3600 + 7)).toBe(0)
  expect(clockChangeSeconds(dayOf('02 E08:00 S17:00?').spans, 8 * 3600)).toBe(0)
})
