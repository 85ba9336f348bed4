import { addDays } from '../core/time-zone.ts'
import { dayOf, dayOfShift, type HoursLog } from './hours-log.ts'
import { invertedDays } from './inverted-days.ts'
import { isPair, type PairingRules, pairLogs, type Shift } from './pairing.ts'

/** A punch may be one too many if another lies at most this many seconds from it. */
const CLOSE_S = 3600

/** A punch too many can also spoil the days after it. It is looked for this many days back. */
const DAYS_BACK = 7

/** A shift of a day may end, or have begun, up to this many days away, since it may have 36 hours. */
const SHIFT_DAYS = 2

/** A day with more close punches than this has other problems than one punch too many. */
const CANDIDATES_MAX = 20

export interface ExtraLogRules extends Pick<PairingRules<HoursLog>, 'maxShift'> {
  /** Whether the person is at work in the shift now, so that its salida is not missing. */
  isRunning(shift: Shift<HoursLog>): boolean
  /** Whether the shift is an exception because of its length. */
  isLong(shift: Shift<HoursLog>): boolean
}

type ShiftsByDay = ReadonlyMap<string, readonly Shift<HoursLog>[]>

const byDay = (shifts: readonly Shift<HoursLog>[]): ShiftsByDay => Map.groupBy(shifts, dayOfShift)

/** Whether another log is close to the log at an index. */
const isClose = (logs: readonly HoursLog[], index: number): boolean => {
  const at = (i: number) => logs[i]?.second ?? Infinity
  return Math.abs(at(index) - at(index - 1)) <= CLOSE_S || at(index + 1) - at(index) <= CLOSE_S
}

/**
 * Finds the punches that are one too many on a day. Each of them lies at most an hour from another,
 * and if it alone is left out, the day is whole: each entrada has its salida, and no pair is
 * suspicious. No other whole day is spoilt by it. A day that is whole has no such punch, and neither
 * has a day that needs two left out.
 * @param logs all logs of a person that are not rejected, in pairing order
 * @param shifts the shifts of these logs, as if all of them counted
 */
export const extraLogFinder = (
  logs: readonly HoursLog[],
  shifts: readonly Shift<HoursLog>[],
  { maxShift, isRunning, isLong }: ExtraLogRules,
) => {
  const rules = { maxShift, counts: () => true }
  const days = byDay(shifts)
  const inverted = invertedDays(days)

  /** Whether nothing of a day is missing or too many. Then it may still be `long`. */
  const judge = (ofDay: readonly Shift<HoursLog>[] = [], isInverted: boolean) => ({
    whole:
      !isInverted &&
      ofDay.every(
        (shift) =>
          (isPair(shift) || isRunning(shift)) && !shift.isInterrupted && !shift.hasBriefSalida,
      ),
    long: ofDay.some(isLong),
  })
  const now = new Map(
    [...days].map(([day, ofDay]) => [day, judge(ofDay, inverted.has(day))] as const),
  )
  const isSpoilt = (day: string) => {
    const { whole, long } = now.get(day) ?? { whole: true, long: false }
    return !whole || long
  }

  /** The day before the first of the spoilt days that end with a day. */
  const beginOf = (day: string): string => {
    let first = addDays(day, -1)
    while (isSpoilt(first) && first > addDays(day, -DAYS_BACK)) first = addDays(first, -1)
    return first
  }

  return (day: string): number[] => {
    if (!isSpoilt(day)) return []
    const from = addDays(beginOf(day), -SHIFT_DAYS)
    const to = addDays(day, SHIFT_DAYS)
    const firstShift = shifts.findIndex((shift) => dayOfShift(shift) >= from)
    const firstLog = shifts[firstShift]?.logs[0]
    if (!firstLog) return []
    // Pairing from the begin of a shift on makes the same shifts.
    const begin = logs.indexOf(firstLog)
    const end = logs.findLastIndex((log) => dayOf(log) <= addDays(to, SHIFT_DAYS)) + 1
    const read = logs.slice(begin, end)
    const candidates = read.filter((log, i) => dayOf(log) <= addDays(day, 1) && isClose(read, i))
    if (candidates.length > CANDIDATES_MAX) return []
    const earlier = shifts.slice(0, firstShift)
    const compared = [...days.keys()].filter((other) => other >= from && other <= to)

    const makesWhole = (extra: HoursLog): boolean => {
      const without = [
        ...earlier,
        ...pairLogs(
          read.filter((log) => log !== extra),
          rules,
        ),
      ]
      const daysWithout = byDay(without)
      const invertedWithout = invertedDays(daysWithout)
      return compared.every((other) => {
        const { whole, long } = judge(daysWithout.get(other), invertedWithout.has(other))
        const before = now.get(other) ?? { whole: true, long: false }
        const isAsGood = (whole || !before.whole) && (!long || before.long)
        // A day that is only long must become shorter.
        return other === day ? whole && (!long || !before.whole) && isAsGood : isAsGood
      })
    }
    return candidates.filter(makesWhole).map(({ log_id }) => log_id)
  }
}
