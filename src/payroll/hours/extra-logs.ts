import { addDays } from '../../core/values/time-zone.ts'
import { dayOf, dayOfShift, type HoursLog } from './hours-log.ts'
import { invertedDays } from './inverted-days.ts'
import { isPair, type PairingRules, pairLogs, type Shift } from './pairing.ts'

/** A punch may be one too many if another lies at most this many seconds from it. */
export const CLOSE_S = 3600

/** A punch too many can also spoil the days after it, until a long pause. So many are looked at. */
const DAYS_SPOILT = 7

/** A shift of a day may end up to this many days later, since it may have 36 hours. */
const SHIFT_DAYS = 2

/** As many shifts before a day show a person's usual times. */
const USUAL_SHIFTS = 30

/** A day near more close punches than this has other problems than one punch too many. */
const CANDIDATES_MAX = 60

export interface ExtraLogRules extends Pick<PairingRules<HoursLog>, 'maxShift'> {
  /** The shifts by day, and which of these days are inverted. */
  days: ReadonlyMap<string, readonly Shift<HoursLog>[]>
  inverted: ReadonlySet<string>
  /** Whether the person is at work in the shift now, so that its salida is not missing. */
  isRunning(shift: Shift<HoursLog>): boolean
  /** Whether the shift is an exception because of its length. */
  isLong(shift: Shift<HoursLog>): boolean
}

/** Whether another log is close to the log at an index. */
const isClose = (logs: readonly HoursLog[], index: number): boolean => {
  const at = (i: number) => logs[i]?.second ?? Infinity
  return Math.abs(at(index) - at(index - 1)) <= CLOSE_S || at(index + 1) - at(index) <= CLOSE_S
}

/**
 * Finds the punches that are one too many on a day. Each of them lies at most an hour from another,
 * and if it alone is left out, the day is whole: each entrada has its salida, and no pair is
 * suspicious. No whole day is spoilt by it. A day that is whole has no such punch, and neither has a
 * day that needs two left out. A log that somebody added or requested, with a reason, is not among
 * them if another one is.
 * @param logs all logs of a person that are not rejected, in pairing order
 * @param shifts the shifts of these logs, as if all of them counted
 */
export const extraLogFinder = (
  logs: readonly HoursLog[],
  shifts: readonly Shift<HoursLog>[],
  { days, inverted, maxShift, isRunning, isLong }: ExtraLogRules,
) => {
  type Shifts = readonly Shift<HoursLog>[]
  const rules = { maxShift, counts: () => true }
  // Only clocks without kinds make inverted days.
  const mayInvert = logs.some(({ kind }) => kind === 'checada')

  const isClosed = (ofDay: Shifts = []): boolean =>
    ofDay.every(
      (shift) =>
        (isPair(shift) || isRunning(shift)) && !shift.isInterrupted && !shift.hasBriefSalida,
    )
  const hasLong = (ofDay: Shifts = []): boolean => ofDay.some(isLong)
  const isWhole = (day: string): boolean => isClosed(days.get(day)) && !inverted.has(day)
  const isSpoilt = (day: string): boolean => !isWhole(day) || hasLong(days.get(day))

  /** The index of each log's shift. */
  const shiftOf = new Map<HoursLog, number>()
  const shiftAt = (log: HoursLog): number => {
    if (shiftOf.size === 0) {
      for (const [i, { logs: own }] of shifts.entries()) for (const one of own) shiftOf.set(one, i)
    }
    return shiftOf.get(log) ?? 0
  }

  /** The days that are whole without a log. None if a whole day is not whole without it. */
  const mendedWithout = (extra: HoursLog): ReadonlySet<string> => {
    // Pairing from the begin of a shift on makes the same shifts.
    const firstShift = Math.max(0, shiftAt(extra) - 1)
    const firstLog = shifts[firstShift]?.logs[0] ?? extra
    const last = addDays(dayOf(extra), DAYS_SPOILT + SHIFT_DAYS)
    const begin = logs.indexOf(firstLog)
    const end = logs.findLastIndex((log) => dayOf(log) <= last) + 1
    const rest = logs.slice(begin, end).filter((log) => log !== extra)
    const before = shifts.slice(Math.max(0, firstShift - USUAL_SHIFTS), firstShift)
    const shiftsWithout = [...before, ...pairLogs(rest, rules)]
    const from = firstLog.local.slice(0, 10)
    const to = end === logs.length ? last : addDays(last, -SHIFT_DAYS)
    const without = Map.groupBy(
      shiftsWithout.filter((shift, i) => i >= before.length || dayOfShift(shift) === from),
      dayOfShift,
    )
    const compared = [...days.keys()].filter((day) => day >= from && day <= to)
    const wholeAfter = compared.filter((day) => isClosed(without.get(day)))
    if (wholeAfter.every((day) => !isSpoilt(day))) return new Set()
    const invertedWithout = mayInvert
      ? invertedDays(Map.groupBy(shiftsWithout, dayOfShift))
      : new Set<string>()
    const isGood = (day: string) => isClosed(without.get(day)) && !invertedWithout.has(day)
    const becomesLong = (day: string) => hasLong(without.get(day)) && !hasLong(days.get(day))
    const spoilsOne = compared.some((day) => isWhole(day) && (!isGood(day) || becomesLong(day)))
    // A day that is only long must become shorter.
    const isMended = (day: string) =>
      isSpoilt(day) && isGood(day) && (!isWhole(day) || !hasLong(without.get(day)))
    return new Set(spoilsOne ? [] : compared.filter(isMended))
  }
  const mended = new Map<HoursLog, ReadonlySet<string>>()

  return (day: string): number[] => {
    if (!isSpoilt(day)) return []
    const [from, to] = [addDays(day, -DAYS_SPOILT), addDays(day, 1)]
    const candidates = logs.filter((log, i) => {
      const dayOfLog = dayOf(log)
      return dayOfLog >= from && dayOfLog <= to && isClose(logs, i)
    })
    if (candidates.length > CANDIDATES_MAX) return []
    const found = candidates.filter((log) => {
      const ofLog = mended.get(log) ?? mendedWithout(log)
      mended.set(log, ofLog)
      return ofLog.has(day)
    })
    const given = found.filter(({ isManual, isRequest }) => !isManual && !isRequest)
    return (given.length > 0 ? given : found).map(({ log_id }) => log_id)
  }
}
