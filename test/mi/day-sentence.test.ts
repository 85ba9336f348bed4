import { describe, expect, it } from 'vitest'
import { sentenceOf } from '../../console/mi/day-sentence.ts'
import type { OwnDay } from '../../sdk/api-types.ts'
import { toWorkDays } from '../../src/payroll/hours/work-days.ts'
import { hoursLogsOf } from '../support/time-card.ts'

/** Tests what a worker reads of a day, with the facts that the service gives for its punches. */

const OPTIONS = {
  maxShiftOn: () => 16 * 3600,
  hasShiftRule: () => false,
  isOffPayroll: () => false,
  countPending: false,
  now: undefined,
}

const dayOf = (text: string, day: string): OwnDay => {
  const found = toWorkDays(hoursLogsOf(text), OPTIONS).find((one) => one.day.endsWith(day))
  if (!found) throw new Error(`There is no day ${day}.`)
  return found as unknown as OwnDay
}

/** What the link of a day's sentence requests, as `salida on 2026-11-02`. */
const requestOf = (text: string, day = '02') => {
  const { request } = sentenceOf(dayOf(text, day), true)
  return request && `${request.tipo ?? 'a log'} on ${request.dia}`
}

describe('the link of a sentence requests what is missing, on its day', () => {
  it.each([
    ['02 E08:00', 'salida on 2026-11-02'],
    ['02 S17:00', 'entrada on 2026-11-02'],
    ['02 E22:00', 'salida on 2026-11-03'],
    ['02 S06:10', 'entrada on 2026-11-01'],
    ['02 E08:00 E13:00 S17:00', 'salida on 2026-11-02'],
    ['02 E08:00 S20:30', 'a log on 2026-11-02'],
    ['02 E08:00 S17:00', undefined],
  ])('%s: %s', (text, expected) => {
    expect(requestOf(text)).toBe(expected)
  })
})

it('has no link where the company takes no requests', () => {
  expect(sentenceOf(dayOf('02 E08:00', '02'), false)).toEqual({
    text: 'Falta tu salida. Si saliste, avisa a quien lleva tu nómina.',
  })
})
