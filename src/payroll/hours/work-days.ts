import { addDays, DAY_MS } from '../../core/values/time-zone.ts'
import { CLOSE_S, type ExtraLogRules, extraLogFinder } from './extra-logs.ts'
import { dayOf, dayOfShift, type HoursLog, type Place } from './hours-log.ts'
import { invertedDays, isLongerThanRotation } from './inverted-days.ts'
import {
  inPairingOrder,
  isPair,
  type Pair,
  type PairedLog,
  type PairingRules,
  pairLogs,
  REPEATED_S,
  type Shift,
  secondsOf,
} from './pairing.ts'
import { type Span, toSpan } from './spans.ts'

/**
 * Problems of a day that somebody must correct or explain, in the order in which a row lists them.
 * The last three depend on more than the day, so `hours.ts` and `closing-rows.ts` add them.
 */
export const EXCEPTIONS = [
  'sin_salida',
  'sin_entrada',
  'entrada_repetida',
  'menos_de_60_s',
  'jornada_larga',
  'pendientes',
  'rechazada',
  'posible_desfase',
  'semana_sobre_limite',
  'sin_checadas',
  'sin_sincronizar',
] as const

/**
 * Remarks on a day that need no correction. `rechazada` is an exception instead if a rejection has
 * changed the pairs.
 */
export const NOTICES = [
  'rechazada',
  'manual',
  'solicitada',
  'tipo_deducido',
  'repetida',
  'extemporanea',
  'fuera_de_relacion',
  'otra_red',
] as const

/** Whether somebody added a log of the day by hand or asked for one. */
export const hasAddedLog = ({ notices }: Pick<WorkDay, 'notices'>): boolean =>
  notices.includes('manual') || notices.includes('solicitada')

/** The notices of days that somebody should look at even if they have no exception. */
const DOUBTFUL: readonly DayNotice[] = ['fuera_de_relacion', 'otra_red']

/**
 * Whether somebody should look at the day. The person may not even work here on the day, or somebody
 * else may have sent a log in the clock's name.
 */
export const isToLookAt = ({ exceptions, notices }: Pick<WorkDay, 'exceptions' | 'notices'>) =>
  exceptions.length > 0 || notices.some((notice) => DOUBTFUL.includes(notice))

export type DayException = (typeof EXCEPTIONS)[number]
export type DayNotice = (typeof NOTICES)[number]

/** Pending logs that can change the figure of a day. */
interface Hold {
  /** The oldest of these logs. */
  log_id: number
  /** The seconds of the pairs that exist both with and without the pending logs. */
  certain_seconds: number
}

/** The hours of one employee on one local day. */
export interface WorkDay extends Place {
  /** The local day. A shift belongs to the day of its entrada, or if it has none, of its salida. */
  day: string
  /** The local time of the first entrada that counts. Null if there is none. */
  first_in: string | null
  /** The local time of the last salida that counts. Null if there is none. */
  last_out: string | null
  /** How many pairs count. */
  pairs: number
  /** Null, and not 0, if no pair counts. */
  worked_seconds: number | null
  /** The pending logs that can still change the day's hours. Null if there are none. */
  hold: Hold | null
  /** For example `08:00–13:00 (14:00–17:00)`. A pair in parentheses has a pending log. */
  detail: string
  /**
   * The pairs of the logs that are not rejected, and the entradas and salidas that lack one. They
   * are the same whether pending logs count or not.
   */
  spans: Span[]
  /**
   * The logs of which one is probably too many: left out alone, each makes the day whole. They may
   * be of an earlier day, which also spoils this one.
   */
  extra_log_ids: number[]
  exceptions: DayException[]
  notices: DayNotice[]
  /**
   * Whether rest is probably counted as work: a pair of a day with `posible_desfase` is longer than
   * any shift of a rotation.
   */
  counts_rest: boolean
  /** The logs of the day that are not rejected. */
  log_ids: number[]
  rejected_ids: number[]
  /** The moment of the last salida of the counted pairs (UTC). Null if no pair counts. */
  ends_at: string | null
  /**
   * The local time of the entrada if the person is at work now: it is the newest shift, has no
   * salida yet, and is not longer than the longest shift.
   */
  working_since: string | null
}

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

/**
 * A pair that is longer than this many seconds counts in full. It is an exception unless the person
 * has a longest shift of their own.
 */
const LONG_S = 12 * 3600

/**
 * The longest pause after a log of a day, in seconds. A shift may have begun up to two days before,
 * when another rule was valid. So a rule changes no shift that began before its first day.
 */
