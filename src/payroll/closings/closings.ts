import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays, earlier } from '../../core/values/time-zone.ts'
import { readPersonDays } from '../hours/person-days.ts'
import {
  addTotals,
  hashesInOrder,
  hashOfClosing,
  type Totals,
  zeroTotals,
} from './closing-lines.ts'
import {
  findClosing,
  findPayingClosing,
  type StoredClosing,
  saveCancellation,
} from './closings.queries.ts'
import {
  beginClosing,
  finishClosing,
  readSnapshot,
  sweepUnfinished,
  writePage,
} from './new-closing.queries.ts'
import { type PersonClosing, toPersonClosing } from './person-closing.ts'
import { findRunningGroups } from './running-groups.ts'
import {
  type ClosingRequest,
  type ClosingWindow,
  readClosingWindows,
  requireSomebodyTaken,
} from './selection.ts'

/**
 * A closing pays people seconds of work on their days from `first_day` until `before` (excluded). Each
 * line of a closing pays one day. It pays the current hours of the day, minus the hours that active
 * closings (completed and not cancelled) have already paid for the day. A day that a pending log can
 * still change deducts nothing, and pays only its certain pairs (`differenceOf`). So the next closing
 * pays or deducts what decisions, corrections and cancellations change. The trigger
 * `attendance_logs_no_decided_in_closed` refuses a new log that is decided already and lies before the
 * person's `lock_at` in an active closing. The next closing finds changed logs with `oldestChangedAt`
 * of selection.queries.
 *
 * The words of these files:
 * - A log *counts* if it is approved. In hours with `preview=true`, pending logs count too.
 * - A *stretch* is a series of logs without a pause that is longer than the longest shift.
 * - A pending log *holds* a day if its decision can still change the day's pairs. The pairs that
 *   exist if all pending logs count, and also if none does, are *certain*.
 * - The *first day* of a person is the first day that this service pays the person.
 *
 * So a second closing pays a day only what has changed. Two closings at the same time cannot both
 * pay a day: `finishClosing` completes a closing only if no closing, cancellation, change of people
 * and groups, or rule of hours was added since its snapshot.
 *
 * Read on in this order: selection.queries and selection (people, first days, days to compare),
 * people.queries (their logs, and what was paid), person-days, work-days and pairing (the hours), person-closing (what is paid),
 * closing-lines (totals and hashes), new-closing.queries (what is written, and its conditions),
 * and, in logs/, locks.queries (which logs only somebody who pays may decide again).
 */

/** What the closing pays and leaves unpaid, a page of people at a time. */
async function* closingPages(
  db: AuthorizedDb,
  windows: readonly ClosingWindow[],
  { before }: Pick<ClosingRequest, 'before'>,
): AsyncGenerator<PersonClosing[]> {
  const windowById = new Map(windows.map((window) => [window.employee_id, window]))
  const people = windows.map(({ employee_id, compare_from, left_out_from }) => ({
    employee_id,
    firstDay: earlier(compare_from, left_out_from ?? compare_from),
  }))
  const options = { before, countPending: false }
  for await (const page of readPersonDays(db, people, options)) {
    yield page.flatMap((personDays) => {
      const window = windowById.get(personDays.person.employee_id)
      return window ? toPersonClosing(personDays, window, db.zones()) : []
    })
  }
}

const takenOf = (page: readonly PersonClosing[]): PersonClosing[] =>
  page.filter(({ is_taken }) => is_taken)

type WithName<T> = Pick<PersonClosing['person'], 'employee_id' | 'full_name'> & NonNullable<T>

interface Summary {
  totals: Totals
  lines: number
  first_taken: WithName<PersonClosing['first_taken']>[]
  left_out: WithName<PersonClosing['left_out']>[]
  unsynced: Set<string>
  /** The hash of each person who has lines, by employee id. */
  hashes: Map<string, string>
  /** Days that probably count rest as work, which nobody has confirmed, and their seconds. */
  inverted_days: number
  inverted_seconds: number
}

const emptySummary = (): Summary => ({
  totals: zeroTotals(),
  lines: 0,
  first_taken: [],
  left_out: [],
  unsynced: new Set(),
  hashes: new Map(),
  inverted_days: 0,
  inverted_seconds: 0,
})

const addPerson = (summary: Summary, closing: PersonClosing): void => {
  const { lines, totals, unsynced, unconfirmed, first_taken, left_out, hash } = closing
  const { employee_id, full_name } = closing.person
  if (left_out) summary.left_out.push({ employee_id, full_name, ...left_out })
  if (!closing.is_taken) return
  summary.totals = addTotals(summary.totals, totals)
  summary.lines += lines.length
  if (first_taken) summary.first_taken.push({ employee_id, full_name, ...first_taken })
  for (const source of unsynced) summary.unsynced.add(source)
  if (lines.length > 0) summary.hashes.set(employee_id, hash)
  summary.inverted_days += unconfirmed.length
  for (const { worked_seconds } of unconfirmed) summary.inverted_seconds += worked_seconds ?? 0
}

