import { expect, it } from 'vitest'
import { restDayOf } from '../../src/payroll/hours/rest-days.ts'

/** The published rest days without a fixed date, by year. */
const PUBLISHED: Record<number, string[]> = {
  2017: ['02-06', '03-20', '11-20'],
  2018: ['02-05', '03-19', '11-19', '12-01'],
  2019: ['02-04', '03-18', '11-18'],
  2020: ['02-03', '03-16', '11-16'],
  2021: ['02-01', '03-15', '11-15'],
  2022: ['02-07', '03-21', '11-21'],
  2023: ['02-06', '03-20', '11-20'],
  2024: ['02-05', '03-18', '10-01', '11-18'],
  2025: ['02-03', '03-17', '11-17'],
  2026: ['02-02', '03-16', '11-16'],
  // The presidency changes in 2030.
  2030: ['02-04', '03-18', '10-01', '11-18'],
}

const FIXED = ['01-01', '05-01', '09-16', '12-25']

const daysOf = (year: number): string[] => {
  const first = Date.UTC(year, 0, 1)
  const length = (Date.UTC(year + 1, 0, 1) - first) / 86_400_000
  return Array.from({ length }, (_, i) =>
    new Date(first + i * 86_400_000).toISOString().slice(0, 10),
  )
}

it.each(Object.entries(PUBLISHED))('knows the official rest days of %s', (year, moving) => {
  const days = daysOf(Number(year)).filter((day) => restDayOf(day) !== null)
  expect(days.map((day) => day.slice(5))).toEqual([...FIXED, ...moving].sort())
})