const pauseAfter = (maxShiftOn: DayOptions['maxShiftOn']) => {
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
  maxShiftOn: DayOptions['maxShiftOn'],
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

interface Day {
  shifts: Shift<HoursLog>[]
  rejected: HoursLog[]
  ifNoneRejected: Shift<HoursLog>[]
  /** The logs of the day's stretch that are not rejected. */
  stretch: readonly HoursLog[]
  hold: Hold | null
}

const secondsOfPairs = (pairs: readonly Pair<HoursLog>[]): number =>
  pairs.reduce((sum, pair) => sum + secondsOf(pair), 0)

const pairKey = ({ entrada, salida }: Pair<HoursLog>): string =>
  `${entrada.log_id}-${salida.log_id}`

const countedPairs = (shifts: readonly Shift<HoursLog>[], rules: PairingRules<HoursLog>) =>
  shifts
    .filter(isPair)
    .filter(({ entrada, salida }) => rules.counts(entrada) && rules.counts(salida))

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
 * Finds the days that pending logs hold. A decision on these logs could still change the pairs of
 * the day. A day is held by all pending logs of its stretch up to one longest shift after the day's
 * last log. Pairs that exist if all of these logs count, and also if none does, are called certain.
 * They can be paid, although a decision on some of the logs can still change them. No day is held
 * if pending logs count.
 *
 * The pairs if none counts are those of the logs without the holding ones. They are made for each
 * day from a few logs: from the last shift of counting logs that begins on an earlier day, since
 * pairing from the begin of a shift on makes the same shifts.
 */
const holdsOf = (
  days: ReadonlyMap<string, Pick<Day, 'shifts'>>,
  logs: { stretch: readonly HoursLog[]; notRejected: readonly HoursLog[] },
  rules: PairingRules<HoursLog>,
  maxShiftOn: DayOptions['maxShiftOn'],
): Map<string, Hold> => {
  const { stretch, notRejected } = logs
  const holds = new Map<string, Hold>()
  const oldest = notRejected.find((log) => !rules.counts(log))
  if (!oldest) return holds
  const counting = notRejected.filter(rules.counts)
  const countingShifts = pairLogs(counting, rules)
  const logsByDay = Map.groupBy(stretch, dayOf)
  let next = 0
  let from = 0
  for (const [name, { shifts }] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const pairs = countedPairs(shifts, rules)
    const lastLogs = [logsByDay.get(name)?.at(-1), pairs.at(-1)?.salida]
    const last = Math.max(...lastLogs.map((log) => log?.second ?? -Infinity))
    const until = last + maxShiftOn(name)
    // `from` is the index of the first log of the shift before `countingShifts[next]`.
    for (; next < countingShifts.length; next++) {
      const shift = countingShifts[next]
      if (!shift || dayOfShift(shift) >= name) break
      from = counting.indexOf(shift.logs[0] as HoursLog, from)
    }
    if (oldest.second > until) continue
    const afterHold = countUntil(notRejected, until)
    const withoutHolding = counting.slice(from, countUntil(counting, until))
    // Later logs cannot end a shift of this day, but may repeat a log that ends it.
    for (const log of notRejected.slice(afterHold)) {
      if (log.second - (withoutHolding.at(-1)?.second ?? -Infinity) > REPEATED_S) break
      withoutHolding.push(log)
    }
    const certainPairs = new Set(countedPairs(pairLogs(withoutHolding, rules), rules).map(pairKey))
    const certain_seconds = secondsOfPairs(pairs.filter((pair) => certainPairs.has(pairKey(pair))))
    holds.set(name, { log_id: oldest.log_id, certain_seconds })
  }
  return holds
}

const daysOfStretch = (
  stretch: readonly HoursLog[],
  rules: PairingRules<HoursLog>,
  maxShiftOn: DayOptions['maxShiftOn'],
): Map<string, Day> => {
  const days = new Map<string, Day>()
  const notRejected = stretch.filter(({ status }) => status !== 'rejected')
  const at = (name: string): Day => {
    const day = days.get(name) ?? {
      shifts: [],
      rejected: [],
      ifNoneRejected: [],
      stretch: notRejected,
      hold: null,
    }
    days.set(name, day)
    return day
  }
  // Days on which no shift begins are included, because a pending log may hold their paid hours.
  for (const log of stretch) at(dayOf(log))
  const shifts = pairLogs(notRejected, rules)
  for (const shift of shifts) at(dayOfShift(shift)).shifts.push(shift)
  const countingRejected = {
    ...rules,
    counts: (log: HoursLog) => log.status === 'rejected' || rules.counts(log),
  }
  const ifNoneRejected =
    notRejected.length === stretch.length ? shifts : pairLogs(stretch, countingRejected)
  for (const shift of ifNoneRejected) {
    const day = at(dayOfShift(shift))
    day.ifNoneRejected.push(shift)
    day.rejected.push(...shift.logs.filter(({ status }) => status === 'rejected'))
  }
  for (const [name, hold] of holdsOf(days, { stretch, notRejected }, rules, maxShiftOn)) {
    at(name).hold = hold
  }
  return days
}

/**
 * Two pairs whose times differ by at most this many seconds count as the same pair. The difference
 * comes from repeated logs.
 */
const SAME_S = 5 * 60

const isNear = (a: PairedLog, b: PairedLog): boolean => Math.abs(a.second - b.second) <= SAME_S

/** Whether a log that a person added replaces a rejected log, and every shift is a pair. */
const isMended = ({ shifts, ifNoneRejected }: Day): boolean =>
  shifts.every(isPair) &&
  shifts.length >= ifNoneRejected.filter(isPair).length &&
  shifts.some(({ logs }) => logs.some(({ isManual, isRequest }) => isManual || isRequest))

/**
 * Whether the only rejected log was one too many: it is close to another log, which may end the night
 * before, and without it every shift is a pair.
 */
const wasTooMany = ({ shifts, stretch, rejected: [extra, ...others] }: Day): boolean =>
  extra !== undefined &&
  others.length === 0 &&
  shifts.every((shift) => isPair(shift) && !shift.isInterrupted) &&
  stretch.some(({ second }) => Math.abs(second - extra.second) <= CLOSE_S)

/**
 * Whether a rejection has changed the pairs of the day, unless the log was one too many or an added
 * one has mended them.
 */
const hasLostPair = (day: Day): boolean => {
  if (day.rejected.length === 0) return false
  const [pairs, before] = [day.shifts.filter(isPair), day.ifNoneRejected.filter(isPair)]
  const differs =
    pairs.length !== before.length ||
    pairs.some(({ entrada, salida }, i) => {
      const other = before[i]
      return !other || !isNear(entrada, other.entrada) || !isNear(salida, other.salida)
    })
  return differs && !isMended(day) && !wasTooMany(day)
}

const logsOfDay = ({ shifts }: Day): HoursLog[] => shifts.flatMap(({ logs }) => logs)

/** A day with the properties that depend on other days, on the person or on the current time. */
interface JudgedDay extends Day {
  /** The shift in which the person is at work now. */
  running: Shift<HoursLog> | undefined
  isInverted: boolean
  hasShiftRule: boolean
  isOffPayroll: boolean
  /** The shifts of the day, as if all logs that are not rejected counted. */
  shiftsOfAll: readonly Shift<HoursLog>[]
  extra_log_ids: number[]
}

const isLong = (shift: Shift<HoursLog>): boolean => isPair(shift) && secondsOf(shift) > LONG_S

const exceptionsOf = (day: JudgedDay): DayException[] => {
  const { shifts } = day
  const isPresent: Partial<Record<DayException, boolean>> = {
    sin_salida: shifts.some((shift) => !shift.salida && shift !== day.running),
    sin_entrada: shifts.some(({ entrada }) => !entrada),
    entrada_repetida: shifts.some(({ isInterrupted }) => isInterrupted),
    menos_de_60_s: shifts.some(({ hasBriefSalida }) => hasBriefSalida),
    jornada_larga: !day.hasShiftRule && shifts.some(isLong),
    pendientes: logsOfDay(day).some(({ status }) => status === 'pending'),
    rechazada: hasLostPair(day),
    posible_desfase: day.isInverted,
  }
  return EXCEPTIONS.filter((name) => isPresent[name])
}

const noticesOf = (day: JudgedDay): DayNotice[] => {
  const logs = logsOfDay(day)
  const isPresent: Record<DayNotice, boolean> = {
    rechazada: day.rejected.length > 0 && !hasLostPair(day),
    manual: logs.some(({ isManual }) => isManual),
    solicitada: logs.some(({ isRequest }) => isRequest),
    tipo_deducido: logs.some(({ kind }) => kind === 'checada'),
    repetida: day.shifts.some(({ isRepeated }) => isRepeated),
    extemporanea: logs.some(({ isLate }) => isLate),
    fuera_de_relacion: day.isOffPayroll && logs.length > 0,
    otra_red: logs.some(({ isOtherNetwork }) => isOtherNetwork),
  }
  return NOTICES.filter((name) => isPresent[name])
}

/** `06:00+1` for a time on the next day. */
const minuteOf = (log: HoursLog | undefined, day: string): string => {
  if (!log) return '?'
  const days = (Date.parse(dayOf(log)) - Date.parse(day)) / DAY_MS
  return `${log.local.slice(11, 16)}${days > 0 ? `+${days}` : ''}`
}

const toWorkDay = (name: string, day: JudgedDay, rules: PairingRules<HoursLog>): WorkDay => {
  const { shifts, rejected, hold } = day
  const pairs = countedPairs(shifts, rules)
  const counted = new Set<Shift<HoursLog>>(pairs)
  const textOf = (shift: Shift<HoursLog>): string => {
    const text = `${minuteOf(shift.entrada, name)}–${minuteOf(shift.salida, name)}`
    return isPair(shift) && !counted.has(shift) ? `(${text})` : text
  }
  const logs = logsOfDay(day)
  const [first] = [...(logs.length > 0 ? logs : rejected)].sort(inPairingOrder)
  return {
    day: name,
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

export const emptyDay = (day: string, { department, branch_office }: Place): WorkDay => ({
  day,
  department,
  branch_office,
  first_in: null,
  last_out: null,
  pairs: 0,
  worked_seconds: null,
  hold: null,
  detail: '',
  spans: [],
  extra_log_ids: [],
  exceptions: [],
  notices: [],
  counts_rest: false,
  log_ids: [],
  rejected_ids: [],
  ends_at: null,
  working_since: null,
})

/** Whether shifts or rejected logs belong to the day. */
export const hasLogs = ({ log_ids, rejected_ids }: WorkDay): boolean =>
  log_ids.length + rejected_ids.length > 0

/**
 * A day may have shifts of several stretches. All pairs of a stretch without a hold are certain.
 */
const mergeHolds = (days: readonly Day[], rules: PairingRules<HoursLog>): Hold | null => {
  const oldest = days.find(({ hold }) => hold !== null)?.hold
  if (!oldest) return null
  const certain = days.map(
    ({ hold, shifts }) => hold?.certain_seconds ?? secondsOfPairs(countedPairs(shifts, rules)),
  )
  return { ...oldest, certain_seconds: certain.reduce((sum, seconds) => sum + seconds, 0) }
}

const mergeDays = (days: readonly Day[], rules: PairingRules<HoursLog>): Day => ({
  shifts: days.flatMap(({ shifts }) => shifts),
  rejected: days.flatMap(({ rejected }) => rejected),
  ifNoneRejected: days.flatMap(({ ifNoneRejected }) => ifNoneRejected),
  stretch: days.flatMap(({ stretch }) => stretch),
  hold: mergeHolds(days, rules),
})

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
  const notRejected = logs.filter(({ status }) => status !== 'rejected')
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
export const toWorkDays = (
  logs: readonly HoursLog[],
  { maxShiftOn, hasShiftRule, isOffPayroll, countPending, now }: DayOptions,
): WorkDay[] => {
  const rules: PairingRules<HoursLog> = {
    maxShift: (entrada) => maxShiftOn(dayOf(entrada)),
    counts: ({ status }) => status === 'approved' || (countPending && status === 'pending'),
  }
  const days = toStretches(logs, maxShiftOn)
    .flatMap((stretch) => [...daysOfStretch(stretch, rules, maxShiftOn)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  // A day may have shifts of two stretches.
  const shifts = days.flatMap(([, part]) => part.shifts)
  const shiftsByDay = Map.groupBy(shifts, dayOfShift)
  const inverted = invertedDays(shiftsByDay)
  const newest = shifts.at(-1)
  const running = newest && isOpenNow(newest, now, rules) ? newest : undefined
  const counted = { shifts, days: shiftsByDay, inverted }
  const { shiftsOfAll, extraLogs } = readingOfAll(logs, counted, rules, {
    isRunning: (shift) => isOpenNow(shift, now, rules),
    isLong: (shift) => isLong(shift) && !hasShiftRule(dayOfShift(shift)),
  })
  return [...Map.groupBy(days, ([name]) => name)]
    .map(([name, parts]) => {
      const merged = parts.map(([, part]) => part)
      const judged = {
        ...mergeDays(merged, rules),
        running: running && dayOfShift(running) === name ? running : undefined,
        isInverted: inverted.has(name),
        hasShiftRule: hasShiftRule(name),
        isOffPayroll: isOffPayroll(name),
        shiftsOfAll: shiftsOfAll.get(name) ?? [],
        extra_log_ids: extraLogs(name),
      }
      return toWorkDay(name, judged, rules)
    })
    .filter((day) => hasLogs(day) || day.hold !== null)
}
