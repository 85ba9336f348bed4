/**
 * The official rest days of article 74 of the Ley Federal del Trabajo. Files and pages name them
 * beside a day, but they change no hours. Election days are missing, because they follow no fixed
 * rule.
 */

const FIXED: Record<string, string> = {
  '01-01': 'Año Nuevo',
  '05-01': 'Día del Trabajo',
  '09-16': 'Independencia',
  '12-25': 'Navidad',
}

/** The rest days on the first or third Monday of a month. */
const MONDAYS: [month: string, nth: number, name: string][] = [
  ['02', 1, 'Constitución'],
  ['03', 3, 'Natalicio de Benito Juárez'],
  ['11', 3, 'Revolución'],
]

/**
 * Whether the presidency changes on a day. It changes every six years: until 2018 on December 1,
 * and since 2024 on October 1.
 */
const isTransmission = (year: number, day: string): boolean =>
  year % 6 === 2 && day === (year >= 2024 ? '10-01' : '12-01')

/** The name of a rest day, or null for other days. */
export const restDayOf = (date: string): string | null => {
  const [year, month, dayOfMonth] = [date.slice(0, 4), date.slice(5, 7), Number(date.slice(8))]
  const nth = Math.ceil(dayOfMonth / 7)
  const isMonday = new Date(date).getUTCDay() === 1
  const [, , monday] =
    MONDAYS.find((rule) => isMonday && rule[0] === month && rule[1] === nth) ?? []
  if (isTransmission(Number(year), date.slice(5))) return 'Transmisión del Poder Ejecutivo'
  return FIXED[date.slice(5)] ?? monday ?? null
}

export const isHoliday = (date: string): boolean => restDayOf(date) !== null

export const isSunday = (date: string): boolean => new Date(date).getUTCDay() === 0
