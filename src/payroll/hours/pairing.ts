import type { LogKind } from '../../core/values/log-values.ts'

/**
 * Turns logs into pairs of entrada and salida. docs/payroll.md explains the rules.
 */

/** The fields of a log that pairing needs. */
export interface PairedLog {
  log_id: number
  kind: LogKind
  /** Whole seconds since 1970. */
  second: number
}

/** A log together with the logs that repeat it, each within five minutes of the one before. */
interface Punch<L extends PairedLog> {
  /** The kind of the logs that are not `checada`. It is `checada` if all logs are. */
  kind: LogKind
  logs: L[]
}

/** An entrada with its salida, or one of them alone. */
export interface Shift<L extends PairedLog> {
  /** Among repeated logs, the first one that counts, or the first one if none counts. */
  entrada: L | undefined
  /** Among repeated logs, the last one that counts, or the last one if none counts. */
  salida: L | undefined
  /** All logs of the shift, also the ignored ones. */
  logs: L[]
  /** Whether a log was repeated within five minutes. */
  isRepeated: boolean
  /** Whether a salida less than a minute after the entrada was ignored. */
  hasBriefSalida: boolean
  /** Whether another entrada came while the entrada of this shift was open. */
  isInterrupted: boolean
}

export interface Pair<L extends PairedLog> extends Shift<L> {
  entrada: L
  salida: L
}

export interface PairingRules<L extends PairedLog> {
  /** How long an entrada stays open, in seconds. */
  maxShift(entrada: L): number
  /**
   * Whether a log may be in a counted pair. Approved logs may. In hours with `preview=true`, pending
   * logs may too.
   */
  counts(log: L): boolean
}

/**
 * A log of the same kind that comes at most this many seconds after the previous log belongs to the
 * same punch. A `checada` may repeat any kind.
 */
export const REPEATED_S = 5 * 60

/** A salida that comes fewer seconds than this after its entrada does not end the shift. */
const BRIEF_S = 60

export const isPair = <L extends PairedLog>(shift: Shift<L>): shift is Pair<L> =>
  shift.entrada !== undefined && shift.salida !== undefined

export const secondsOf = ({ entrada, salida }: Pair<PairedLog>): number =>
  salida.second - entrada.second

export const secondsOfPairs = (pairs: readonly Pair<PairedLog>[]): number =>
  pairs.reduce((sum, pair) => sum + secondsOf(pair), 0)

/** The pairs of which both logs count. */
export const countedPairs = <L extends PairedLog>(
  shifts: readonly Shift<L>[],
  { counts }: Pick<PairingRules<L>, 'counts'>,
): Pair<L>[] =>
  shifts.filter(isPair).filter(({ entrada, salida }) => counts(entrada) && counts(salida))

const KIND_ORDER: readonly LogKind[] = ['salida', 'entrada', 'checada']

/**
 * Sorts by time. Within a second, a salida comes before an entrada: one shift ends before the next
 * begins.
 */
export const inPairingOrder = (a: PairedLog, b: PairedLog): number =>
  a.second - b.second ||
  KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
  a.log_id - b.log_id

/** A `checada` takes the kind of the log that it repeats. */
const mergedKind = (a: LogKind, b: LogKind): LogKind | undefined => {
  if (a === b || b === 'checada') return a
  return a === 'checada' ? b : undefined
}

const toPunches = <L extends PairedLog>(logs: readonly L[]): Punch<L>[] => {
  const punches: Punch<L>[] = []
  for (const log of logs) {
    const last = punches.at(-1)
    const previous = last?.logs.at(-1)
    const kind = last && mergedKind(last.kind, log.kind)
    if (last && previous && kind && log.second - previous.second <= REPEATED_S) {
      last.kind = kind
      last.logs.push(log)
    } else {
      punches.push({ kind: log.kind, logs: [log] })
    }
  }
  return punches
}

/**
 * Pairs the logs of one employee, which must be in pairing order. Each log is in exactly one shift,
 * and shifts never overlap.
 */
export const pairLogs = <L extends PairedLog>(
  logs: readonly L[],
  { maxShift, counts }: PairingRules<L>,
): Shift<L>[] => {
  const shifts: Shift<L>[] = []
  for (const punch of toPunches(logs)) {
    const shift = shifts.at(-1)
    const entrada = punch.logs.find(counts) ?? punch.logs[0]
    const salida = punch.logs.findLast(counts) ?? punch.logs.at(-1)
    const open = shift?.salida ? undefined : shift?.entrada
    const elapsed = (log: L | undefined) => (open && log ? log.second - open.second : Infinity)
    const isWithin = (log: L | undefined) => open !== undefined && elapsed(log) <= maxShift(open)
    const role = punch.kind === 'checada' ? (isWithin(salida) ? 'salida' : 'entrada') : punch.kind
    const isRepeated = punch.logs.length > 1
    if (shift && role === 'salida' && isWithin(salida)) {
      shift.logs.push(...punch.logs)
      shift.isRepeated ||= isRepeated
      if (elapsed(salida) < BRIEF_S) shift.hasBriefSalida = true
      else shift.salida = salida
    } else {
      if (shift && role === 'entrada' && isWithin(entrada)) shift.isInterrupted = true
      shifts.push({
        entrada: role === 'entrada' ? entrada : undefined,
        salida: role === 'salida' ? salida : undefined,
        logs: [...punch.logs],
        isRepeated,
        hasBriefSalida: false,
        isInterrupted: false,
      })
    }
  }
  return shifts
}
