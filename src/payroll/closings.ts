import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, earlier } from '../core/time-zone.ts'
import {
  findClosing,
  findPayingClosing,
  type NewOpening,
  type StoredClosing,
  saveCancellation,
} from './closings.queries.ts'
import { readHourRules, readRulesOfClosing } from './hour-rules.queries.ts'
import { hourRulesText, refuseChangedRules } from './hour-rules.ts'
import { hashesInOrder, hashOfClosing } from './line-hashes.ts'
import {
  beginClosing,
  type ClosingPersonRow,
  finishClosing,
  readSnapshot,
  sweepUnfinished,
  writePage,
} from './new-closing.queries.ts'
import type { PayrollContext } from './payroll-context.ts'
import { type PersonClosing, toPersonClosing } from './person-closing.ts'
import { readPersonDays } from './person-days.ts'
import { type ClosingRequest, type ClosingWindow, readClosingWindows } from './selection.ts'
import { addTotals, type Totals, zeroTotals } from './totals.ts'

/**
 * A closing pays people seconds of work on the days before `before`. Each line of a closing pays one
 * day. It pays the current hours of the day, minus the hours that active closings (completed and not
 * cancelled) have already paid for the day. So the next closing pays or deducts what corrections and
 * cancellations change. The trigger `attendance_logs_no_decided_in_closed` refuses a new log of a
 * locked day unless it is pending. The next closing finds the log with `oldestChangedAt` of
 * selection.queries.
 *
 * So a second closing pays a day only what has changed. Two closings at the same time cannot both
 * pay a day: `finishClosing` completes a closing only if no closing, cancellation or opening was
 * added since its snapshot.
 *
 * Read on in this order: selection (people and days), people.queries (their logs, and what was
 * paid), person-days, work-days and pairing (the hours), person-closing (what is paid), totals,
 * new-closing.queries (what is written, and its conditions).
 */

/** What the closing pays each person, a page at a time. */
async function* personClosings(
  db: AuthorizedDb,
  windows: readonly ClosingWindow[],
  { before }: Pick<ClosingRequest, 'before'>,
  { maxShiftHours }: PayrollContext,
): AsyncGenerator<PersonClosing[]> {
  const windowById = new Map(windows.map((window) => [window.employee_id, window]))
  const people = windows.map(({ employee_id, compare_from }) => ({
    employee_id,
    firstDay: compare_from,
  }))
  const options = { before, countPending: false, maxShiftHours }
  for await (const page of readPersonDays(db, people, options)) {
    yield page.flatMap((personDays) => {
      const window = windowById.get(personDays.person.employee_id)
      return (window && toPersonClosing(personDays, window, db.zones())) ?? []
    })
  }
}

interface Summary {
  totals: Totals
  lines: number
  newOpenings: NewOpening[]
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
  newOpenings: [],
  unsynced: new Set(),
  hashes: new Map(),
  inverted_days: 0,
  inverted_seconds: 0,
})

const addPerson = (summary: Summary, closing: PersonClosing): void => {
  const { person, window, lines, totals, unsynced, unconfirmed, hash } = closing
  const { employee_id, full_name } = person
  summary.totals = addTotals(summary.totals, totals)
  summary.lines += lines.length
  for (const source of unsynced) summary.unsynced.add(source)
  if (lines.length > 0) summary.hashes.set(employee_id, hash)
  summary.inverted_days += unconfirmed.length
  for (const { worked_seconds } of unconfirmed) summary.inverted_seconds += worked_seconds ?? 0
  if (window.suggestion) {
    summary.newOpenings.push({ employee_id, full_name, ...window.suggestion })
  }
}

const summarize = async (pages: AsyncIterable<PersonClosing[]>): Promise<Summary> => {
  const summary = emptySummary()
  for await (const page of pages) for (const closing of page) addPerson(summary, closing)
  return summary
}

/** @throws DomainError PENDING_LOGS if any log is pending */
const refusePending = ({ pending: count, pending_of_period: ofPeriod }: Totals): void => {
  if (count > 0) throw new DomainError('PENDING_LOGS', { count, ofPeriod })
}

/** @throws DomainError INVERTED_DAYS unless exactly the seconds of these days are confirmed */
const requireConfirmed = (
  { inverted_days: days, inverted_seconds: seconds }: Summary,
  confirmInverted: number,
): void => {
  if (seconds !== confirmInverted) throw new DomainError('INVERTED_DAYS', { days, seconds })
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
  context: PayrollContext,
): AsyncGenerator<PersonClosing[]> {
  const windows = await readClosingWindows(db, request, { isPreview: true, context })
  yield* personClosings(db, windows, request, context)
}

/**
 * Finds the active closing that paid the largest number of the selected people up to `before`. Null
 * if anybody's last closing does not reach `before`, unless the person is a leaver.
 */
const findClosedBy = async (db: AuthorizedDb, windows: readonly ClosingWindow[]) => {
  if (windows.some(({ is_closed }) => !is_closed)) return null
  const paying = await findPayingClosing(
    db,
    windows.map(({ employee_id, before, from_day }) => [employee_id, earlier(before, from_day)]),
  )
  const closing = paying && (await findClosing(db, paying))
  if (!closing) return null
  const { id, before, user, created_at } = closing
  return { id, before, user, created_at }
}

