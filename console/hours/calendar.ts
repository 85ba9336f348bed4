import type { HoursWeek } from '../../sdk/api-types.ts'
import { counted } from '../ui/text.ts'
import { addDays, daysName, duration, mondayOf, type Period, today } from '../ui/time.ts'
import { type EmptyDay, emptyDay, type Presence } from './empty-day.ts'

export interface Week<Day> {
  name: string
  /** Whether some of `days` are outside the period. */
  isCut: boolean
  days: Day[]
  /** The whole week, compared with the law's limit. Undefined if `calendarOf` did not get it. */
  judged: HoursWeek | undefined
}

export type CalendarRow<Day> = { week: Week<Day> } | { found: Day } | { empty: EmptyDay }

/**
 * Returns a row for each day of a person's period, with or without hours. After the days of each
 * week, it returns a row for the week.
 * @param days the days with logs. A day outside the period gets no row, but counts for its week.
 * @param weeks the person's weeks, as the service compares them with the law's limit
 */
export const calendarOf = <Day extends { day: string }>(
  { from, to }: Period,
  days: readonly Day[],
  presence: Partial<Presence> = {},
  weeks: readonly HoursWeek[] = [],
): CalendarRow<Day>[] => {
  const byDay = new Map(days.map((one) => [one.day, one]))
  const rows: CalendarRow<Day>[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const found = byDay.get(day)
    rows.push(found ? { found } : { empty: emptyDay(day, presence, today()) })
    const monday = mondayOf(day)
    const sunday = addDays(monday, 6)
    if (day !== to && day !== sunday) continue
    const ofWeek = days.filter((one) => mondayOf(one.day) === monday)
    const isCut = ofWeek.some((one) => one.day < from || one.day > to)
    const name = daysName({ from: monday, to: sunday })
    const judged = weeks.find(({ week_from }) => week_from === monday)
    rows.push({ week: { name, isCut, days: ofWeek, judged } })
  }
  return rows
}

/**
 * Compares a week with the law's limit. The text never states that the week is within the limit,
 * since a log may be missing.
 * @param shown the seconds that stand beside the text. If the whole week has another number, the
 * text also says that number.
 */
export const limitText = (week: HoursWeek, shown: number, text = duration): string => {
  const limit = `límite de ${duration(week.limit_seconds)}`
  const parts = [
    week.week_seconds !== shown && `${text(week.week_seconds)} en total`,
    week.over_seconds > 0 ? `${text(week.over_seconds)} sobre el ${limit}` : limit,
    week.shifts_over_12h > 0 && `${counted(week.shifts_over_12h, 'día')} de más de 12 h`,
    week.open && 'con checadas sin decidir',
  ]
  return parts.filter(Boolean).join('; ')
}
