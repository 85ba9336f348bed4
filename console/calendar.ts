import type { HoursTotal } from '../sdk/api-types.ts'
import { restDayOf } from './rest-days.ts'
import { addDays, mondayOf, type Period, today } from './time.ts'

export interface Week<Day> {
  monday: string
  /** Whether it has days outside the period. */
  isCut: boolean
  days: Day[]
}

export type CalendarRow<Day> = { week: Week<Day> } | { day: string; found?: Day | undefined }

/**
 * Every day of a period, with or without hours, and a row for each week.
 * @param days of whole weeks, also outside the period
 */
export const calendarOf = <Day extends { day: string }>(
  { from, to }: Period,
  days: readonly Day[],
): CalendarRow<Day>[] => {
  const byDay = new Map(days.map((one) => [one.day, one]))
  const rows: CalendarRow<Day>[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    rows.push({ day, found: byDay.get(day) })
    const monday = mondayOf(day)
    if (day !== to && day !== addDays(monday, 6)) continue
    const ofWeek = days.filter((one) => mondayOf(one.day) === monday)
    const isCut = ofWeek.some((one) => one.day < from || one.day > to)
    rows.push({ week: { monday, isCut, days: ofWeek } })
  }
  return rows
}

/** What explains a person's days without logs. */
export type Presence = Pick<HoursTotal, 'started_at' | 'ended_at' | 'unsynced_from'>

/** Why a day has no logs. */
export const emptyDay = (
  day: string,
  { started_at = '', ended_at = null, unsynced_from = null }: Partial<Presence> = {},
): { look: string; words: string } => {
  if (day > today()) return { look: '', words: '' }
  if (day < started_at) return { look: '', words: 'Antes de su ingreso' }
  if (ended_at !== null && day > ended_at) return { look: '', words: 'Después de su baja' }
  const holiday = restDayOf(day)
  const words = holiday ? `Descanso obligatorio: ${holiday}` : 'Sin checadas'
  if (unsynced_from !== null && day >= unsynced_from) {
    return { look: 'unsynced', words: `${words}; falta información del reloj` }
  }
  return { look: holiday ? 'rest' : 'absent', words }
}
