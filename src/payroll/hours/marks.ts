import { CLOSE_S } from './extra-logs.ts'
import type { HoursLog } from './hours-log.ts'
import { isPair, type PairedLog, type Shift, secondsOf } from './pairing.ts'
import type { StretchDay } from './stretches.ts'

/** Which exceptions and notices a day has. */

/**
 * A pair that is longer than this many seconds counts in full. It is an exception unless the person
 * has a longest shift of their own.
 */
const LONG_S = 12 * 3600

/**
 * Two pairs whose times differ by at most this many seconds count as the same pair. The difference
 * comes from repeated logs.
 */
const SAME_S = 5 * 60

const isNear = (a: PairedLog, b: PairedLog): boolean => Math.abs(a.second - b.second) <= SAME_S

/** Whether a log that a person added replaces a rejected log, and every shift is a pair. */
const isMended = ({ shifts, ifNoneRejected }: StretchDay): boolean =>
  shifts.every(isPair) &&
  shifts.length >= ifNoneRejected.filter(isPair).length &&
  shifts.some(({ logs }) => logs.some(({ isManual, isRequest }) => isManual || isRequest))

/**
 * Whether the only rejected log was one too many: it is close to another log, which may end the night
 * before, and without it every shift is a pair.
 */
const wasTooMany = ({ shifts, stretch, rejected: [extra, ...others] }: StretchDay): boolean =>
  extra !== undefined &&
  others.length === 0 &&
  shifts.every((shift) => isPair(shift) && !shift.isInterrupted) &&
  stretch.some(({ second }) => Math.abs(second - extra.second) <= CLOSE_S)

/**
 * Whether a rejection has changed the pairs of the day, unless the log was one too many or an added
 * one has mended them.
 */
const hasLostPair = (day: StretchDay): boolean => {
  if (day.rejected.length === 0) return false
  const [pairs, before] = [day.shifts.filter(isPair), day.ifNoneRejected.filter(isPair)]
  const differs =
    pairs.length !== before.length ||
    pairs.some(({ entrada, salida }, i) => {
      const other = before[i]
      return !other || !isNear(entrada, other.entrada) || !isNear(salida, other.salida)
    })
  return differs && !isMended(day) && !wasTooMany(day)
}

export const logsOfDay = ({ shifts }: StretchDay): HoursLog[] => shifts.flatMap(({ logs }) => logs)

/** A day with the properties that depend on other days, on the person or on the current time. */
export interface JudgedDay extends StretchDay {
  /** The shift in which the person is at work now. */
  running: Shift<HoursLog> | undefined
  isInverted: boolean
  hasShiftRule: boolean
  isOffPayroll: boolean
  /** The shifts of the day, as if all logs that are not rejected counted. */
  shiftsOfAll: readonly Shift<HoursLog>[]
  extra_log_ids: number[]
}

export const isLong = (shift: Shift<HoursLog>): boolean =>
  isPair(shift) && secondsOf(shift) > LONG_S

type Tests = Record<string, (day: JudgedDay) => boolean>

/** The problems that the logs of a day show. */
const OF_LOGS = {
  sin_salida: ({ shifts, running }) => shifts.some((one) => !one.salida && one !== running),
  sin_entrada: ({ shifts }) => shifts.some(({ entrada }) => !entrada),
  entrada_repetida: ({ shifts }) => shifts.some(({ isInterrupted }) => isInterrupted),
  menos_de_60_s: ({ shifts }) => shifts.some(({ hasBriefSalida }) => hasBriefSalida),
  jornada_larga: ({ shifts, hasShiftRule }) => !hasShiftRule && shifts.some(isLong),
  pendientes: (day) => logsOfDay(day).some(({ status }) => status === 'pending'),
  rechazada: (day) => hasLostPair(day),
  posible_desfase: ({ isInverted }) => isInverted,
} satisfies Tests

/**
 * Remarks on a day that need no correction. `rechazada` is an exception instead if a rejection has
 * changed the pairs.
 */
const REMARKS = {
  rechazada: (day) => day.rejected.length > 0 && !hasLostPair(day),
  manual: (day) => logsOfDay(day).some(({ isManual }) => isManual),
  solicitada: (day) => logsOfDay(day).some(({ isRequest }) => isRequest),
  tipo_deducido: (day) => logsOfDay(day).some(({ kind }) => kind === 'checada'),
  repetida: ({ shifts }) => shifts.some(({ isRepeated }) => isRepeated),
  extemporanea: (day) => logsOfDay(day).some(({ isLate }) => isLate),
  fuera_de_relacion: (day) => day.isOffPayroll && logsOfDay(day).length > 0,
  otra_red: (day) => logsOfDay(day).some(({ isOtherNetwork }) => isOtherNetwork),
} satisfies Tests

const namesOf = <Names extends Tests>(tests: Names) =>
  Object.keys(tests) as (keyof Names & string)[]

/**
 * All problems of a day that somebody must correct or explain. The last three depend on more than
 * the day: `period-days.ts`, `totals.ts` and `closing-rows.ts` add them.
 */
export const EXCEPTIONS = [
  ...namesOf(OF_LOGS),
  'semana_sobre_limite',
  'sin_checadas',
  'sin_sincronizar',
] as const
export const NOTICES = namesOf(REMARKS)

export type DayException = (typeof EXCEPTIONS)[number]
export type DayNotice = (typeof NOTICES)[number]

export const exceptionsOf = (day: JudgedDay): DayException[] =>
  namesOf(OF_LOGS).filter((name) => OF_LOGS[name](day))

export const noticesOf = (day: JudgedDay): DayNotice[] =>
  namesOf(REMARKS).filter((name) => REMARKS[name](day))
