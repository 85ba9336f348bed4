import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type Dated, valueOn } from '../../core/values/dated.ts'
import { addDays, earlier, later } from '../../core/values/time-zone.ts'
import { readPersonDays } from './person-days.ts'
import type { WorkDay } from './work-day.ts'

/**
 * The law's limit of hours a week (LFT, reform of 2026-05-01). A week has the limit of its Monday.
 */
const WEEK_HOURS: Dated<number> = [
  ['', 48],
  ['2027-01-01', 46],
  ['2028-01-01', 44],
  ['2029-01-01', 42],
  ['2030-01-01', 40],
]

/** The maximum working time of a day in seconds, overtime included. */
const DAY_LIMIT_S = 12 * 3600

export const mondayOf = (day: string): string =>
  addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** A person's week, Monday to Sunday, with the hours of all branches and departments together. */
export interface JudgedWeek {
  week_seconds: number
  limit_seconds: number
  over_seconds: number
  /** How many days have more than 12 hours in all. */
  shifts_over_12h: number
  /**
   * Whether the figures may still change: a log of the week is pending, or a pending log holds a day
   * of the week.
   */
  open: boolean
  /** The day on which the hours passed the limit. Null if they did not. */
  passed_on: string | null
}

/** @param days the days of the week, oldest first */
const judgeWeek = (monday: string, days: readonly WorkDay[]): JudgedWeek => {
  const limit_seconds = valueOn(WEEK_HOURS, monday) * 3600
  let week_seconds = 0
  let passed_on: string | null = null
  for (const { day, worked_seconds } of days) {
    week_seconds += worked_seconds ?? 0
    if (week_seconds > limit_seconds) passed_on ??= day
  }
  return {
    week_seconds,
    limit_seconds,
    over_seconds: Math.max(0, week_seconds - limit_seconds),
    shifts_over_12h: days.filter(({ worked_seconds }) => (worked_seconds ?? 0) > DAY_LIMIT_S)
      .length,
    open: days.some(({ hold, exceptions }) => hold !== null || exceptions.includes('pendientes')),
    passed_on,
  }
}

/**
 * The weeks of a person's days, by their Mondays. A week is correct only if all of its days are
 * given.
 */
export const judgeWeeks = (days: readonly WorkDay[]): Map<string, JudgedWeek> =>
  new Map(
    [...Map.groupBy(days, ({ day }) => mondayOf(day))].map(([monday, ofWeek]) => [
      monday,
      judgeWeek(monday, ofWeek),
    ]),
  )

/**
 * The whole weeks of some days of people, as the hours are now. Returns the week of a person that
 * begins on a Monday, also if its days have no hours any more.
 */
export const readWeeks = async (
  db: AuthorizedDb,
  daysOfPeople: readonly { employee_id: string; day: string }[],
) => {
  const byPerson = Map.groupBy(daysOfPeople, ({ employee_id }) => employee_id)
  const people = [...byPerson].map(([employee_id, days]) => ({
    employee_id,
    firstDay: mondayOf(days.map(({ day }) => day).reduce(earlier)),
  }))
  const weeks = new Map<string, ReturnType<typeof judgeWeeks>>()
  if (people.length > 0) {
    const last = daysOfPeople.map(({ day }) => day).reduce(later)
    const options = { before: addDays(mondayOf(last), 7), countPending: false }
    for await (const read of readPersonDays(db, people, options)) {
      for (const { person, days } of read) weeks.set(person.employee_id, judgeWeeks(days))
    }
  }
  return (employee_id: string, monday: string): JudgedWeek =>
    weeks.get(employee_id)?.get(monday) ?? judgeWeek(monday, [])
}
