import { DAY_MS } from '../../core/values/time-zone.ts'
import type { HoursLog } from './hours-log.ts'
import { isPair, type Pair, type Shift, secondsOf } from './pairing.ts'

/** Times of day that differ by at most this many seconds count as the same time. */
const SAME_TIME_S = 2 * 3600

/**
 * No shift of a rotation is longer than this many seconds. A longer inverted pair is rest that is
 * counted as work.
 */
const ROTATION_MAX_S = 12.5 * 3600

const timeOfDay = ({ local }: HoursLog): number =>
  Number(local.slice(11, 13)) * 3600 + Number(local.slice(14, 16)) * 60 + Number(local.slice(17))

const isSameTime = (a: HoursLog, b: HoursLog): boolean => {
  const apart = Math.abs(timeOfDay(a) - timeOfDay(b))
  return Math.min(apart, DAY_MS / 1000 - apart) <= SAME_TIME_S
}

/** Whether a pair is too long for a shift of a rotation. */
export const isLongerThanRotation = (pair: Pair<HoursLog>): boolean =>
  secondsOf(pair) > ROTATION_MAX_S

/** The times of the newest day that is not known to be inverted, and the days before with the same. */
interface UsualTimes {
  begin: HoursLog
  end: HoursLog
  days: string[]
  hasLongPair: boolean
}

/** Whether a pair without kinds begins when the usual day ends, and ends when it begins. */
const isSwapped = (
  shift: Shift<HoursLog>,
  { begin, end }: UsualTimes,
): shift is Shift<HoursLog> & Pair<HoursLog> =>
  isPair(shift) &&
  shift.logs.every(({ kind }) => kind === 'checada') &&
  isSameTime(shift.entrada, end) &&
  isSameTime(shift.salida, begin) &&
  !isSameTime(shift.entrada, begin)

/** A pair without kinds that is at most this long may be one punch that was made twice. */
const TWICE_S = 3600

/**
 * Whether a day's pairs are all so short, and a pause between them so much longer, that each pair is
 * probably one punch made twice: 08:00, 08:08, 17:00 and 17:08 are a day of work, and no 16 minutes.
 */
const isTurnedInsideOut = (shifts: readonly Shift<HoursLog>[]): boolean => {
  if (shifts.length < 2 || !shifts.every(isPair)) return false
  const hasKinds = shifts.some(({ logs }) => logs.some(({ kind }) => kind !== 'checada'))
  const work = shifts.map(secondsOf)
  const pauses = shifts.slice(1).map(({ entrada }, i) => {
    const before = shifts[i]?.salida
    return before ? entrada.second - before.second : 0
  })
  const isShort = work.every((seconds) => seconds <= TWICE_S)
  return !hasKinds && isShort && Math.max(...pauses) > work.reduce((sum, one) => sum + one, 0)
}

const nextUsualTimes = (
  usual: UsualTimes | undefined,
  day: string,
  shifts: readonly Shift<HoursLog>[],
): UsualTimes | undefined => {
  const pairs = shifts.filter(isPair)
  const [first, last] = [pairs[0], pairs.at(-1)]
  if (!first || !last) return usual
  const goesOn =
    usual && isSameTime(first.entrada, usual.begin) && isSameTime(last.salida, usual.end)
  const days = goesOn ? usual.days : []
  days.push(day)
  const hasLongPair = pairs.some(isLongerThanRotation)
  return { begin: first.entrada, end: last.salida, days, hasLongPair }
}

/**
 * The days whose pairs may be inverted because one punch is missing: exits are read as entries, so
 * rest is counted as work. It happens with clocks that send no kind. Someone who works from 08:00
 * to 17:00 then has a pair from 17:00 to 08:00 on each day, until a pause. After the pause the pairs
 * are right again, and one punch is left over.
 *
 * A swapped pair that directly follows another pair is such a day. If it is long, all days after it
 * with swapped pairs are of the same run. If it is not, the shift may have rotated, so the day alone
 * is marked. If the pairs swap after a left-over punch and are short then, the days before were the
 * inverted ones, from their first day on. A day that is turned inside out is such a day, too.
 * @param shiftsByDay the shifts of one person by local day, in the order of the days
 */
export const invertedDays = (
  shiftsByDay: ReadonlyMap<string, readonly Shift<HoursLog>[]>,
): Set<string> => {
  const inverted = new Set<string>()
  let usual: UsualTimes | undefined
  let previous: Shift<HoursLog> | undefined
  let isInRun = false
  for (const [day, shifts] of shiftsByDay) {
    let swapped: { isLong: boolean; followsPair: boolean } | undefined
    for (const shift of shifts) {
      if (usual && !swapped && isSwapped(shift, usual)) {
        const followsPair = previous !== undefined && isPair(previous)
        swapped = { isLong: isLongerThanRotation(shift), followsPair }
      }
      previous = shift
    }
    if (isTurnedInsideOut(shifts)) inverted.add(day)
    isInRun = swapped !== undefined && (isInRun || (swapped.followsPair && swapped.isLong))
    if (isInRun || swapped?.followsPair) inverted.add(day)
    if (isInRun) continue
    const wereInverted = swapped && !swapped.followsPair && !swapped.isLong && usual?.hasLongPair
    if (wereInverted) for (const usualDay of usual?.days ?? []) inverted.add(usualDay)
    usual = nextUsualTimes(usual, day, shifts)
  }
  return inverted
}
