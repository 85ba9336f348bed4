import type { HoursDay, HoursWeek } from '../../sdk/api-types.ts'
import { compare, groupBy } from '../ui/order.ts'

/**
 * Whether the only thing to look at is that the person's week passed the law's limit on this day.
 * Its hours are right, so that all of these days are shown in one line and reviewed in one act.
 */
export const isOverLimitOnly = ({ exceptions, notices }: HoursDay): boolean =>
  exceptions.join() === 'semana_sobre_limite' &&
  !notices.includes('fuera_de_relacion') &&
  !notices.includes('otra_red')

/**
 * Sorts days for a list: the newest day first, since it is remembered best, and days that a closing
 * has paid last.
 */
export const newestFirst = (days: readonly HoursDay[]): HoursDay[] =>
  [...days].sort(
    (a, b) =>
      Number(a.paid_seconds !== null) - Number(b.paid_seconds !== null) || compare(b.day, a.day),
  )

export interface PersonOverLimit {
  employee_id: string
  full_name: string
  /** The weeks that passed the limit, each with its figures. */
  weeks: Pick<HoursWeek, 'week_from' | 'over_seconds' | 'limit_seconds'>[]
  over_seconds: number
}

/**
 * The people of the days, with how much each of their weeks passed the limit.
 * @param weeks the weeks of these people. Somebody who worked at two places has a row for each.
 */
export const peopleOverLimit = (
  days: readonly Pick<HoursDay, 'employee_id' | 'full_name' | 'day'>[],
  weeks: readonly HoursWeek[],
): PersonOverLimit[] =>
  [...groupBy(days, ({ employee_id }) => employee_id)].map(([employee_id, own]) => {
    const ofPerson = weeks.filter((week) => week.employee_id === employee_id)
    const found = own.flatMap(
      ({ day }) =>
        ofPerson.find(({ week_from, week_to }) => week_from <= day && day <= week_to) ?? [],
    )
    return {
      employee_id,
      full_name: own[0]?.full_name ?? '',
      weeks: found,
      over_seconds: found.reduce((sum, { over_seconds }) => sum + over_seconds, 0),
    }
  })
