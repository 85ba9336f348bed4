import type { LogStatus } from '../../shared/log-values.ts'
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
  /** When it arrived: UTC with milliseconds. */
  received_at: string
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
  /** Late logs that wait for a decision. */
  waiting: HoursLog[]
  rejected: HoursLog[]
  /** The shifts as they would be without any rejection. */
  unrejected: Shift<HoursLog>[]
}

const groupByDay = (
  logs: readonly HoursLog[],
  { maxShift, preview, localTime }: DayOptions,
): Map<string, Day> => {
  const days = new Map<string, Day>()
  const dayOf = (second: number): Day => {
    const day = localTime(second).slice(0, 10)
    const known = days.get(day) ?? { shifts: [], waiting: [], rejected: [], unrejected: [] }
    days.set(day, known)
    return known
  }
  const dayOfShift = ({ entrada, salida }: Shift<HoursLog>): Day =>
    dayOf((entrada ?? salida)?.second ?? 0)
  // What arrives after a closing costs nobody paid hours before somebody has decided it.
  const isWaiting = ({ status, isLate }: HoursLog) => isLate && status === 'pending' && !preview
  for (const log of logs) if (isWaiting(log)) dayOf(log.second).waiting.push(log)
  const present = logs.filter((log) => !isWaiting(log))
  const kept = present.filter(({ status }) => status !== 'rejected')
  const shifts = pairPunches(kept, maxShift)
  for (const shift of shifts) dayOfShift(shift).shifts.push(shift)
  const unrejected = kept.length === present.length ? shifts : pairPunches(present, maxShift)
  for (const shift of unrejected) {
    const day = dayOfShift(shift)
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

/** The logs of a day that are not rejected. */
const logsOf = ({ shifts, waiting }: Day): HoursLog[] => [
  ...shifts.flatMap(({ punches }) => punches),
  ...waiting,
]

const exceptionsOf = (day: Day): Exception[] => {
  const { shifts } = day
  const found = {
    sin_salida: shifts.some(({ salida }) => !salida),
    sin_entrada: shifts.some(({ entrada }) => !entrada),
    entrada_repetida: shifts.some(({ isInterrupted }) => isInterrupted),
    menos_de_60_s: shifts.some(({ hasBriefSalida }) => hasBriefSalida),
    jornada_larga: shifts.filter(isPair).some((pair) => secondsOf(pair) > LONG_S),
    pendientes: logsOf(day).some(({ status }) => status === 'pending'),
    rechazada: hasLostPair(day),
    sin_checadas: false,
    sin_sincronizar: false,
  }
  return EXCEPTIONS.filter((name) => found[name])
}

const noticesOf = (day: Day): Notice[] => {
  const logs = logsOf(day)
  const found = {
    rechazada: day.rejected.length > 0 && !hasLostPair(day),
    manual: logs.some(({ isManual }) => isManual),
    tipo_deducido: logs.some(({ kind }) => kind === 'checada'),
    repetida: day.shifts.some(({ isRepeated }) => isRepeated),
    extemporanea: logs.some(({ isLate }) => isLate),
  }
  return NOTICES.filter((name) => found[name])
}

/** How many days a local time lies after a day. */
const daysAfter = (day: string, time: string): number =>
  (Date.parse(time.slice(0, 10)) - Date.parse(day)) / DAY_MS

/** The place of a day: of the log that arrived first, so that none that is late can move a day. */
const placeOf = (day: Day): Place => {
  const first = [...logsOf(day), ...day.rejected].reduce((a, b) =>
    b.received_at < a.received_at ? b : a,
  )
  const { department, branch_office, payroll_group } = first
  return { department, branch_office, payroll_group }
}

const toWorkDay = (day: string, found: Day, { preview, localTime }: DayOptions): WorkDay => {
  const counts = (log: HoursLog): boolean =>
    log.status === 'approved' || (preview && log.status === 'pending')
  // Of repeated punches, one that counts.
  const shifts = found.shifts.map((shift) => ({
    ...shift,
    entrada: shift.entradas.find(counts) ?? shift.entrada,
    salida: shift.salidas.findLast(counts) ?? shift.salida,
  }))
  const counted = shifts
    .filter(isPair)
    .filter(({ entrada, salida }) => counts(entrada) && counts(salida))
  const all = counted as readonly Shift<HoursLog>[]
  const minuteOf = (log: HoursLog | undefined): string => {
    if (!log) return '?'
    const time = localTime(log.second)
    const days = daysAfter(day, time)
    return `${time.slice(11, 16)}${days > 0 ? `+${days}` : ''}`
  }
  const describe = (shift: Shift<HoursLog>): string => {
    const text = `${minuteOf(shift.entrada)}–${minuteOf(shift.salida)}`
    return isPair(shift) && !all.includes(shift) ? `(${text})` : text
  }
  return {
    day,
    ...placeOf(found),
    first_in: shifts.flatMap(({ entrada }) => entrada ?? []).find(counts)?.second,
    last_out: shifts.flatMap(({ salida }) => salida ?? []).findLast(counts)?.second,
    pairs: counted.length,
    worked_seconds:
      counted.length > 0 ? counted.reduce((sum, pair) => sum + secondsOf(pair), 0) : null,
    detail: [...shifts.map(describe), ...found.waiting.map((log) => `(${minuteOf(log)})`)].join(
      ' ',
    ),
    exceptions: exceptionsOf(found),
    notices: noticesOf(found),
    log_ids: logsOf(found).map(({ log_id }) => log_id),
  }
}

/**
 * The days of one employee, oldest first. The logs come in order of time; they begin before the
 * first day and end after the last one that matter, so that night shifts are whole.
 */
export const toWorkDays = (logs: readonly HoursLog[], options: DayOptions): WorkDay[] =>
  [...groupByDay(logs, options)]
    .filter(([, day]) => logsOf(day).length + day.rejected.length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, found]) => toWorkDay(day, found, options))
