import { expect, it } from 'vitest'
import { punchesByHour } from '../../console/clocks/punches-by-hour.ts'

it('counts the punches of each hour, also of those without one in between', () => {
  const times = [
    '2026-11-02T07:58:12-06:00',
    '2026-11-02T07:59:01-06:00',
    '2026-11-02T10:00:00-06:00',
  ]
  expect(punchesByHour(times)).toEqual([
    { hour: 7, count: 2 },
    { hour: 8, count: 0 },
    { hour: 9, count: 0 },
    { hour: 10, count: 1 },
  ])
  expect(punchesByHour([])).toEqual([])
})
