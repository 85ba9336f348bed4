/** Spanish names of the service's values and fields. */
const LABELS: Record<string, string> = {
  pending: 'pendiente',
  approved: 'aprobada',
  rejected: 'rechazada',
  entrada: 'Entrada',
  salida: 'Salida',
  checada: 'Checada sin tipo',
  employee_id: 'el empleado',
  kind: 'el tipo',
  recorded_at: 'la hora',
  source: 'el origen',
  branch: 'la sucursal',
  agreed: 'acuerdo',
  answered: 'respuesta',
  access: 'acceso',
  ruled: 'regla',
  shown: 'entrega',
}

export const labelOf = (value: unknown): string => LABELS[String(value)] ?? String(value)

const numberFormat = new Intl.NumberFormat('es-MX')

/** Returns a number with its noun: `1 sello`, `2 sellos`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${numberFormat.format(count)} ${count === 1 ? one : many}`

/** Numbers in a sentence: `5, 6 y 9`. */
export const listed = (numbers: readonly number[]): string =>
  new Intl.ListFormat('es-MX').format(numbers.map((each) => numberFormat.format(each)))

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The maximum number of texts that a message names. It gives only the number of the others. */
const TEXTS_NAMED = 5

export const joinFirst = (texts: readonly string[]): string => {
  const more = texts.length > TEXTS_NAMED ? ` y ${texts.length - TEXTS_NAMED} más` : ''
  return texts.slice(0, TEXTS_NAMED).join('; ') + more
}

const inZone = (text: string, timeZone: string): string =>
  new Date(text).toLocaleString('es-MX', { dateStyle: 'long', timeStyle: 'medium', timeZone })

/** A moment for people, in UTC because the file does not contain the zone of the work. */
export const momentText = (text: string): string => `${inZone(text, 'UTC')} (UTC)`

/** A moment in UTC and, where the reader's zone is known, also in that zone, named as such. */
export const momentTextsIn = (text: string, zone: string | undefined): string =>
  zone ? `${momentText(text)}; en este equipo, ${inZone(text, zone)}` : momentText(text)

/** A day for people: `2 de noviembre de 2026`. */
export const dayText = (text: string): string =>
  new Date(`${text}T00:00:00.000Z`).toLocaleString('es-MX', { dateStyle: 'long', timeZone: 'UTC' })

/** Seconds, and the same time in hours: `5,400 s (1.5 h)`. */
export const durationText = (seconds: number): string =>
  `${numberFormat.format(seconds)} s (${numberFormat.format(Math.round(seconds / 36) / 100)} h)`
