import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays, DAY_MS, localAt, localDay, type Zones } from '../../core/values/time-zone.ts'
import { MANUAL_DAYS } from '../../intake/added-logs.ts'
import { insertReplacements } from '../../intake/replacements.queries.ts'
import { refusalOfTime } from '../../intake/times.ts'
import { readChangedDays } from './changed-days.ts'
import { type ClockLog, keyOf, readClockLogs, readCorrections } from './corrections.queries.ts'
import { type Decision, type Move, saveMoves } from './moves.ts'

/** Mends the logs of a clock that was wrong: each is rejected, and added at the right time. */

const LOGS_MAX = 1_000

/** The index of logs has no sources, so that a long period would read many logs of other clocks. */
const DAYS_MAX = 31

export interface Correction {
  serial: string
  client_id: string
  /** Local days of the clock's branch, or local times such as `2026-11-02T08:58:12`, both included. */
  from: string
  to: string
  shift_seconds: number
  comment: string
  dry_run: boolean
}

/** UTC bounds that are wide enough for any zone. */
const boundsOf = ({ from, to }: Pick<Correction, 'from' | 'to'>) => {
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)]
  if (from.slice(0, to.length) > to) throw new DomainError('PERIOD_REVERSED')
  if (addDays(first, DAYS_MAX) <= last) {
    throw new DomainError('PERIOD_TOO_LONG', { days_max: DAYS_MAX })
  }
  return {
    from: `${addDays(first, -1)}T00:00:00.000Z`,
    before: `${addDays(last, 2)}T00:00:00.000Z`,
  }
}

/** A day is the begin of each of its local times. */
const isWithin = (local: string, { from, to }: Pick<Correction, 'from' | 'to'>): boolean =>
  local >= from && local.slice(0, to.length) <= to

/** @throws DomainError CORRECTION_TOO_LARGE with the last day until which the logs are few enough */
const refuseTooMany = (logs: readonly ClockLog[], branch: string, zones: Zones): void => {
  const count = logs.length
  const next = logs[LOGS_MAX]
  if (!next) return
  const [tooLate = '', first = ''] = [next, logs[0]].map(
    (log) => log && localDay(log.recorded_at, branch, zones),
  )
  const until = tooLate > first ? addDays(tooLate, -1) : null
  throw new DomainError('CORRECTION_TOO_LARGE', { count, until })
}

const shifted = (recorded_at: string, seconds: number): string =>
  new Date(Date.parse(recorded_at) + seconds * 1000).toISOString()

/** @throws DomainError TIME_AHEAD or TIME_TOO_OLD about the shift */
const requireTimes = (times: readonly string[], now: Date): void => {
  for (const time of times) {
    const refusal = refusalOfTime(time, MANUAL_DAYS * DAY_MS, now)
    if (refusal === null) continue
    const error =
      refusal === 'future'
        ? new DomainError('TIME_AHEAD')
        : new DomainError('TIME_TOO_OLD', { days_max: MANUAL_DAYS })
    error.fieldErrors = { shift_seconds: [error.text] }
    throw error
  }
}

/**
 * Rejects the logs of a clock in a local period, and adds each again at another time, pending. Logs
 * of the caller, if they may not decide them, and of people who are in other branches now are left
 * out. The same client id again changes nothing.
 * @throws DomainError CLOCK_NOT_FOUND, PERIOD_REVERSED, PERIOD_TOO_LONG, NOTHING_TO_CORRECT,
 * CORRECTION_TOO_LARGE, CORRECTION_UNDONE, TIME_AHEAD, TIME_TOO_OLD, LOG_CLOSED or STATUS_MOVED
 */
export const correctClock = async (
  db: AuthorizedDb,
  { serial, client_id, from, to, shift_seconds, comment, dry_run }: Correction,
  { now, ...decision }: Decision & { now: Date },
) => {
  const { forbidSelfApproval, at } = decision
  const read = () =>
    readClockLogs(db, { serial, client_id, ...boundsOf({ from, to }), forbidSelfApproval })
  const { branch_office, known, logs } = await read()
  const knownResult = (stored: typeof known) => {
    if (stored.id === null) return undefined
    if (stored.undone) throw new DomainError('CORRECTION_UNDONE')
    return { id: stored.id, result: 'known' as const, logs: stored.count, left_out: 0, days: null }
  }
  const before = knownResult(known)
  if (before) return before
  const zones = db.zones()
  const ofPeriod = logs.filter(({ recorded_at }) =>
    isWithin(localAt(recorded_at, branch_office, zones).slice(0, 19), { from, to }),
  )
  const wrong = ofPeriod.filter(({ is_correctable }) => is_correctable)
  const left_out = ofPeriod.length - wrong.length
  if (wrong.length === 0) throw new DomainError('NOTHING_TO_CORRECT')
  refuseTooMany(wrong, branch_office, zones)
  const replaced = wrong.map((log) => ({
    ...log,
    right_at: shifted(log.recorded_at, shift_seconds),
  }))
  requireTimes(
    replaced.map(({ right_at }) => right_at),
    now,
  )
  if (dry_run) {
    const days = await readChangedDays(db, replaced)
    return { id: null, result: 'preview' as const, logs: wrong.length, left_out, days }
  }
  const key = keyOf(serial, client_id)
  const added = replaced.map(({ log_id, employee_id, kind, right_at }) => ({
    ...{ source_id: `${key}${log_id}`, employee_id, kind, recorded_at: right_at },
  }))
  const moves = replaced.map(
    ({ log_id, status }): Move => ({ log_id, from: status, to: 'rejected' }),
  )
  const user_id = db.claims.userId
  try {
    const saved = await saveMoves(
      db,
      moves,
      { ...decision, comment },
      insertReplacements(added, { comment, user_id, at }),
    )
    const id = Math.min(...saved.added.map((log) => log.log_id))
    return { id, result: 'created' as const, logs: wrong.length, left_out, days: null }
  } catch (error) {
    // The same request may have run at the same time.
    const meanwhile = knownResult((await read()).known)
    if (meanwhile) return meanwhile
    throw error
  }
}

/** The corrections of a clock, with the local times of its branch. */
export const listCorrections = async (db: AuthorizedDb, serial: string) => {
  const { branch_office, corrections } = await readCorrections(db, serial)
  const local = (moment: string) => localAt(moment, branch_office, db.zones())
  return corrections.map(({ first_at, last_at, ...correction }) => ({
    ...correction,
    first_local_at: local(first_at),
    last_local_at: local(last_at),
  }))
}
