import type { LogKind } from '../../core/values/log-values.ts'
import { DAY_MS } from '../../core/values/time-zone.ts'
import type { HoursLog } from './hours-log.ts'
import { REPEATED_S } from './pairing.ts'

/**
 * Finds days of people who may work guards of 24 h, under a longest shift that is too short for these.
 * Whoever works and rests by turns of 24 h hands over at the same hour each day, so that each punch
 * is alone: an entrada, a day later its salida, a day later the next entrada. Whoever rests 48 h
 * leaves out each third day.
 */

/** The fewest punches that raise the question. */
const PUNCHES = 4
const DAY_S = DAY_MS / 1000
/** How far apart the hours of two punches may be. */
const SLACK_S = 3600

type Punch = Pick<HoursLog, 'kind' | 'second' | 'local'>

/** The punches of logs that are not rejected, each without the logs that repeat it. */
const toPunches = (logs: readonly HoursLog[]): Punch[] => {
  const given = logs.filter(({ status }) => status !== 'rejected')
  return given.filter((log, i) => {
    const before = given[i - 1]
    return !before || log.second - before.second > REPEATED_S
  })
}

/** How many days are between two punches at the same hour: 1 or 2. 0 for any other two. */
const daysBetween = (a: Punch, b: Punch): number => {
  const days = Math.round((b.second - a.second) / DAY_S)
  const isSameHour = Math.abs(b.second - a.second - days * DAY_S) <= SLACK_S
  return isSameHour && days <= 2 ? days : 0
}

const alternate = (a: LogKind, b: LogKind): boolean => a !== b || a === 'checada'

/** @param logs the logs of one person in pairing order */
export const guardDays = (
  logs: readonly HoursLog[],
  maxShiftOn: (day: string) => number,
): Set<string> => {
  const days = new Set<string>()
  let run: Punch[] = []
  /** Whether the days before the last punch of the run were a rest of 48 h. */
  let afterRest = false
  const end = () => {
    if (run.length >= PUNCHES) for (const { local } of run) days.add(local.slice(0, 10))
  }
  for (const punch of toPunches(logs)) {
    const last = run.at(-1)
    const between = last ? daysBetween(last, punch) : 0
    const isLonger =
      last !== undefined && punch.second - last.second > maxShiftOn(last.local.slice(0, 10))
    const goesOn: boolean =
      last !== undefined &&
      (between === 1 || (between === 2 && !afterRest)) &&
      isLonger &&
      alternate(last.kind, punch.kind)
    if (!goesOn) {
      end()
      run = []
    }
    run.push(punch)
    afterRest = goesOn && between === 2
  }
  end()
  return days
}
