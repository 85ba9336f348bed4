import { expect, it } from 'vitest'
import { joinDays } from '../../console/clocks/off-days.ts'

const off = (day: string, minutes: number) => ({ day, minutes, people: 8, of: 9 })

it('joins days in a row on which a clock was wrong by the same minutes', () => {
  const days = [
    ...[off('2026-10-31', 60), off('2026-11-01', 58), off('2026-11-02', -60)],
    ...[off('2026-11-04', -60)],
  ]
  expect(joinDays(days)).toEqual([
    { from: '2026-10-31', to: '2026-11-01', minutes: 60, people: 8, of: 9 },
    { from: '2026-11-02', to: '2026-11-02', minutes: -60, people: 8, of: 9 },
    { from: '2026-11-04', to: '2026-11-04', minutes: -60, people: 8, of: 9 },
  ])
  expect(joinDays([])).toEqual([])
})
