import { describe, expect, it } from 'vitest'
import { sentenceOf } from '../../console/hours/day-sentence.ts'
import { repeatedLog } from '../../console/hours/repeated-log.ts'
import type { HoursDay } from '../../sdk/api-types.ts'

const rowOf = (exception: string, detail: string, notices: string[] = []) =>
  ({ exceptions: [exception], notices, detail }) as unknown as HoursDay

describe('the second of two logs of one kind may be rejected', () => {
  it.each([
    ['entrada_repetida', '07:20–? 07:45–15:40', 'entrada', '07:45'],
    ['entrada_repetida', '(07:20–?) (07:45–15:40)', 'entrada', '07:45'],
    ['sin_entrada', '07:20–15:40 ?–16:40', 'salida', '16:40'],
    ['sin_entrada', '(22:00–06:00+1) ?–06:20+1', 'salida', '06:20'],
  ])('%s in %s: the %s of %s', (exception, detail, kind, time) => {
    expect(repeatedLog(rowOf(exception, detail))).toEqual({ kind, time })
  })

  it.each([
    ['entrada_repetida', '07:20–? 08:21–15:40'],
    ['sin_entrada', '07:20–15:40 ?–16:41'],
    ['sin_entrada', '?–15:40'],
    ['sin_salida', '07:20–? 07:45–15:40'],
    ['jornada_larga', '07:20–15:40 ?–16:40'],
  ])('%s in %s: none', (exception, detail) => {
    expect(repeatedLog(rowOf(exception, detail))).toBeUndefined()
  })

  it('is none if the clock gave no kinds', () => {
    const row = rowOf('sin_entrada', '07:20–15:40 ?–16:40', ['tipo_deducido'])
    expect(repeatedLog(row)).toBeUndefined()
    expect(sentenceOf(row)).toBe('Falta la entrada.')
  })

  it('is said in place of a missing entrada', () => {
    expect(sentenceOf(rowOf('sin_entrada', '07:20–15:40 ?–16:40'))).toContain('dos salidas')
    expect(sentenceOf(rowOf('sin_entrada', '?–16:40'))).toBe('Falta la entrada.')
  })
})
