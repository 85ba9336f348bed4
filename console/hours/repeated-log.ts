import type { HoursDay } from '../../sdk/api-types.ts'

/** The minutes of a time such as `07:45`, from midnight on. */
export const minutesOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** If a second entrada or salida follows this soon, it was probably recorded twice. */
const REPEATED_MINUTES = 60

/** The times of both, such as 07:20 and 07:45 in `07:20–? (07:45–15:40)`, for each kind. */
const REPEATED = [
  ['entrada_repetida', 'entrada', /(\d\d:\d\d)–\?\)? \(?(\d\d:\d\d)–/],
  ['sin_entrada', 'salida', /–(\d\d:\d\d)(?:\+1)?\)? \?–(\d\d:\d\d)/],
] as const

/**
 * The second of two entradas or salidas within the hour. Undefined if there is none, or if the clock
 * gave no kinds, since the pairing may then be wrong.
 */
export const repeatedLog = ({ exceptions, notices, detail }: HoursDay) => {
  if (notices.includes('tipo_deducido')) return undefined
  for (const [exception, kind, pattern] of REPEATED) {
    const [, first, time] = (exceptions.includes(exception) && pattern.exec(detail)) || []
    if (!first || !time || time <= first) continue
    if (minutesOf(time) - minutesOf(first) <= REPEATED_MINUTES) return { kind, time }
  }
}