const summarize = async (pages: AsyncIterable<PersonClosing[]>): Promise<Summary> => {
  const summary = emptySummary()
  for await (const page of pages) for (const closing of page) addPerson(summary, closing)
  return summary
}

/** The seconds that a closing pays in total, less those that it deducts. */
const netSecondsOf = ({ period_seconds, added_seconds, deducted_seconds }: Totals): number =>
  period_seconds + added_seconds - deducted_seconds

/** @throws DomainError OTHER_SECONDS unless the closing pays the expected seconds */
const requireSeconds = ({ totals }: Summary, expected: number | null): void => {
  const seconds = netSecondsOf(totals)
  if (expected !== null && seconds !== expected) throw new DomainError('OTHER_SECONDS', { seconds })
}

/** @throws DomainError PENDING_LOGS if a log is pending, or if a punch of a clock is no log yet */
const refusePending = (
  { pending: count, pending_of_period: of_period }: Totals,
  waiting: number,
): void => {
  if (count + waiting > 0) throw new DomainError('PENDING_LOGS', { count, of_period, waiting })
}

/** @throws DomainError INVERTED_DAYS unless exactly the seconds of these days are confirmed */
const requireConfirmed = (
  { inverted_days: days, inverted_seconds: seconds }: Summary,
  confirmed: number,
): void => {
  if (seconds !== confirmed) throw new DomainError('INVERTED_DAYS', { days, seconds })
}

/** Turns a stored closing into the closing of a response. */
export const toClosing = ({ totals, ...row }: StoredClosing) => {
  const { cancelled_at, cancelled_by, cancelled_name, cancel_comment, ...closing } = row
  const { id, before, payroll_group, employee_id, ...rest } = closing
  return {
    id,
    before,
    payroll_group,
    employee_id,
    ...totals,
    ...rest,
    cancelled:
      cancelled_at === null
        ? null
        : {
            at: cancelled_at,
            comment: cancel_comment ?? '',
            user: { id: cancelled_by ?? 0, full_name: cancelled_name ?? '' },
          },
  }
}

/** The people of a preview with their lines, a page at a time. */
export async function* previewPeople(
  db: AuthorizedDb,
  request: ClosingRequest,
  now: Date,
): AsyncGenerator<PersonClosing[]> {
  const { windows } = await readClosingWindows(db, request, now)
  for await (const page of closingPages(db, windows, request)) yield takenOf(page)
}

/** Whether the last closings of all taken people reach `before`, except those of leavers. */
const areAllClosed = (windows: readonly ClosingWindow[]): boolean =>
  windows.every(
    ({ may_be_taken, is_leaver, period_from, before }) =>
      !may_be_taken || is_leaver || period_from >= before,
  )

/**
 * Finds the active closing that paid the largest number of the taken people up to `before`. Null
 * if anybody's last closing does not reach `before`, unless the person is a leaver.
 */
const findClosedBy = async (db: AuthorizedDb, windows: readonly ClosingWindow[]) => {
  if (!areAllClosed(windows)) return null
  const taken = windows.filter(({ may_be_taken }) => may_be_taken)
  // The last closing of a leaver may end before `before`.
  const paying = await findPayingClosing(
    db,
    taken.map(({ employee_id, before, period_from }) => [
      employee_id,
      earlier(before, period_from),
    ]),
  )
  const closing = paying && (await findClosing(db, paying))
  if (!closing) return null
  const { id, before, user, created_at } = closing
  return { id, before, user, created_at }
}

/** What a closing would pay. Logs may be pending, and groups may lack their first day. */
export const previewClosing = async (db: AuthorizedDb, request: ClosingRequest, now: Date) => {
  const { windows, groupsWithoutDay, waiting } = await readClosingWindows(db, request, now)
  const { before, payroll_group, employee_id } = request
  const summary = await summarize(closingPages(db, windows, request))
  return {
    id: null,
    before,
    payroll_group,
    employee_id,
    ...summary.totals,
    waiting,
    unsynced: [...summary.unsynced].sort(),
    signed: null,
    hash: null,
    comment: null,
    user: null,
    created_at: now.toISOString(),
    cancelled: null,
    first_taken: summary.first_taken,
    left_out: summary.left_out,
    groups_without_day: groupsWithoutDay,
    inverted_days: summary.inverted_days,
    inverted_seconds: summary.inverted_seconds,
    closed_already: await findClosedBy(db, windows),
  }
}

const toClosingPersonRow = ({ person, window, totals, ...closing }: PersonClosing) => ({
  employee_id: person.employee_id,
  payroll_group: person.payroll_group,
  branch_office: person.branch_office,
  first_day: window.first_day,
  from_day: window.from_day,
  end_at: closing.end_at,
  lock_at: closing.lock_at,
  pending: totals.pending,
  pending_of_period: totals.pending_of_period,
  hash: closing.hash,
})

/**
 * A second closing of the same days is made only if it pays or deducts something.
 * @throws DomainError ALREADY_CLOSED, CLOSING_TAKES_NOBODY
 */
