import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf } from '../../core/db/scope.ts'
import { DomainError } from '../../core/errors.ts'
import type { LogStatus } from '../../core/values/log-values.ts'
import { addDays, DAY_MS, localAt, localDay, type Zones } from '../../core/values/time-zone.ts'
import { MANUAL_DAYS } from '../../intake/added-logs.ts'
import { insertReplacements } from '../../intake/replacements.queries.ts'
import { refusalOfTime } from '../../intake/times.ts'
import { type Amendments, readComparedDays } from '../hours/compared-days.ts'
import {
  type ClockLog,
  keyOf,
  readClockLogs,
  readCorrections,
  readReplacements,
} from './corrections.queries.ts'
import { type Decision, type Move, saveMoves } from './moves.ts'

type Replaced = ClockLog & { right_at: string }

/** The person with the right times of the replaced logs, as they are once they are added. */
const withReplaced = (
  replaced: ReadonlyMap<number, Replaced>,
): NonNullable<Amendments['amend']> => {
  return (person) => ({
    ...person,
    logs: person.logs.map((log) => {
      const right = replaced.get(log.log_id)
      return right
        ? { ...log, recorded_at: right.right_at, status: 'pending' as const, is_manual: true }
        : log
    }),
  })
}

/**
 * What becomes of the days of the people: their hours before and after, with all that is pending.
 * Only days that change, of branches in the caller's scope.
 */
const readChangedDays = async (db: AuthorizedDb, replaced: readonly Replaced[]) => {
  const times = replaced.flatMap((log) => [log.recorded_at, log.right_at]).toSorted()
  const firstDay = addDays((times[0] ?? '').slice(0, 10), -2)
  const before = addDays((times.at(-1) ?? '').slice(0, 10), 2)
  const ids = [...new Set(replaced.map(({ employee_id }) => employee_id))].toSorted()
  const compared = await readComparedDays(
    db,
    ids.map((employee_id) => ({ employee_id, firstDay })),
    { before, countPending: true },
    { amend: withReplaced(new Map(replaced.map((log) => [log.log_id, log]))) },
    ({ days }) => days,
  )
  const branches = branchesOf(db.scope())
  return compared
    .map(({ person, day, before: was, after: becomes }) => ({
      branch_office: (was ?? becomes)?.branch_office ?? '',
      shown: {
        employee_id: person.employee_id,
        full_name: person.full_name,
        day,
        before_seconds: was?.worked_seconds ?? null,
        after_seconds: becomes?.worked_seconds ?? null,
        before_detail: was?.detail ?? '',
        after_detail: becomes?.detail ?? '',
        paid_seconds: person.paid.find((paid) => paid.day === day)?.seconds ?? null,
      },
    }))
    .filter(({ shown }) => shown.before_detail !== shown.after_detail)
    .filter(({ branch_office }) => branches?.includes(branch_office) ?? true)
    .map(({ shown }) => shown)
}

/** Mends the logs of a clock that was wrong: each is rejected, and added at the right time. */

const LOGS_MAX = 1_000

/** The index of logs has no sources, so that a long period would read many logs of other clocks. */
const DAYS_MAX = 31

interface Correction {
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

/**
 * Undoes a correction: rejects what it added, and gives what it rejected its former status. What
 * somebody has decided since stays. Undoing it again changes nothing.
 * @throws DomainError CLOCK_NOT_FOUND, CORRECTION_NOT_FOUND, OWN_LOG, LOG_CLOSED or STATUS_MOVED
 */
export const undoCorrection = async (
  db: AuthorizedDb,
  { serial, id, comment }: { serial: string; id: number; comment: string },
  decision: Decision,
) => {
  const replacements = await readReplacements(db, serial, id)
  if (replacements.length === 0 || replacements.some(({ is_in_scope }) => !is_in_scope)) {
    throw new DomainError('CORRECTION_NOT_FOUND')
  }
  const undone = replacements.filter(({ status }) => status !== 'rejected')
  if (decision.forbidSelfApproval && undone.some(({ is_of_caller }) => is_of_caller)) {
    throw new DomainError('OWN_LOG')
  }
  const restored = replacements.flatMap(({ wrong_id, wrong_before }): Move[] =>
    wrong_before === null ? [] : [{ log_id: wrong_id, from: 'rejected', to: wrong_before }],
  )
  const rejected = undone.map(
    ({ log_id, status }): Move => ({ log_id, from: status, to: 'rejected' }),
  )
  const moves = [...rejected, ...restored]
  // Who added a log may take it back while nobody has approved it.
  const forbids = (from: LogStatus) => from !== 'pending'
  if (moves.length > 0) await saveMoves(db, moves, { ...decision, comment }, {}, forbids)
  return { id, restored: restored.length, rejected: rejected.length }
}
