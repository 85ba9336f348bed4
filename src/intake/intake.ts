import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { LogKind } from '../core/values/log-values.ts'
import { DAY_MS } from '../core/values/time-zone.ts'
import { saveIntake, saveOwnLog } from './intake.queries.ts'
import { type IntakeResult, resultsOf, type SentLog } from './outcome.ts'
import { CLOCK_SKEW_MS, refusalOfSourceTime, refusalOfTime } from './times.ts'

/**
 * Records the logs that a source sends. An invalid item does not affect the others. A repeated
 * request does not create a log twice.
 */
export const recordLogs = async (
  db: AuthorizedDb,
  source: string,
  sent: readonly SentLog[],
  { completeUntil, now }: { completeUntil: string | undefined; now: Date },
): Promise<IntakeResult[]> => {
  const items = sent.map((log) => ({
    ...log,
    reason: log.recorded_at ? refusalOfSourceTime(log.recorded_at, now) : ('invalid' as const),
  }))
  const saved = await saveIntake(db, {
    source,
    items,
    completeUntil: completeUntil ?? null,
    now,
  })
  return resultsOf(items, saved)
}

/** How old a log may be that employees send of their own. */
const OWN_AGE_MS = 3 * DAY_MS

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
 * The time of the phone. What its clock is ahead is taken off, so that nobody gets a later time than
 * that of the press.
 */
const timeOfPhone = (recorded_at: string, sent_at: string | undefined, now: Date): string => {
  const ahead = sent_at === undefined ? 0 : Date.parse(sent_at) - now.getTime()
  return new Date(Date.parse(recorded_at) - Math.max(0, ahead)).toISOString()
}

/**
 * Records a log of the caller's own employee, with the phone's time if one is given, else with the
 * current time. A time by a wrong clock is refused. The result of a repeated `client_id` is
 * `known`.
 */
export const recordOwnLog = async (
  db: AuthorizedDb,
  log: OwnLog,
  now: Date,
): Promise<IntakeResult> => {
  const { client_id: source_id, kind } = log
  const hasWrongClock = givesWrongTime(log, now)
  const recorded_at =
    log.recorded_at === undefined
      ? now.toISOString()
      : timeOfPhone(log.recorded_at, log.sent_at, now)
  const reason = hasWrongClock ? ('invalid' as const) : refusalOfTime(recorded_at, OWN_AGE_MS, now)
  const wrong = hasWrongClock ? ('clock' as const) : null
  const ids = { source_id, log_id: null, employee_id: null }
  const item = { ...ids, kind, recorded_at, offset: null, wrong, reason }
  const saved = await saveOwnLog(db, item, now)
  const stored = saved.facts[0]?.stored_id
  const [result] = resultsOf([item], saved)
  // A log with this client_id is stored, even if the time that is sent now would be refused.
  if (stored != null && result?.result !== 'created') return { log_id: stored, result: 'known' }
  return result ?? { log_id: null, result: 'refused', reason: 'invalid' }
}