const refuseClosedAlready = async (
  db: AuthorizedDb,
  windows: readonly ClosingWindow[],
  request: ClosingRequest,
): Promise<void> => {
  if (!areAllClosed(windows)) return
  const { totals } = await summarize(closingPages(db, windows, request))
  if (totals.people === 0) throw new DomainError('CLOSING_TAKES_NOBODY')
  if (totals.period_seconds + totals.added_seconds + totals.deducted_seconds > 0) return
  const closing = await findClosedBy(db, windows)
  if (!closing) return
  const { id, before, user } = closing
  const until = addDays(before, -1)
  throw new DomainError('ALREADY_CLOSED', { closing_id: id, until, closed_by: user.full_name })
}

/** @throws DomainError CLOSES_EARLY */
const refuseEarly = async (
  db: AuthorizedDb,
  request: ClosingRequest & { confirm_early: boolean },
  now: Date,
): Promise<void> => {
  const groups = request.confirm_early ? [] : await findRunningGroups(db, request, now)
  if (groups.length > 0) throw new DomainError('CLOSES_EARLY', { groups })
}

/**
 * Makes a closing, all or nothing. Its pages are written under a random token, and do not count
 * until the last batch completes the closing. It fails if another closing, a cancellation, a change
 * of people and groups or a rule of hours was added after its snapshot, or if its unfinished rows were deleted.
 * @throws DomainError PENDING_LOGS with the number of pending logs, unless `leave_pending`;
 * CLOSES_EARLY with the groups, unless `confirm_early`; INVERTED_DAYS; OTHER_SECONDS; CLOSING_OUTDATED; the errors of `readClosingWindows`, `requireSomebodyTaken`
 * and `refuseClosedAlready`
 */
export const makeClosing = async (
  db: AuthorizedDb,
  request: ClosingRequest & {
    comment?: string | undefined
    leave_pending: boolean
    /** Whether the closing may end before the end of a group's running period. */
    confirm_early: boolean
    /** The `inverted_seconds` of the preview, which are paid. 0 if it has no inverted days. */
    confirm_inverted: number
    /** The seconds that the preview pays, less those that it deducts. Null for any seconds. */
    expected_seconds: number | null
  },
  now: Date,
) => {
  const { before, payroll_group, employee_id, comment = null, leave_pending } = request
  // The snapshot does not contain the logs. A log that changes after the snapshot is paid in the
  // state in which it is read. Its event is newer than `last_event_id`. So the log is not locked, and
  // the next closing compares its day again.
  const snapshot = await readSnapshot(db)
  const read = await readClosingWindows(db, request, now)
  requireSomebodyTaken(read, request)
  await refuseEarly(db, request, now)
  const { windows, waiting } = read
  // If logs are pending, they are counted before anything is written.
  if (!leave_pending && (waiting > 0 || windows.some(({ pending }) => pending.length > 0))) {
    refusePending((await summarize(closingPages(db, windows, request))).totals, waiting)
  }
  await refuseClosedAlready(db, windows, request)
  await sweepUnfinished(db)
  const token = crypto.randomUUID()
  const at = now.toISOString()
  const id = await beginClosing(db, {
    ...snapshot,
    before,
    payroll_group,
    employee_id,
    comment,
    token,
    at,
  })

  const summary = emptySummary()
  for await (const page of closingPages(db, windows, request)) {
    for (const closing of page) addPerson(summary, closing)
    const taken = takenOf(page)
    const people = taken.map(toClosingPersonRow)
    const lines = taken.flatMap((closing) => closing.lines)
    await writePage(db, { id, token }, { people, lines })
  }
  // Pending logs that were not counted before have arrived meanwhile, or they are more than a day
  // after `before` but belong to a pair of an earlier day. Inverted days are known only now.
  try {
    if (!leave_pending) refusePending(summary.totals, waiting)
    requireConfirmed(summary, request.confirm_inverted)
    requireSeconds(summary, request.expected_seconds)
  } catch (error) {
    await sweepUnfinished(db, id)
    throw error
  }
  const closing = await finishClosing(db, {
    ...summary.totals,
    lines: summary.lines,
    changes_before: snapshot.changes_before,
    rules_before: snapshot.rules_before,
    id,
    token,
    at,
    unsynced: JSON.stringify([...summary.unsynced].sort()),
    hash: hashOfClosing(hashesInOrder(summary.hashes)),
  })
  return toClosing(closing)
}

/** @throws DomainError CLOSING_NOT_FOUND */
export const getClosing = async (db: AuthorizedDb, id: number) => {
  const closing = await findClosing(db, id)
  if (!closing) throw new DomainError('CLOSING_NOT_FOUND')
  return toClosing(closing)
}

/**
 * Cancels a closing. Only a closing whose money was not paid out should be cancelled, but the
 * service cannot check this. The next closing pays the days of the cancelled closing again.
 * @throws DomainError CLOSING_NOT_FOUND, or CLOSING_CANCELLED if the closing is cancelled already
 */
export const cancelClosing = async (
  db: AuthorizedDb,
  { id, comment }: { id: number; comment: string },
  now: Date,
) => toClosing(await saveCancellation(db, { id, comment, at: now.toISOString() }))
