import type { AuthorizedDb } from '../../core/db/authorization.ts'
import type { Statements } from '../../core/db/query.ts'
import { branchesOf } from '../../core/db/scope.ts'
import { DomainError } from '../../core/errors.ts'
import type { LogStatus } from '../../core/values/log-values.ts'
import { addDays, DAY_MS, localAt, localDay, type Zones } from '../../core/values/time-zone.ts'
import { MANUAL_DAYS } from '../../intake/added-logs.ts'
import { insertReplacements } from '../../intake/replacements.queries.ts'
import { refusalOfTime } from '../../intake/times.ts'
import { type StatusChange, statusStatements } from '../../logs/log-status.queries.ts'
import { explainFailure } from '../../logs/log-status.ts'
import { type PersonDays, readPersonDays } from '../hours/person-days.ts'
import {
  type ClockLog,
  keyOf,
  readClockLogs,
  readCorrections,
  readReplacements,
} from './corrections.queries.ts'

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

type Person = PersonDays['person']

/** Everything but the status of a change of logs. */
type Decision = Omit<StatusChange, 'status' | 'comment' | 'expectedStatus'>

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

type Replaced = ClockLog & { right_at: string }

/** The person with the right times of the replaced logs, as they are once they are added. */
const withReplaced =
  (replaced: ReadonlyMap<number, Replaced>) =>
  (person: Person): Person => ({
    ...person,
    logs: person.logs.map((log) => {
      const right = replaced.get(log.log_id)
      return right
        ? { ...log, recorded_at: right.right_at, status: 'pending' as const, is_manual: true }
        : log
    }),
  })

/**
 * What becomes of the days of the people: their hours before and after, with all that is pending.
 * Only days that change, of branches in the caller's scope.
 */
const readChangedDays = async (db: AuthorizedDb, replaced: readonly Replaced[]) => {
  const times = replaced.flatMap((log) => [log.recorded_at, log.right_at]).toSorted()
  const firstDay = addDays((times[0] ?? '').slice(0, 10), -2)
  const before = addDays((times.at(-1) ?? '').slice(0, 10), 2)
  const people = [...new Set(replaced.map(({ employee_id }) => employee_id))].toSorted()
  const ranges = people.map((employee_id) => ({ employee_id, firstDay }))
  const daysOf = async (amend: (person: Person) => Person) => {
    const byKey = new Map<string, { person: Person; day: PersonDays['days'][number] }>()
    for await (const page of readPersonDays(db, ranges, { before, countPending: true, amend })) {
      for (const { person, days } of page) {
        for (const day of days) byKey.set(`${person.employee_id}\n${day.day}`, { person, day })
      }
    }
    return byKey
  }
  const stored = await daysOf((person) => person)
  const mended = await daysOf(withReplaced(new Map(replaced.map((log) => [log.log_id, log]))))
  const branches = branchesOf(db.scope())
  return [...new Set([...stored.keys(), ...mended.keys()])].toSorted().flatMap((key) => {
    const [was, becomes] = [stored.get(key), mended.get(key)]
    const shown = was ?? becomes
    const isSame = (was?.day.detail ?? '') === (becomes?.day.detail ?? '')
    if (!shown || isSame || !(branches?.includes(shown.day.branch_office) ?? true)) return []
    const { person, day } = shown
    return {
      employee_id: person.employee_id,
      full_name: person.full_name,
      day: day.day,
      before_seconds: was?.day.worked_seconds ?? null,
      after_seconds: becomes?.day.worked_seconds ?? null,
      before_detail: was?.day.detail ?? '',
      after_detail: becomes?.day.detail ?? '',
      paid_seconds: person.paid.find((paid) => paid.day === day.day)?.seconds ?? null,
    }
  })
}

const prefixed = (prefix: string, statements: Statements): Statements =>
  Object.fromEntries(
    Object.entries(statements).map(([name, statement]) => [`${prefix} ${name}`, statement]),
  )

interface Move {
  log_id: number
  from: LogStatus
  to: LogStatus
}

/** The statements that move each log from its status to another one, with one comment for all. */
const moveStatements = (
  moves: readonly Move[],
  changeOf: (move: Pick<Move, 'from' | 'to'>) => StatusChange,
  caller: Parameters<typeof statusStatements>[2],
): Statements => {
  const groups = Map.groupBy(moves, ({ from, to }) => `${from} ${to}`)
  const statements = [...groups].map(([name, [one, ...others]]) => {
    if (!one) return {}
    const ids = [one, ...others].map(({ log_id }) => log_id)
    return prefixed(name, statusStatements(ids, changeOf(one), caller))
  })
  return Object.assign({}, ...statements)
}

/** Saves the moves and more statements as one transaction, all or nothing. */
const saveMoves = async <More extends Statements>(
  db: AuthorizedDb,
  moves: readonly [Move, ...Move[]],
  changeOf: (move: Pick<Move, 'from' | 'to'>) => StatusChange,
  more: More,
) => {
  const user_id = db.claims.userId
  const saving = db.batch((scope) => ({
    ...moveStatements(moves, changeOf, { user_id, scope }),
    ...more,
  }))
  return saving.catch(explainFailure)
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
    if (stored?.id == null) return undefined
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
  const [firstLog, ...otherLogs] = wrong
  if (!firstLog) throw new DomainError('NOTHING_TO_CORRECT')
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
  const moveOf = ({ log_id, status }: ClockLog): Move => ({ log_id, from: status, to: 'rejected' })
  const changeOf = ({ from: expectedStatus, to: status }: Pick<Move, 'from' | 'to'>) => ({
    ...decision,
    status,
    comment,
    expectedStatus,
  })
  const user_id = db.claims.userId
  try {
    const saved = await saveMoves(
      db,
      [moveOf(firstLog), ...otherLogs.map(moveOf)],
      changeOf,
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
    ({ log_id, status }): Move => ({
      ...{ log_id, from: status, to: 'rejected' },
    }),
  )
  const changeOf = ({ from: expectedStatus, to: status }: Pick<Move, 'from' | 'to'>) => ({
    ...decision,
    status,
    comment,
    expectedStatus,
    // Who added a log may take it back while nobody has approved it.
    forbidSelfApproval: decision.forbidSelfApproval && expectedStatus !== 'pending',
  })
  const [first, ...others] = [...rejected, ...restored]
  if (first) await saveMoves(db, [first, ...others], changeOf, {})
  return { id, restored: restored.length, rejected: rejected.length }
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
