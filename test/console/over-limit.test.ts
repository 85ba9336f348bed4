import { expect, it } from 'vitest'
import { isOverLimitOnly, newestFirst, peopleOverLimit } from '../../console/hours/over-limit.ts'
import type { HoursDay, HoursWeek } from '../../sdk/api-types.ts'

const aDay = (fields: object) =>
  ({
    exceptions: ['semana_sobre_limite'],
    notices: [],
    paid_seconds: null,
    ...fields,
  }) as unknown as HoursDay

const aWeek = (employee_id: string, week_from: string, week_to: string, over_seconds: number) =>
  ({
    employee_id,
    week_from,
    week_to,
    over_seconds,
    limit_seconds: 172_800,
  }) as unknown as HoursWeek

it('folds only the days that have nothing else to look at', () => {
  expect(isOverLimitOnly(aDay({}))).toBe(true)
  expect(isOverLimitOnly(aDay({ notices: ['manual'] }))).toBe(true)
  expect(isOverLimitOnly(aDay({ exceptions: ['sin_salida', 'semana_sobre_limite'] }))).toBe(false)
  expect(isOverLimitOnly(aDay({ notices: ['otra_red'] }))).toBe(false)
  expect(isOverLimitOnly(aDay({ exceptions: [] }))).toBe(false)
})

it('lists yesterday first, days of one day as they came, and paid days last', () => {
  const days = [
    aDay({ employee_id: 'A', day: '2026-11-02' }),
    aDay({ employee_id: 'A', day: '2026-11-24', paid_seconds: 28_800 }),
    aDay({ employee_id: 'A', day: '2026-11-23' }),
    aDay({ employee_id: 'B', day: '2026-11-23' }),
    aDay({ employee_id: 'B', day: '2026-11-20', paid_seconds: 0 }),
  ]
  expect(newestFirst(days).map(({ employee_id, day }) => employee_id + day.slice(8))).toEqual([
    ...['A23', 'B23', 'A02'],
    ...['A24', 'B20'],
  ])
})

it('adds up the weeks of each person, and counts a week at two branches once', () => {
  const days = [
    aDay({ employee_id: 'A', full_name: 'Ana', day: '2026-11-07' }),
    aDay({ employee_id: 'A', full_name: 'Ana', day: '2026-11-14' }),
    aDay({ employee_id: 'B', full_name: 'Beto', day: '2026-11-06' }),
  ]
  const weeks = [
    aWeek('A', '2026-11-02', '2026-11-08', 3_600),
    aWeek('A', '2026-11-02', '2026-11-08', 3_600),
    aWeek('A', '2026-11-09', '2026-11-15', 1_800),
    aWeek('B', '2026-11-02', '2026-11-08', 7_200),
    aWeek('B', '2026-11-09', '2026-11-15', 0),
  ]
  expect(peopleOverLimit(days, weeks)).toMatchObject([
    { full_name: 'Ana', over_seconds: 5_400, weeks: [weeks[0], weeks[2]] },
    { full_name: 'Beto', over_seconds: 7_200, weeks: [weeks[3]] },
  ])
})
