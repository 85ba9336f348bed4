import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import {
  type InstallationDays,
  otherInstallationError,
  refusalOfDay,
} from '../core/installation-days.ts'
import { FIRST_SERVICE_ID, type LogKind } from '../core/log-values.ts'
import type { TimeZone } from '../core/time-zone.ts'
import { type AddedLog, type ManualLog, saveManualLog, saveRequest } from './added-logs.queries.ts'
import {
  type CheckedLog,
  type ItemOutcome,
  type Refusal,
  type RefusalDetail,
  type SentLog,
  saveIntake,
  saveOwnLog,
} from './intake.queries.ts'

export type { SentLog }

export interface IntakeResult {
  /** Null if the log was refused. */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: Refusal
  detail?: RefusalDetail
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The maximum difference between the clock of a sender and the clock of the service. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS

/**
 * Older logs are refused and must be imported. So a clock with a wrong date cannot add logs to past
 * months.
 */
const SOURCE_AGE_MS_MAX = 45 * DAY_MS
const OWN_AGE_MS = 3 * DAY_MS

/** How many days back a log can be added by hand. */
const MANUAL_DAYS = 400

/** How many days back employees can ask for a log of their own. */
const REQUEST_DAYS = 35

/** What the check of a log's time needs: the installation's days, its zone and the current time. */
export interface IntakeContext {
  installationDays: InstallationDays
  zone: TimeZone
  now: Date
}

interface TimeRefusal {
  reason: Refusal
  /** Set if only the other installation keeps logs of that day. */
  detail?: 'other_installation'
}

/**
 * Returns null if the time is accepted. A time in the future means a wrong clock, so the reason is
 * `future` even if the other installation keeps the day.
 */
const refusalOfTime = (
  recordedAt: string,
  ageMs: number,
  context: IntakeContext,
): TimeRefusal | null => {
  const age = context.now.getTime() - Date.parse(recordedAt)
  if (age < -CLOCK_SKEW_MS) return { reason: 'future' }
  const reason = refusalOfDay(recordedAt, context)
  if (reason) return { reason, detail: 'other_installation' }
  return age > ageMs ? { reason: 'too_old' } : null
}

const refused = (reason: Refusal, detail: RefusalDetail | null = null): IntakeResult => ({
  log_id: null,
  result: 'refused',
  reason,
  ...(detail && { detail }),
})

const isSameId = (a: SentLog, b: SentLog): boolean =>
  a.log_id === b.log_id && a.source_id === b.source_id

/** The results if all items were inserted. The new ids ascend in the order of the items. */
const allCreated = (items: readonly CheckedLog[], created: readonly number[]): IntakeResult[] => {
  const serviceIds = created.filter((id) => id >= FIRST_SERVICE_ID).sort((a, b) => b - a)
  return items.map(({ log_id }) => ({
    log_id: log_id ?? serviceIds.pop() ?? null,
    result: 'created',
  }))
}

/** The result of each item, in the order sent. Of equal items, only the first is `created`. */
const resultsOf = (
  items: readonly CheckedLog[],
  { created, outcomes }: { created: readonly number[]; outcomes: readonly ItemOutcome[] },
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
  { completeUntil, ...context }: IntakeContext & { completeUntil: string | undefined },
): Promise<IntakeResult[]> => {
  const checked = sent.map((log) => {
    const refusal: TimeRefusal | null = log.recorded_at
      ? refusalOfTime(log.recorded_at, SOURCE_AGE_MS_MAX, context)
      : { reason: 'invalid' }
    return { item: { ...log, reason: refusal?.reason ?? null }, refusal }
  })
  const kept = checked.filter(({ refusal }) => !refusal?.detail).map(({ item }) => item)
  const saved = await saveIntake(db, {
    source,
    items: kept,
    completeUntil: completeUntil ?? null,
    at: context.now,
  })
  const results = new Map(resultsOf(kept, saved).map((result, i) => [kept[i], result]))
  return checked.map(({ item, refusal }) => {
    const result = refusal?.detail ? refused(refusal.reason, refusal.detail) : results.get(item)
    if (!result) throw new Error('A log has no result.')
    return result
  })
}

interface OwnLog {
  client_id: string
  kind: LogKind
  recorded_at?: string | undefined
  sent_at?: string | undefined
}

/**
 * Whether the phone gave a time although the phone's clock is wrong. The clock is wrong if
 * `sent_at` differs too much from the current time.
 */
const givesWrongTime = ({ recorded_at, sent_at }: OwnLog, now: Date): boolean =>
  recorded_at !== undefined &&
  sent_at !== undefined &&
  Math.abs(Date.parse(sent_at) - now.getTime()) > CLOCK_SKEW_MS

/**
 * Records a log of the caller's own employee, with the phone's time if one is given, else with the
 * current time. A time by a wrong clock is refused. The result of a repeated `client_id` is
 * `known`.
 */
export const recordOwnLog = async (
  db: AuthorizedDb,
  log: OwnLog,
  context: IntakeContext,
): Promise<IntakeResult> => {
  const { now } = context
  const { client_id: source_id, kind, recorded_at = now.toISOString() } = log
  const hasWrongClock = givesWrongTime(log, now)
  const refusal: TimeRefusal | null = hasWrongClock
    ? { reason: 'invalid' }
    : refusalOfTime(recorded_at, OWN_AGE_MS, context)
  if (refusal?.detail) return refused(refusal.reason, refusal.detail)
  const reason = refusal?.reason ?? null
  const wrong = hasWrongClock ? ('clock' as const) : null
  const ids = { source_id, log_id: null, employee_id: null }
  const item = { ...ids, kind, recorded_at, wrong, reason }
  const saved = await saveOwnLog(db, item, now)
  const stored = saved.outcomes[0]?.stored_id
  const [result = refused('invalid')] = resultsOf([item], saved)
  // A log with this client_id is stored, even if the time that is sent now would be refused.
  if (stored != null && result.result !== 'created') return { log_id: stored, result: 'known' }
  return result
}

/** @throws DomainError TIME_AHEAD, TIME_TOO_OLD or OTHER_INSTALLATION */
const requireTime = (recordedAt: string, days: number, context: IntakeContext): void => {
  const refusal = refusalOfTime(recordedAt, days * DAY_MS, context)
  if (!refusal) return
  if (refusal.detail) throw otherInstallationError('recorded_at', context.installationDays)
  throw refusal.reason === 'future'
    ? new DomainError('TIME_AHEAD')
    : new DomainError('TIME_TOO_OLD', { days })
}

/**
 * Adds a missing log by hand, with the reason as its comment. The result is `known` if there is
 * already a log with the same `client_id`, or with the same employee, kind and second.
 */
export const addManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  { forbidSelfApproval, ...context }: IntakeContext & { forbidSelfApproval: boolean },
): Promise<IntakeResult> => {
  requireTime(log.recorded_at, MANUAL_DAYS, context)
  return saveManualLog(db, log, { forbidSelfApproval, at: context.now.toISOString() })
}

/**
 * Adds a requested log of the caller's own employee. The result is `known` in the same cases as in
 * `addManualLog`.
 */
export const requestLog = async (
  db: AuthorizedDb,
  log: AddedLog,
  context: IntakeContext,
): Promise<IntakeResult> => {
  requireTime(log.recorded_at, REQUEST_DAYS, context)
  return saveRequest(db, log, context.now.toISOString())
}
