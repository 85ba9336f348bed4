import type { ClockDayOff } from '../../sdk/api-types.ts'

/** Days in a row on which a clock was probably wrong by the same minutes. */
export interface OffDays extends Omit<ClockDayOff, 'day'> {
  from: string
  to: string
}

/** Days in a row differ by at most this much. */
const SAME_MINUTES = 5

const isNextDay = (day: string, next: string): boolean =>
  Date.parse(next) - Date.parse(day) === 24 * 3_600_000

/** Joins days in a row. A day between them on which the clock was right parts them. */
export const joinDays = (days: readonly ClockDayOff[]): OffDays[] => {
  const joined: OffDays[] = []
  for (const { day, ...off } of days) {
    const last = joined.at(-1)
    const isSame = last && Math.abs(last.minutes - off.minutes) <= SAME_MINUTES
    if (isSame && isNextDay(last.to, day)) last.to = day
    else joined.push({ ...off, from: day, to: day })
  }
  return joined
}
