import { addDays } from '../../core/values/time-zone.ts'
import { type Hold, holdFinder } from './holds.ts'
import { dayOf, dayOfShift, type HoursLog, isNotRejected, isRejected } from './hours-log.ts'
import { countedPairs, type PairingRules, pairLogs, type Shift, secondsOfPairs } from './pairing.ts'

/** A stretch is a series of logs without a pause that is longer than the longest shift. */

/**
 * The longest pause after a log of a day, in seconds. A shift may have begun up to two days before,
 * when another rule was valid. So a rule changes no shift that began before its first day.
 */
const pauseAfter = (maxShiftOn: (day: string) => number) => {
  const known = new Map<string, number>()
  return (day: string): number => {
    const pause =
      known.get(day) ?? Math.max(...[0, 1, 2].map((days) => maxShiftOn(addDays(day, -days))))
    known.set(day, pause)
    return pause
  }
}

/** Splits logs at each pause that is longer than the longest shift. */
export const toStretches = (
  logs: readonly HoursLog[],
  maxShiftOn: (day: string) => number,
): HoursLog[][] => {
  const pauseOf = pauseAfter(maxShiftOn)
  const stretches: HoursLog[][] = []
  for (const log of logs) {
    const last = stretches.at(-1)
    const previous = last?.at(-1)
    if (last && previous && log.second - previous.second <= pauseOf(dayOf(previous))) last.push(log)
    else stretches.push([log])
  }
  return stretches
}

/** What the logs of a stretch say of one local day. */
export interface StretchDay {
  day: string
  shifts: Shift<HoursLog>[]
  rejected: HoursLog[]
  ifNoneRejected: Shift<HoursLog>[]
  /** The logs of the day's stretch that are not rejected. */
  stretch: readonly HoursLog[]
  hold: Hold | null
}

/** Days on which no shift begins are included, because a pending log may hold their paid hours. */
export const daysOfStretch = (
  stretch: readonly HoursLog[],
  rules: PairingRules<HoursLog>,
  maxShiftOn: (day: string) => number,
): StretchDay[] => {
  const logs = stretch.filter(isNotRejected)
  const counts = (log: HoursLog) => isRejected(log) || rules.counts(log)
  const shiftsOf = Map.groupBy(pairLogs(logs, rules), dayOfShift)
  const ifNoneRejectedOf =
    logs.length === stretch.length
      ? shiftsOf
      : Map.groupBy(pairLogs(stretch, { ...rules, counts }), dayOfShift)
  const holdOf = holdFinder(stretch, rules, maxShiftOn)
  return [...new Set(stretch.map(dayOf))].map((day) => {
    const shifts = shiftsOf.get(day) ?? []
    const ifNoneRejected = ifNoneRejectedOf.get(day) ?? []
    const rejected = ifNoneRejected.flatMap((shift) => shift.logs.filter(isRejected))
    return { day, shifts, rejected, ifNoneRejected, stretch: logs, hold: holdOf(day, shifts) }
  })
}

/** All pairs of a stretch without a hold are certain. */
const mergeHolds = (parts: readonly StretchDay[], rules: PairingRules<HoursLog>): Hold | null => {
  const oldest = parts.find(({ hold }) => hold !== null)?.hold
  if (!oldest) return null
  const certain = parts.map(
    ({ hold, shifts }) => hold?.certain_seconds ?? secondsOfPairs(countedPairs(shifts, rules)),
  )
  return { ...oldest, certain_seconds: certain.reduce((sum, seconds) => sum + seconds, 0) }
}

/** One day of which several stretches have logs. */
export const mergeParts = (
  day: string,
  parts: readonly StretchDay[],
  rules: PairingRules<HoursLog>,
): StretchDay => ({
  day,
  shifts: parts.flatMap(({ shifts }) => shifts),
  rejected: parts.flatMap(({ rejected }) => rejected),
  ifNoneRejected: parts.flatMap(({ ifNoneRejected }) => ifNoneRejected),
  stretch: parts.flatMap(({ stretch }) => stretch),
  hold: mergeHolds(parts, rules),
})
