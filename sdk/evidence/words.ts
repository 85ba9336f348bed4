/** The service's values and fields as people read them. */
const LABELS: Record<string, string> = {
  pending: 'pendiente',
  approved: 'aprobada',
  rejected: 'rechazada',
  employee_id: 'el empleado',
  kind: 'el tipo',
  recorded_at: 'la hora',
  source: 'el origen',
}

export const labelOf = (value: unknown): string => LABELS[String(value)] ?? String(value)

const number = new Intl.NumberFormat('es-MX')

/** `1 sello`, `2 sellos`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number.format(count)} ${count === 1 ? one : many}`

/** Numbers in a sentence: `5, 6 y 9`. */
export const listed = (numbers: readonly number[]): string =>
  new Intl.ListFormat('es-MX').format(numbers.map((each) => number.format(each)))

/** A moment as people read it; the file does not say in which zone the work was done. */
export const moment = (text: string): string =>
  `${new Date(text).toLocaleString('es-MX', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })} (UTC)`

/** Seconds, and the hours that they are. */
export const duration = (seconds: number): string =>
  `${number.format(seconds)} s (${number.format(Math.round(seconds / 36) / 100)} h)`
