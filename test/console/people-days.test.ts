import { expect, it } from 'vitest'
import { isToReview } from '../../console/hours/clean-day.ts'
import { type Cell, columnsOf, countsOf, peopleDays } from '../../console/hours/people-days.ts'
import type { HoursDay, HoursTotal, HoursWeek } from '../../sdk/api-types.ts'

/** What the picture of people and days says of a day or a week, beside its bars. */

const [FROM, TO] = ['2026-05-01', '2026-05-03']
const person = { employee_id: 'E-1', branch_office: 'Norte', department: 'Ventas' }
const total = { ...person, started_at: '2020-01-01', ended_at: null } as HoursTotal

const cellsOf = (days: Partial<HoursDay>[], weeks: Partial<HoursWeek>[] = []) => {
  const row = { ...person, exceptions: [], notices: [], spans: [], reviewed: null }
  const hours = {
    days: days.map((day) => ({ ...row, ...day }) as unknown as HoursDay),
    totals: [total],
    weeks: weeks.map((week) => ({ ...person, ...week }) as HoursWeek),
  }
  const needsReview = (day: HoursDay) => isToReview(day, true)
  return peopleDays(columnsOf(FROM, TO), hours, { today: '2026-05-20', needsReview })
}
const stateOf = (day: Partial<HoursDay>) => {
  const [cell] = cellsOf([{ day: FROM, ...day }])[0]?.cells ?? []
  return cell && 'state' in cell ? cell.state : undefined
}

it('tells a day that waits for its clock from one that somebody has to clarify', () => {
  expect(stateOf({ exceptions: ['sin_sincronizar'] })).toBe('unsynced')
  expect(stateOf({ exceptions: ['pendientes', 'sin_sincronizar'] })).toBe('unsynced')
  expect(stateOf({ exceptions: ['sin_salida', 'sin_sincronizar'] })).toBe('review')
  const asked = ['pendientes', 'sin_sincronizar'] as const
  expect(stateOf({ exceptions: [...asked], notices: ['solicitada'] })).toBe('review')
  expect(stateOf({ exceptions: ['pendientes'] })).toBe('pending')
})

it('counts work on an official rest day, and what workers asked for and nobody has decided', () => {
  const counts = countsOf(
    cellsOf([
      { day: FROM, holiday: 'Día del Trabajo' },
      { day: '2026-05-02', exceptions: ['pendientes'], notices: ['solicitada'] },
      { day: TO, notices: ['solicitada'] },
    ]),
  )
  expect([counts.get('holiday'), counts.get('requested')]).toEqual([1, 1])
})

it('adds what waits for its approval to a week, at all places of the person', () => {
  const week = { week_from: '2026-04-27', week_seconds: 3600, over_seconds: 0 }
  const [row] = cellsOf(
    [],
    [
      { ...week, pending_seconds: 7200 },
      { ...week, branch_office: 'Sur', pending_seconds: 60 },
      { ...week, week_from: '2026-05-04', pending_seconds: 1 },
    ],
  )
  const last = row?.cells.at(-1) as Extract<Cell, { week: unknown }>
  expect([last.week?.week_seconds, last.pending]).toEqual([3600, 7260])
})
