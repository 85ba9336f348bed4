/** The order of the numbers in the dates of a column. */
export type DayOrder = 'day-month' | 'month-day'

const MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ')

/** Completes a year of two digits to a year from 1930 to 2029, as Excel does. */
const yearOf = (digits: string): string =>
  digits.length > 2 ? digits : `${Number(digits) < 30 ? 20 : 19}${digits}`

/** Whether the day and the month of a date are both numbers, so that their order matters. */
const NUMBERS = /^(\d\d?)([-/. ])(\d\d?)\2(\d{4}|\d\d)$/

/**
 * Returns `2025-12-31` for `31/12/2025`, `31-dic-25` or `2025-12-31 00:00`. If the text is not a
 * date, returns it unchanged.
 */
export const toDay = (cell: string, order: DayOrder = 'day-month'): string => {
  const plain = cell.replace(/[ T]0?0:00(:00)?(\.0+)?$/, '')
  const date = order === 'month-day' ? plain.replace(NUMBERS, '$3$2$1$2$4') : plain
  const iso = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(date)
  const [, day = '', month = '', year = ''] = iso
    ? ['', iso[3], iso[2], iso[1]]
    : (/^(\d\d?)[-/. ](\d\d?|[a-zA-Z]{3,})\.?[-/. ](\d{4}|\d\d)$/.exec(date) ?? [])
  const named = MONTHS.indexOf(month.toLowerCase().slice(0, 3)) + 1
  if (!day || (/\D/.test(month) && named === 0)) return cell
  const number = named || month
  return `${yearOf(year)}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}

export const isDay = (date: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

/**
 * Whether a column may have the month before the day: one of its dates exists only so. Then none of
 * its dates is certain, since `03/05/2024` exists in both orders.
 */
export const isOrderInDoubt = (cells: readonly string[]): boolean =>
  cells.some((cell) => NUMBERS.test(cell) && !isDay(toDay(cell)) && isDay(toDay(cell, 'month-day')))

/** Returns what is wrong with the cell of a day. Undefined if nothing is wrong. */
export const dayFaultOf = (cell: string, order: DayOrder): string | undefined => {
  if (cell === '' || isDay(toDay(cell, order))) return undefined
  if (/^\d{5}$/.test(cell)) {
    return 'Es un número de Excel: dale formato de fecha a su columna y cópiala otra vez.'
  }
  if (/^\d{4}-\d\d?-\d\d?[T ]\d/.test(cell)) return 'Trae también una hora: deja solo el día.'
  if (!/\d/.test(cell)) return 'No es una fecha.'
  return `No existe ese día: escribe ${order === 'month-day' ? 'mes/día/año' : 'día/mes/año'}.`
}
