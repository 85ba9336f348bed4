import { addDays, DAY_MS, isDate } from '../../core/values/time-zone.ts'

/** The periods in which a payroll group is paid. */

/** Months, half months, or periods of `days` days, counted from `since`. */
export type Calendar = 'month' | 'half month' | { days: number; since: string }

export interface PayPeriod {
  /** For example `Quincena 20`. */
  name: string
  from: string
  /** The first day after the period. */
  before: string
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const MONTHS = [
  ...['Enero', 'Febrero', 'Marzo', 'Abril', 'Mayo', 'Junio'],
  ...['Julio', 'Agosto', 'Septiembre', 'Octubre', 'Noviembre', 'Diciembre'],
]

const A_MONDAY = '2026-01-05'

const DAYS_MAX = 366

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS

/**
 * Parses `week monday`, `half month`, `month` or `14 days 2026-01-05`. Returns undefined for any
 * other text.
 */
export const parseCalendar = (text: string): Calendar | undefined => {
  if (text === 'month' || text === 'half month') return text
  const [, weekday = ''] = /^week (\w+)$/.exec(text) ?? []
  if (WEEKDAYS.includes(weekday)) {
    return { days: 7, since: addDays(A_MONDAY, WEEKDAYS.indexOf(weekday)) }
  }
  const [, days, since = ''] = /^([1-9]\d{0,2}) days (\S+)$/.exec(text) ?? []
  return isDate(since) && Number(days) <= DAYS_MAX ? { days: Number(days), since } : undefined
}

/**
 * The number of a period. It counts, from 1 on, the periods whose middle day is in the same year.
 * For weeks that begin on Monday, it is the ISO 8601 number.
 */
const numberOf = (from: string, days: number): number => {
  const middle = addDays(from, Math.floor((days - 1) / 2))
  return Math.floor(daysBetween(`${middle.slice(0, 4)}-01-01`, middle) / days) + 1
}

const WORDS: Record<number, string> = { 7: 'Semana', 14: 'Catorcena' }

export const periodOf = (calendar: Calendar, day: string): PayPeriod => {
  const firstOfMonth = `${day.slice(0, 8)}01`
  const nextMonth = `${addDays(firstOfMonth, 31).slice(0, 8)}01`
  const month = Number(day.slice(5, 7))
  if (calendar === 'month') {
    return { name: MONTHS[month - 1] ?? '', from: firstOfMonth, before: nextMonth }
  }
  if (calendar === 'half month') {
    const sixteenth = `${day.slice(0, 8)}16`
    return day < sixteenth
      ? { name: `Quincena ${2 * month - 1}`, from: firstOfMonth, before: sixteenth }
      : { name: `Quincena ${2 * month}`, from: sixteenth, before: nextMonth }
  }
  const { days, since } = calendar
  const from = addDays(since, Math.floor(daysBetween(since, day) / days) * days)
  const name = `${WORDS[days] ?? 'Periodo'} ${numberOf(from, days)}`
  return { name, from, before: addDays(from, days) }
}
