import type { LogKind } from '../../shared/log-values.ts'

/** How punches become pairs of entrada and salida; docs/payroll.md has the rules in words. */

/** What pairing needs of a log. */
export interface Punch {
  kind: LogKind
  /** Whole seconds since 1970. */
  second: number
}

/** An entrada with its salida, or one of them alone. */
export interface Shift<P extends Punch> {
  /** The first of its entradas. */
  entrada: P | undefined
  /** The last of its salidas. */
  salida: P | undefined
  /** One, or more where it was repeated. */
  entradas: P[]
  salidas: P[]
  /** All of its punches, those that were left aside too. */
  punches: P[]
  /** A punch was repeated within five minutes. */
  isRepeated: boolean
  /** A salida within a minute of the entrada was left aside. */
  hasBriefSalida: boolean
  /** Another entrada came while this one stood open. */
  isInterrupted: boolean
}

export interface Pair<P extends Punch> extends Shift<P> {
  entrada: P
  salida: P
}

/** The same kind again within this time is one punch. */
const REPEATED_S = 5 * 60

/** A salida sooner than this after its entrada does not close it. */
const BRIEF_S = 60

export const isPair = <P extends Punch>(shift: Shift<P>): shift is Pair<P> =>
  shift.entrada !== undefined && shift.salida !== undefined

type Role = 'entrada' | 'salida'

interface Last<P extends Punch> {
  punch: P
  role: Role
  shift: Shift<P>
}

const isAgain = (last: Last<Punch> | undefined, { second }: Punch): boolean =>
  last !== undefined && second - last.punch.second <= REPEATED_S

const secondsSince = (shift: Shift<Punch>, { second }: Punch): number =>
  second - (shift.entrada?.second ?? Number.NEGATIVE_INFINITY)

/** A `checada` closes the entrada that stands open, else it opens one. */
const roleOf = (punch: Punch, last: Last<Punch> | undefined, isOpen: boolean): Role => {
  if (punch.kind !== 'checada') return punch.kind
  if (last?.punch.kind === 'checada' && isAgain(last, punch)) return last.role
  return isOpen ? 'salida' : 'entrada'
}

/**
 * Pairs the punches of one employee, which come in order of time. Each punch is in exactly one shift,
 * and shifts never overlap.
 * @param maxShift how long an entrada stands open, in seconds
 */
export const pairPunches = <P extends Punch>(
  punches: readonly P[],
  maxShift: number,
): Shift<P>[] => {
  const shifts: Shift<P>[] = []
  let last: Last<P> | undefined
  const add = (role: Role, punch: P) => {
    const shift: Shift<P> = {
      entrada: role === 'entrada' ? punch : undefined,
      salida: role === 'salida' ? punch : undefined,
      entradas: role === 'entrada' ? [punch] : [],
      salidas: role === 'salida' ? [punch] : [],
      punches: [punch],
      isRepeated: false,
      hasBriefSalida: false,
      isInterrupted: false,
    }
    shifts.push(shift)
    last = { punch, role, shift }
  }
  for (const punch of punches) {
    const shift = shifts.at(-1)
    const isOpen =
      shift?.entrada !== undefined && !shift.salida && secondsSince(shift, punch) <= maxShift
    const role = roleOf(punch, last, isOpen)
    if (shift && last?.role === role && isAgain(last, punch) && last.shift === shift) {
      shift.punches.push(punch)
      shift.isRepeated = true
      if (role === 'entrada') {
        shift.entradas.push(punch)
      } else if (!shift.entrada || secondsSince(shift, punch) <= maxShift) {
        shift.salida = punch
        shift.salidas.push(punch)
      }
      last = { punch, role, shift }
    } else if (role === 'salida' && isOpen) {
      shift.punches.push(punch)
      if (secondsSince(shift, punch) < BRIEF_S) {
        shift.hasBriefSalida = true
      } else {
        shift.salida = punch
        shift.salidas.push(punch)
        last = { punch, role, shift }
      }
    } else {
      if (shift && isOpen) shift.isInterrupted = true
      add(role, punch)
    }
  }
  return shifts
}
