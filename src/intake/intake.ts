import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { FIRST_OWN_ID, type LogKind } from '../core/log-values.ts'
import { type OwnDays, otherInstallationError, refusalOfDay } from '../core/own-days.ts'
import type { TimeZone } from '../core/time-zone.ts'
import { type AddedLog, type ManualLog, saveManualLog, saveRequest } from './added-logs.queries.ts'
import {
  type CheckedLog,
  type Outcome,
  type Refusal,
  type RefusalDetail,
  type SentLog,
  saveIntake,
  saveOwnLog,
} from './intake.queries.ts'

export type { SentLog }

/** The result of a sent log. */
export interface IntakeResult {
  /** Null if the log was refused. */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: Refusal
  detail?: RefusalDetail
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How far a time may be in the future, because clocks differ. */
export const AHEAD_MS = 5 * MINUTE_MS

/** Older logs must be imported. So a clock with a wrong date adds nothing to past months. */
const SOURCE_AGE_MS_MAX = 45 * DAY_MS
const OWN_AGE_MS = 3 * DAY_MS

/** How many days back a log can be added by hand. */
const MANUAL_DAYS = 400

/** How many days back employees can ask for their own. */
const REQUEST_DAYS = 35

const refusedTime = (recordedAt: string, now: Date, ageMs: number): Refusal | null => {
  const age = now.getTime() - Date.parse(recordedAt)
  if (age < -AHEAD_MS) return 'future'
  return age > ageMs ? 'too_old' : null
}

/** What decides which logs this installation keeps: its days, its zone and the current time. */
export interface Keeper {
  ownDays: OwnDays
  zone: TimeZone
  now: Date
}

const refused = (reason: Refusal, detail: RefusalDetail | null = null): IntakeResult => ({
  log_id: null,
  result: 'refused',
  reason,
  ...(detail && { detail }),
})

const isSameId = (a: SentLog, b: SentLog): boolean =>
  a.log_id === b.log_id && a.source_id === b.source_id

/** The results if all items were inserted. Their new ids ascend in the order sent. */
const allCreated = (items: readonly CheckedLog[], created: readonly number[]): IntakeResult[] => {
  const ownIds = created.filter((id) => id >= FIRST_OWN_ID).sort((a, b) => b - a)
  return items.map(({ log_id }) => ({ log_id: log_id ?? ownIds.pop() ?? null, result: 'created' }))
}

/** The result of each item, in the order sent. Of equal items, only the first is `created`. */
const resultsOf = (
  items: readonly CheckedLog[],
  { created, outcomes }: { created: readonly number[]; outcomes: readonly Outcome[] },
): IntakeResult[] => {
  if (created.length === items.length) return allCreated(items, created)
  const unclaimed = new Set(created)
  const results: IntakeResult[] = []
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index]
    if (!outcome) throw new Error(`Nothing is known of item ${index}.`)
    const { result, refusal, detail, stored_id, accepted_id } = outcome
    if (result === 'accepted' && accepted_id !== null) {
      const isNew = accepted_id === stored_id && unclaimed.delete(accepted_id)
      results.push({ log_id: accepted_id, result: isNew ? 'created' : 'known' })
    } else if (result === 'differs') {
      // If no stored log has this id, an earlier item of the request has it.
      const first = items.findIndex((one) => isSameId(one, item))
      results.push({ log_id: stored_id ?? results[first]?.log_id ?? null, result })
    } else {
      results.push(refused(refusal ?? 'invalid', detail))
    }
  }
  return results
}

/**
 * Records the logs that a source sends. An invalid item does not affect the others. A repeated
 * request does not create a log twice.
 */