/** What a closing would pay. Logs may be pending, and openings may be missing. */
export const previewClosing = async (
  db: AuthorizedDb,
  request: ClosingRequest,
  context: PayrollContext,
) => {
  const windows = await readClosingWindows(db, request, { isPreview: true, context })
  const { before, payroll_group, employee_id } = request
  const summary = await summarize(personClosings(db, windows, request, context))
  return {
    id: null,
    before,
    payroll_group,
    employee_id,
    ...summary.totals,
    first_taken: summary.newOpenings,
    unsynced: [...summary.unsynced].sort(),
    signed: null,
    hash: null,
    comment: null,
    user: null,
    created_at: context.now.toISOString(),
    cancelled: null,
    inverted_days: summary.inverted_days,
    inverted_seconds: summary.inverted_seconds,
    closed_already: await findClosedBy(db, windows),
  }
}

const toClosingPersonRow = ({
  person,
  window,
  totals,
  ...closing
}: PersonClosing): ClosingPersonRow => ({
  employee_id: person.employee_id,
  payroll_group: person.payroll_group,
  branch_office: person.branch_office,
  from_day: window.from_day,
  end_at: closing.end_at,
  lock_at: closing.lock_at,
  opening: window.suggestion ? window.opening : null,
  first_log_at: window.suggestion?.first_log_at ?? null,
  suggested: window.suggestion?.suggested ?? null,
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
  context: PayrollContext,
): Promise<void> => {
  if (windows.some(({ is_closed }) => !is_closed)) return
  const { totals } = await summarize(personClosings(db, windows, request, context))
  if (totals.people === 0) throw new DomainError('CLOSING_TAKES_NOBODY')
  if (totals.period_seconds + totals.added_seconds + totals.deducted_seconds > 0) return
  const closing = await findClosedBy(db, windows)
  if (!closing) return
  const { id, before, user } = closing
  throw new DomainError('ALREADY_CLOSED', { id, until: addDays(before, -1), by: user.full_name })
}

/**
 * Makes a closing, all or nothing. Its pages are written under a random token, and do not count
 * until the last batch completes the closing. It fails if another closing, a cancellation or
 * an opening was added after its snapshot, or if its unfinished rows were deleted.
 * @throws DomainError PENDING_LOGS with the number of pending logs, unless `leavePending`;
 * INVERTED_DAYS; CLOSING_OUTDATED; the errors of `readClosingWindows` and `refuseClosedAlready`
 */
export const makeClosing = async (
  db: AuthorizedDb,
  request: ClosingRequest & {
    comment: string | null
    leavePending: boolean
    /** The `inverted_seconds` of the preview, which are paid. 0 if it has no inverted days. */
    confirmInverted: number
  },
  context: PayrollContext,
) => {
  const { before, payroll_group, employee_id, comment, leavePending, confirmInverted } = request
  // The snapshot does not contain the logs. A log that changes after the snapshot is paid in the
  // state in which it is read. Such a log is not locked, and the next closing compares its day
  // again.
  const snapshot = await readSnapshot(db)
  const windows = await readClosingWindows(db, request, { isPreview: false, context })
  // If logs are pending, they are counted before anything is written.
  if (!leavePending && windows.some(({ pending }) => pending.length > 0)) {
    refusePending((await summarize(personClosings(db, windows, request, context))).totals)
  }
  await refuseClosedAlready(db, windows, request, context)
  await sweepUnfinished(db)
  const token = crypto.randomUUID()
  const at = context.now.toISOString()
  const id = await beginClosing(db, {
    ...snapshot,
    before,
    payroll_group,
    employee_id,
    comment,
    token,
    at,
    rules: hourRulesText(context),
  })

  const summary = emptySummary()
  for await (const page of personClosings(db, windows, request, context)) {
    for (const personClosing of page) addPerson(summary, personClosing)
    const people = page.map(toClosingPersonRow)
    const lines = page.flatMap((personClosing) => personClosing.lines)
    await writePage(db, { id, token }, { people, lines })
  }
  // Pending logs that were not counted before have arrived meanwhile, or they are more than a day
  // after `before` but belong to a pair of an earlier day. Inverted days are known only now.
  try {
    if (!leavePending) refusePending(summary.totals)
    requireConfirmed(summary, confirmInverted)
  } catch (error) {
    await sweepUnfinished(db)
    throw error
  }
  const closing = await finishClosing(db, {
    ...summary.totals,
    lines: summary.lines,
    openings_before: snapshot.openings_before,
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
 * service cannot check this. The next closing pays the days of the cancelled closing, by the rules
 * of hours that are valid then. So these rules must not have changed.
 * @throws DomainError CLOSING_NOT_FOUND, RULES_CHANGED, or CLOSING_CANCELLED if the closing is
 * cancelled already
 */
export const cancelClosing = async (
  db: AuthorizedDb,
  { id, comment }: { id: number; comment: string },
  context: PayrollContext,
) => {
  await refuseChangedRules(await readHourRules(db), () => readRulesOfClosing(db, id), context)
  return toClosing(await saveCancellation(db, { id, comment, at: context.now.toISOString() }))
}
