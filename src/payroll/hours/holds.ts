import { dayOf, dayOfShift, type HoursLog, isNotRejected } from './hours-log.ts'
import {
  countedPairs,
  type Pair,
  type PairingRules,
  pairLogs,
  REPEATED_S,
  type Shift,
  secondsOfPairs,
} from './pairing.ts'

/** Pending logs that can change the figure of a day. */
export interface Hold {
  /** The oldest of these logs. */
  log_id: number
  /** The seconds of the pairs that exist both with and without the pending logs. */
  certain_seconds: number
}

const secondOf = (log: HoursLog | undefined): number => log?.second ?? -Infinity

const pairKey = ({ entrada, salida }: Pair<HoursLog>): string =>
  `${entrada.log_id}-${salida.log_id}`

/** How many of the logs, which are sorted by time, are not later than a second. */
const countUntil = (logs: readonly HoursLog[], second: number): number => {
  let [low, high] = [0, logs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((logs[middle]?.second ?? Infinity) <= second) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * From which log on the shifts of a day can be made: pairing from the begin of a shift on makes the
 * same shifts, so the last shift that begins on an earlier day is enough.
 */
const beginFinder = (logs: readonly HoursLog[], rules: PairingRules<HoursLog>) => {
  let index = 0
  const shifts = pairLogs(logs, rules).map((shift) => {
    const begin = { day: dayOfShift(shift), index }
    index += shift.logs.length
    return begin
  })
  return (day: string): number => {
    const next = shifts.findIndex((shift) => shift.day >= day)
    return shifts.at(next === -1 ? -1 : Math.max(0, next - 1))?.index ?? 0
  }
}

/** Logs with those after them that may repeat the last one, and so move the end of its shift. */
const withRepetitions = (logs: readonly HoursLog[], after: readonly HoursLog[]): HoursLog[] => {
  const all = [...logs]
  for (const log of after) {
    if (log.second - secondOf(all.at(-1)) > REPEATED_S) break
    all.push(log)
  }
  return all
}

/**
 * Finds out whether pending logs hold a day of a stretch: whether a decision on them could still
 * change the pairs of the day. A day is held by all pending logs of its stretch up to one longest
 * shift after the day's last log. Pairs that exist if all of these logs count, and also if none
 * does, are called certain. They can be paid, although a decision on some of the logs can still
 * change them. No day is held if pending logs count.
 */
export const holdFinder = (
  stretch: readonly HoursLog[],
  rules: PairingRules<HoursLog>,
  maxShiftOn: (day: string) => number,
): ((day: string, shifts: readonly Shift<HoursLog>[]) => Hold | null) => {
  const logs = stretch.filter(isNotRejected)
  const oldest = logs.find((log) => !rules.counts(log))
  if (!oldest) return () => null
  const counting = logs.filter(rules.counts)
  const beginOf = beginFinder(counting, rules)
  const lastLogOf = new Map(stretch.map((log) => [dayOf(log), log]))

  return (day, shifts) => {
    const pairs = countedPairs(shifts, rules)
    const last = Math.max(secondOf(lastLogOf.get(day)), secondOf(pairs.at(-1)?.salida))
    const until = last + maxShiftOn(day)
    if (oldest.second > until) return null
    const ifNoneCounts = withRepetitions(
      counting.slice(beginOf(day), countUntil(counting, until)),
      logs.slice(countUntil(logs, until)),
    )
    const certain = new Set(countedPairs(pairLogs(ifNoneCounts, rules), rules).map(pairKey))
    const certain_seconds = secondsOfPairs(pairs.filter((pair) => certain.has(pairKey(pair))))
    return { log_id: oldest.log_id, certain_seconds }
  }
}
