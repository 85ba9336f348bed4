import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { DAY_MS, localAt, localDay, type Zones } from '../core/values/time-zone.ts'
import {
  type AddedLog,
  type InstantIn,
  type ManualLog,
  saveManualLog,
  saveRequest,
} from './added-logs.queries.ts'
import { refusalOfTime } from './times.ts'

/** Logs that people add: when they were, and what is said of their time. */

/** How many days back a log can be added by hand. */
export const MANUAL_DAYS = 400

/** How many days back employees can ask for a log of their own. */
export const REQUEST_DAYS = 35

/** The time of the oldest log that a person may request now. */
export const oldestRequest = (now: Date): string =>
  new Date(now.getTime() - REQUEST_DAYS * DAY_MS).toISOString()

/** Either an instant, or a local time of a branch. */
interface SentTime {
  /** UTC with milliseconds. */
  recorded_at?: string | undefined
  /** For example `2026-11-02T08:58:12`. */
  local_time?: string | undefined
  /** The branch of `local_time`, if it is not the employee's branch of now. */
  branch_office?: string | undefined
  /** Whether a local time that came twice is the second one. */
  second: boolean
}

interface TimeLimits {
  /** How many days ago the log may be. */
  days: number
  now: Date
}

/** The sent instant, or the instants of the sent local time. */
const instantsOf = (
  { recorded_at, local_time, branch_office }: SentTime,
  employeeBranch: string,
  zones: Zones,
): string[] => {
  if (local_time === undefined) return recorded_at === undefined ? [] : [recorded_at]
  const instants = zones.instantsOf(branch_office ?? employeeBranch, local_time)
  return instants.map((instant) => instant.toISOString())
}

/** Names the field that was sent. */
const aboutField = (error: DomainError, { local_time }: SentTime): DomainError => {
  if (local_time !== undefined) error.fieldErrors = { local_time: [error.text] }
  return error
}

/** The instant of a log whose employee is in this branch, or why its time is not accepted. */
const instantOrError = (
  time: SentTime,
  employeeBranch: string,
  zones: Zones,
  { days, now }: TimeLimits,
): string | DomainError => {
  const { local_time = '', branch_office = employeeBranch, second } = time
  const instants = instantsOf(time, employeeBranch, zones)
  if (instants.length === 0) {
    const next = zones.timeAfterGap(branch_office, local_time)
    return new DomainError('LOCAL_TIME_MISSING', { local_time, next })
  }
  const instant = instants[second ? 1 : 0]
  if (instant === undefined) return new DomainError('LOCAL_TIME_ONCE')
  const refusal = refusalOfTime(instant, days * DAY_MS, now)
  if (refusal === 'future') return aboutField(new DomainError('TIME_AHEAD'), time)
  if (refusal !== 'too_old') return instant
  return aboutField(new DomainError('TIME_TOO_OLD', { days_max: days }), time)
}

const twiceWarning = (local_time: string, instants: string[]) => ({
  code: 'LOCAL_TIME_TWICE' as const,
  message: `Ese día la hora ${local_time.slice(11, 16)} pasó dos veces: se tomó la primera.`,
  details: { instants },
})

/** A known log may have another time than the one sent. Then there is no warning. */
const warningsOf = (time: SentTime, employeeBranch: string, zones: Zones, recordedAt: string) => {
  const instants = instantsOf(time, employeeBranch, zones)
  const isFirstOfTwo = instants.length > 1 && instants[0] === recordedAt
  return isFirstOfTwo && !time.second && time.local_time !== undefined
    ? [twiceWarning(time.local_time, instants)]
    : []
}

type Saved = Awaited<ReturnType<typeof saveManualLog>>

/**
 * Saves a log, and describes the new or the known one. Its local time and day are those of the
 * log's branch, as in every list.
 */
const addLog = async (
  db: AuthorizedDb,
  time: SentTime,
  limits: TimeLimits,
  save: (instantIn: InstantIn) => Promise<Saved>,
) => {
  const { log, branch_office, isCreated } = await save((branch, zones) => {
    const instant = instantOrError(time, branch, zones, limits)
    return typeof instant === 'string' ? instant : null
  })
  const zones = db.zones()
  if (!log) throw instantOrError(time, branch_office, zones, limits)
  return {
    log_id: log.log_id,
    result: isCreated ? ('created' as const) : ('known' as const),
    recorded_at: log.recorded_at,
    local_at: localAt(log.recorded_at, log.branch_office, zones),
    day: localDay(log.recorded_at, log.branch_office, zones),
    warnings: warningsOf(time, branch_office, zones, log.recorded_at),
  }
}

const splitTime = <Sent extends SentTime>({ recorded_at, local_time, second, ...log }: Sent) => ({
  time: { recorded_at, local_time, second, branch_office: log.branch_office },
  log: { ...log, branch_office: log.branch_office ?? null },
})

/**
 * Adds a missing log by hand, with the reason as its comment. The result is `known` if there is
 * already a log with the same `client_id`, or with the same employee, kind and second.
 * @throws DomainError OWN_LOG, UNKNOWN_EMPLOYEE, BRANCH_OUT_OF_SCOPE, UNKNOWN_BRANCH,
 * LOCAL_TIME_MISSING, LOCAL_TIME_ONCE, TIME_AHEAD or TIME_TOO_OLD
 */
export const addManualLog = async (
  db: AuthorizedDb,
  sent: Omit<ManualLog, 'branch_office'> & SentTime,
  { forbidSelfApproval, now }: { forbidSelfApproval: boolean; now: Date },
) => {
  const { time, log } = splitTime(sent)
  return addLog(db, time, { days: MANUAL_DAYS, now }, (instantIn) =>
    saveManualLog(db, log, instantIn, { forbidSelfApproval, at: now.toISOString() }),
  )
}

/**
 * Adds a requested log of the caller's own employee. The result is `known` in the same cases as in
 * `addManualLog`.
 */
export const requestLog = async (
  db: AuthorizedDb,
  sent: Omit<AddedLog, 'branch_office'> & SentTime,
  now: Date,
) => {
  const { time, log } = splitTime(sent)
  return addLog(db, time, { days: REQUEST_DAYS, now }, (instantIn) =>
    saveRequest(db, log, instantIn, now.toISOString()),
  )
}
