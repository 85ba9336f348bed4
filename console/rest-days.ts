/**
 * The official rest days of article 74 of the Ley Federal del Trabajo, by their rules: shown beside a
 * day, never calculated with. Those of local elections have no rule, and are not here.
 */

const FIXED: Record<string, string> = {
  '01-01': 'Año Nuevo',
  '05-01': 'Día del Trabajo',
  '09-16': 'Independencia',
  '12-25': 'Navidad',
}

/** Mondays: of a month, the first or the third. */
const MONDAYS: [month: string, nth: number, name: string][] = [
  ['02', 1, 'Constitución'],
  ['03', 3, 'Natalicio de Benito Juárez'],
  ['11', 3, 'Revolución'],
]

/** Every six years the federal executive changes: in October since 2024, in December before. */
const isTransmission = (year: number, day: string): boolean =>
  year % 6 === 2 && day === (year >= 2024 ? '10-01' : '12-01')

/** The name of the rest day that a date is; undefined for any other. */
export const restDayOf = (date: string): string | undefined => {
  const [year, month, dayOfMonth] = [date.slice(0, 4), date.slice(5, 7), Number(date.slice(8))]
  const nth = Math.ceil(dayOfMonth / 7)
  const isMonday = new Date(date).getUTCDay() === 1
  const [, , monday] =
    MONDAYS.find((rule) => isMonday && rule[0] === month && rule[1] === nth) ?? []
  if (isTransmission(Number(year), date.slice(5))) return 'Transmisión del Poder Ejecutivo'
  return FIXED[date.slice(5)] ?? monday
}
