import type { LogStatus } from '../shared/log-values.ts'
import { isPair, type Pair, type Punch, pairPunches, type Shift } from './pairing.ts'

/** What somebody must still mend, in the order of a row. */
export const EXCEPTIONS = [
  'sin_salida',
  'sin_entrada',
  'entrada_repetida',
  'menos_de_60_s',
  'jornada_larga',
  'pendientes',
  'rechazada',
  'sin_checadas',
  'sin_sincronizar',
] as const

/** What is worth knowing, and leaves every pair whole. */
export const NOTICES = ['rechazada', 'manual', 'tipo_deducido', 'repetida', 'extemporanea'] as const

export type Exception = (typeof EXCEPTIONS)[number]
export type Notice = (typeof NOTICES)[number]

/** Where a log was recorded: copied when it arrived. */
export interface Place {
  department: string
  branch_office: string
  payroll_group: string
}

export interface HoursLog extends Punch, Place {
  log_id: number
  status: LogStatus
  /** Added by hand. */
  isManual: boolean
  /** It arrived after its period was closed. */
  isLate: boolean
}

/** A day of one employee. */
export interface WorkDay extends Place {
  /** The local day of the entrada. */
  day: string
  /** Seconds since 1970, of logs that count. */
  first_in: number | undefined
  last_out: number | undefined
  /** How many pairs count. */
  pairs: number
  /** Null where no pair counts: never zero. */
  worked_seconds: number | null
  /** `08:00–13:00 (14:00–17:00)`; in parentheses what does not count while it is pending. */
  detail: string
  exceptions: Exception[]
  notices: Notice[]
  /** The logs of the day that are not rejected. */
  log_ids: number[]
}

export interface DayOptions {
  /** How long an entrada stands open, in seconds. */
  maxShift: number
  /** Counts pending logs as if they were approved. */
  preview: boolean
  /** The local time of a second: `2026-11-02 08:00:00`. */
  localTime(second: number): string
}

/** A longer pair is counted whole, and somebody should look at it. */
const LONG_S = 12 * 3600

/** Two pairs closer than this are the same one, with another of its repeated punches. */
const SAME_S = 5 * 60

const DAY_MS = 86_400_000

interface Day {
  shifts: Shift<HoursLog>[]
  rejected: HoursLog[]
  /** The shifts as they would be without any rejection. */
  unrejected: Shift<HoursLog>[]
}

const groupByDay = (
  logs: readonly HoursLog[],
  { maxShift, localTime }: DayOptions,
): Map<string, Day> => {
  const days = new Map<string, Day>()
  const dayOf = ({ entrada, salida }: Shift<HoursLog>): Day => {
    const day = localTime((entrada ?? salida)?.second ?? 0).slice(0, 10)
    const known = days.get(day) ?? { shifts: [], rejected: [], unrejected: [] }
    days.set(day, known)
    return known
  }
  const kept = logs.filter(({ status }) => status !== 'rejected')
  const shifts = pairPunches(kept, maxShift)
  for (const shift of shifts) dayOf(shift).shifts.push(shift)
  const unrejected = kept.length === logs.length ? shifts : pairPunches(logs, maxShift)
  for (const shift of unrejected) {
    const day = dayOf(shift)
    day.unrejected.push(shift)
    day.rejected.push(...shift.punches.filter(({ status }) => status === 'rejected'))
  }
  return days
}

const isNear = (a: Punch, b: Punch): boolean => Math.abs(a.second - b.second) <= SAME_S

/** Whether a rejection has cost a pair, or joined two. */
const hasLostPair = ({ shifts, unrejected }: Day): boolean => {
  const [pairs, before] = [shifts.filter(isPair), unrejected.filter(isPair)]
  return (
    pairs.length !== before.length ||
    pairs.some(({ entrada, salida }, i) => {
      const other = before[i]
      return !other || !isNear(entrada, other.entrada) || !isNear(salida, other.salida)
    })
  )
}

const secondsOf = ({ entrada, salida }: Pair<HoursLog>): number => salida.second - entrada.second

const exceptionsOf = (day: Day): Exception[] => {
  const { shifts } = day
  const found = {
    sin_salida: shifts.some(({ salida }) => !salida),
    sin_entrada: shifts.some(({ entrada }) => !entrada),
    entrada_repetida: shifts.some(({ isInterrupted }) => isInterrupted),
    menos_de_60_s: shifts.some(({ hasBriefSalida }) => hasBriefSalida),
    jornada_larga: shifts.filter(isPair).some((pair) => secondsOf(pair) > LONG_S),
    pendientes: shifts.some(({ punches }) => punches.some(({ status }) => status === 'pending')),
    rechazada: hasLostPair(day),
    sin_checadas: false,
    sin_sincronizar: false,
  }
  return EXCEPTIONS.filter((name) => found[name])
}

const noticesOf = (day: Day): Notice[] => {
  const punches = day.shifts.flatMap((shift) => shift.punches)
  const found = {
    rechazada: day.rejected.length > 0 && !hasLostPair(day),
    manual: punches.some(({ isManual }) => isManual),
    tipo_deducido: punches.some(({ kind }) => kind === 'checada'),
    repetida: day.shifts.some(({ isRepeated }) => isRepeated),
    extemporanea: punches.some(({ isLate }) => isLate),
  }
  return NOTICES.filter((name) => found[name])
}

/** How many days a local time lies after a day. */
const daysAfter = (day: string, time: string): number =>
  (Date.parse(time.slice(0, 10)) - Date.parse(day)) / DAY_MS

const toWorkDay = (day: string, found: Day, { preview, localTime }: DayOptions): WorkDay => {
  const { shifts, rejected } = found
  const counts = (log: HoursLog | undefined): log is HoursLog =>
    log !== undefined && (log.status === 'approved' || (preview && log.status === 'pending'))
  const pairs = shifts.filter(isPair)
  const counted = pairs.filter(({ entrada, salida }) => counts(entrada) && counts(salida))
  const minuteOf = (log: HoursLog | undefined): string => {
    if (!log) return '?'
    const time = localTime(log.second)
    const days = daysAfter(day, time)
    return `${time.slice(11, 16)}${days > 0 ? `+${days}` : ''}`
  }
  const describe = (shift: Shift<HoursLog>): string => {
    const text = `${minuteOf(shift.entrada)}–${minuteOf(shift.salida)}`
    return isPair(shift) && !counted.includes(shift) ? `(${text})` : text
  }
  const [first = rejected[0]] = shifts.flatMap(({ punches }) => punches)
  return {
    day,
    department: first?.department ?? '',
    branch_office: first?.branch_office ?? '',
    payroll_group: first?.payroll_group ?? '',
    first_in: shifts.map(({ entrada }) => entrada).find(counts)?.second,
    last_out: shifts.map(({ salida }) => salida).findLast(counts)?.second,
    pairs: counted.length,
    worked_seconds:
      counted.length > 0 ? counted.reduce((sum, pair) => sum + secondsOf(pair), 0) : null,
    detail: shifts.map(describe).join(' '),
    exceptions: exceptionsOf(found),
    notices: noticesOf(found),
    log_ids: shifts.flatMap(({ punches }) => punches.map(({ log_id }) => log_id)),
  }
}

/**
 * The days of one employee, oldest first. The logs come in order of time; they begin before the
 * first day and end after the last one that matter, so that night shifts are whole.
 */
export const toWorkDays = (logs: readonly HoursLog[], options: DayOptions): WorkDay[] =>
  [...groupByDay(logs, options)]
    .filter(([, { shifts, rejected }]) => shifts.length + rejected.length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, found]) => toWorkDay(day, found, options))