export const recordLogs = async (
  db: AuthorizedDb,
  source: string,
  sent: readonly SentLog[],
  { completeUntil, ...keeper }: Keeper & { completeUntil: string | undefined },
): Promise<IntakeResult[]> => {
  const { now } = keeper
  // A time in the future is a problem of the clock, whatever installation it is for.
  const reasonOf = ({ recorded_at }: SentLog) =>
    recorded_at && refusedTime(recorded_at, now, SOURCE_AGE_MS_MAX) !== 'future'
      ? refusalOfDay(recorded_at, keeper)
      : null
  const own = sent.filter((log) => !reasonOf(log))
  const items = own.map(
    (log): CheckedLog => ({
      ...log,
      reason: log.recorded_at ? refusedTime(log.recorded_at, now, SOURCE_AGE_MS_MAX) : 'invalid',
    }),
  )
  const saved = await saveIntake(db, {
    source,
    items,
    completeUntil: completeUntil ?? null,
    at: now,
  })
  const results = resultsOf(items, saved).values()
  return sent.map((log) => {
    const reason = reasonOf(log)
    if (reason) return refused(reason, 'other_installation')
    return results.next().value ?? refused('invalid')
  })
}

interface OwnLog {
  client_id: string
  kind: LogKind
  recorded_at?: string | undefined
  sent_at?: string | undefined
}

/** Whether a phone gives a time, and shows with the moment of sending that its clock is wrong. */
const givesWrongTime = ({ recorded_at, sent_at }: OwnLog, now: Date): boolean =>
  recorded_at !== undefined &&
  sent_at !== undefined &&
  Math.abs(Date.parse(sent_at) - now.getTime()) > AHEAD_MS

/**
 * Records a log of the caller's own employee, with the phone's time if one is given, else with the
 * current time. A time by a wrong clock is refused. A repeated `client_id` is `known`.
 */
export const recordOwnLog = async (
  db: AuthorizedDb,
  log: OwnLog,
  keeper: Keeper,
): Promise<IntakeResult> => {
  const { now } = keeper
  const { client_id: source_id, kind, recorded_at = now.toISOString() } = log
  const hasWrongClock = givesWrongTime(log, now)
  const reason = hasWrongClock ? 'invalid' : refusedTime(recorded_at, now, OWN_AGE_MS)
  const otherReason = refusalOfDay(recorded_at, keeper)
  if (otherReason && !hasWrongClock && reason !== 'future') {
    return refused(otherReason, 'other_installation')
  }
  const item = { source_id, log_id: null, employee_id: null, kind, recorded_at, reason }
  const saved = await saveOwnLog(db, item, now)
  const stored = saved.outcomes[0]?.stored_id
  const [result = refused('invalid')] = resultsOf([item], saved)
  if (stored != null && result.result !== 'created') return { log_id: stored, result: 'known' }
  return hasWrongClock ? refused('invalid', 'clock') : result
}

/** @throws DomainError TIME_AHEAD, TIME_TOO_OLD or OTHER_INSTALLATION */
const requireTime = (recordedAt: string, keeper: Keeper, days: number): void => {
  const { now, ownDays } = keeper
  const refusal = refusedTime(recordedAt, now, days * DAY_MS)
  if (refusal === 'future') throw new DomainError('TIME_AHEAD')
  if (refusalOfDay(recordedAt, keeper)) throw otherInstallationError('recorded_at', ownDays)
  if (refusal === 'too_old') throw new DomainError('TIME_TOO_OLD', { days })
}

/**
 * Adds a missing log by hand, with the reason as its comment. The result is `known` if there is
 * already a log with the same `client_id`, or with the same employee, kind and second.
 */
export const addManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  { forbidOwn, ...keeper }: Keeper & { forbidOwn: boolean },
): Promise<IntakeResult> => {
  requireTime(log.recorded_at, keeper, MANUAL_DAYS)
  return saveManualLog(db, log, { forbidOwn, at: keeper.now.toISOString() })
}

/** Asks for a log of the caller's own employee. It is `known` as one added by hand would be. */
export const requestLog = async (
  db: AuthorizedDb,
  log: AddedLog,
  keeper: Keeper,
): Promise<IntakeResult> => {
  requireTime(log.recorded_at, keeper, REQUEST_DAYS)
  return saveRequest(db, log, keeper.now.toISOString())
}
