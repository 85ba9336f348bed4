import { shownDay } from '../people/person-fields.ts'

const WEEKDAYS = [
  ['monday', 'lunes'],
  ['tuesday', 'martes'],
  ['wednesday', 'miércoles'],
  ['thursday', 'jueves'],
  ['friday', 'viernes'],
  ['saturday', 'sábado'],
  ['sunday', 'domingo'],
] as const

/** The beginning of the calendars that are counted from a day, such as `14 days 2026-01-05`. */
export const FORTNIGHT_DAYS = '14 days'

/** The calendars that a payroll group may have, with their texts. */
export const CALENDARS: [value: string, text: string][] = [
  ['half month', 'Quincena: del 1 al 15, y del 16 al fin de mes'],
  ...WEEKDAYS.map(
    ([name, text]) => [`week ${name}`, `Semana que empieza en ${text}`] as [string, string],
  ),
  [FORTNIGHT_DAYS, 'Catorcena'],
  ['month', 'Mes'],
]

/** `14 days 2026-01-05` is `Catorcena, contada desde el 05/01/2026`. */
export const calendarText = (calendar: string): string => {
  const [, days, since = ''] = /^(\d+) days (\S+)$/.exec(calendar) ?? []
  if (!days) return CALENDARS.find(([value]) => value === calendar)?.[1] ?? calendar
  const name = days === '14' ? 'Catorcena' : `Cada ${days} días`
  return `${name}, contada desde el ${shownDay(since)}`
}
