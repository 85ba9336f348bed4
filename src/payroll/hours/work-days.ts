import { DAY_MS } from '../../core/values/time-zone.ts'
import { type ExtraLogRules, extraLogFinder } from './extra-logs.ts'
import { dayOf, dayOfShift, type HoursLog, isNotRejected } from './hours-log.ts'
import { invertedDays, isLongerThanRotation } from './inverted-days.ts'
import { exceptionsOf, isLong, type JudgedDay, logsOfDay, noticesOf } from './marks.ts'
import {
  countedPairs,
  inPairingOrder,
  isPair,
  type PairingRules,
  pairLogs,
  type Shift,
  secondsOfPairs,
} from './pairing.ts'
import { toSpan } from './spans.ts'
import { daysOfStretch, mergeParts, toStretches } from './stretches.ts'
import { hasLogs, type WorkDay } from './work-day.ts'

export interface DayOptions {
  /** How long an entrada of a local day stays open, in seconds. */
  maxShiftOn(day: string): number
  /** Whether the person has a longest shift of their own on that day. */
  hasShiftRule(day: string): boolean
  /**
   * Whether the day is after the person's last day of work, or before the first one without having
   * been paid.
   */
  isOffPayroll(day: string): boolean
  /** Whether pending logs count as if they were approved. */
  countPending: boolean
  /** The current time, to tell who is at work. Undefined if nobody is. */
  now: Date | undefined
}

/** `06:00+1` for a time on the next day. */
const minuteOf = (log: HoursLog | undefined, day: string): string => {
  if (!log) return '?'
  const days = (Date.parse(dayOf(log)) - Date.parse(day)) / DAY_MS
  return `${log.local.slice(11, 16)}${days > 0 ? `+${days}` : ''}`
}

const toWorkDay = (day: JudgedDay, rules: PairingRules<HoursLog>): WorkDay => {
  const { shifts, rejected, hold } = day
  const pairs = countedPairs(shifts, rules)
  const counted = new Set<Shift<HoursLog>>(pairs)
  const textOf = (shift: Shift<HoursLog>): string => {
    const text = `${minuteOf(shift.entrada, day.day)}–${minuteOf(shift.salida, day.day)}`
    return isPair(shift) && !counted.has(shift) ? `(${text})` : text
  }
  const logs = logsOfDay(day)
  const [first] = [...(logs.length > 0 ? logs : rejected)].sort(inPairingOrder)
  return {
    day: day.day,
    department: first?.department ?? '',
    branch_office: first?.branch_office ?? '',
    first_in: shifts.flatMap(({ entrada }) => entrada ?? []).find(rules.counts)?.local ?? null,
    last_out: shifts.flatMap(({ salida }) => salida ?? []).findLast(rules.counts)?.local ?? null,
    pairs: pairs.length,
    worked_seconds: pairs.length > 0 ? secondsOfPairs(pairs) : null,
    hold,
    detail: shifts.map(textOf).join(' '),
    spans: day.shiftsOfAll.map(toSpan),
    extra_log_ids: day.extra_log_ids,
    exceptions: exceptionsOf(day),
    notices: noticesOf(day),
    counts_rest: day.isInverted && pairs.some(isLongerThanRotation),
    log_ids: logs.map(({ log_id }) => log_id),
    rejected_ids: rejected.map(({ log_id }) => log_id),
    ends_at: pairs.at(-1)?.salida.recorded_at ?? null,
    working_since: day.running?.entrada?.local ?? null,
  }
}

/** Whether a shift without salida is still open now. */
const isOpenNow = (
  { entrada, salida }: Shift<HoursLog>,
  now: Date | undefined,
  { maxShift }: Pick<PairingRules<HoursLog>, 'maxShift'>,
): boolean =>
  now !== undefined &&
  entrada !== undefined &&
  salida === undefined &&
  now.getTime() / 1000 - entrada.second <= maxShift(entrada)

/**
 * The shifts as if all logs that are not rejected counted, by day, and the logs that are too many.
 * They do not depend on which logs are pending.
 */
const readingOfAll = (
  logs: readonly HoursLog[],
  counted: Pick<ExtraLogRules, 'days' | 'inverted'> & { shifts: readonly Shift<HoursLog>[] },
  { maxShift, counts }: PairingRules<HoursLog>,
  marks: Pick<ExtraLogRules, 'isRunning' | 'isLong'>,
) => {
  const notRejected = logs.filter(isNotRejected)
  if (notRejected.every(counts)) {
    const { shifts, ...rest } = counted
    const extraLogs = extraLogFinder(notRejected, shifts, { ...rest, maxShift, ...marks })
    return { shiftsOfAll: counted.days, extraLogs }
  }
  const shifts = pairLogs(notRejected, { maxShift, counts: () => true })
  const days = Map.groupBy(shifts, dayOfShift)
  const all = { days, inverted: invertedDays(days) }
  return {
    shiftsOfAll: days,
    extraLogs: extraLogFinder(notRejected, shifts, { ...all, maxShift, ...marks }),
  }
}

/**
 * The days of one employee, oldest first. The logs must be in pairing order and begin after a
 * pause. They must end late enough after the last needed day, so that its night shifts are
 * complete. A day to which no shift belongs is listed if pending logs hold it.
 */
export const toWorkDays = (logs: readonly HoursLog[], options: DayOptions): WorkDay[] =>
  daysOfStretches(toStretches(logs, options.maxShiftOn), logs, options)

/** @param logs those of the stretches, in the same order */
export const daysOfStretches = (
  stretches: readonly HoursLog[][],
  logs: readonly HoursLog[],
  { maxShiftOn, hasShiftRule, isOffPayroll, countPending, now }: DayOptions,
): WorkDay[] => {
  const rules: PairingRules<HoursLog> = {
    maxShift: (entrada) => maxShiftOn(dayOf(entrada)),
    counts: ({ status }) => status === 'approved' || (countPending && status === 'pending'),
  }
  const parts = stretches
    .flatMap((stretch) => daysOfStretch(stretch, rules, maxShiftOn))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const shifts = parts.flatMap((part) => part.shifts)
  const shiftsByDay = Map.groupBy(shifts, dayOfShift)
  const inverted = invertedDays(shiftsByDay)
  const newest = shifts.at(-1)
  const running = newest && isOpenNow(newest, now, rules) ? newest : undefined
  const counted = { shifts, days: shiftsByDay, inverted }
  const { shiftsOfAll, extraLogs } = readingOfAll(logs, counted, rules, {
    isRunning: (shift) => isOpenNow(shift, now, rules),
    isLong: (shift) => isLong(shift) && !hasShiftRule(dayOfShift(shift)),
  })
  return [...Map.groupBy(parts, ({ day }) => day)]
    .map(([day, ofDay]) =>
      toWorkDay(
        {
          ...mergeParts(day, ofDay, rules),
          running: running && dayOfShift(running) === day ? running : undefined,
          isInverted: inverted.has(day),
          hasShiftRule: hasShiftRule(day),
          isOffPayroll: isOffPayroll(day),
          shiftsOfAll: shiftsOfAll.get(day) ?? [],
          extra_log_ids: extraLogs(day),
        },
        rules,
      ),
    )
    .filter((day) => hasLogs(day) || day.hold !== null)
}
