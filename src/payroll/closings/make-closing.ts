import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays } from '../../core/values/time-zone.ts'
import { listRunningGroups } from '../rules/groups.ts'
import {
  addTotals,
  hashesInOrder,
  hashOfClosing,
  type Totals,
  zeroTotals,
} from './closing-lines.ts'
import { beginClosing, finishClosing, readSnapshot, writePage } from './new-closing.queries.ts'
import { closingPages, type PersonClosing } from './person-closing.ts'
import type { ClosedSelection } from './selection.queries.ts'
import {
  type ClosingWindows,
  findClosedBy,
  readClosingWindows,
  requireSomebodyTaken,
} from './selection.ts'
import { sweepUnfinished } from './unfinished-closings.queries.ts'

type WithName<T> = Pick<PersonClosing['person'], 'employee_id' | 'full_name'> & NonNullable<T>

/** What a closing pays and leaves unpaid in all. */
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

const addPerson = (summary: Summary, personClosing: PersonClosing): void => {
  const { lines, totals, unsynced, unconfirmed, first_taken, left_out, hash } = personClosing
  const { employee_id, full_name } = personClosing.person
  if (left_out) summary.left_out.push({ employee_id, full_name, ...left_out })
  if (!personClosing.is_taken) return
  summary.totals = addTotals(summary.totals, totals)
  summary.lines += lines.length
  if (first_taken) summary.first_taken.push({ employee_id, full_name, ...first_taken })
  for (const source of unsynced) summary.unsynced.add(source)
  if (lines.length > 0) summary.hashes.set(employee_id, hash)
  summary.inverted_days += unconfirmed.length
  for (const { worked_seconds } of unconfirmed) summary.inverted_seconds += worked_seconds ?? 0
}

export const summarize = async (pages: AsyncIterable<PersonClosing[]>): Promise<Summary> => {
  const summary = emptySummary()
  for await (const page of pages) for (const one of page) addPerson(summary, one)
  return summary
}

export const takenOf = (page: readonly PersonClosing[]): PersonClosing[] =>
  page.filter(({ is_taken }) => is_taken)

interface OrderedClosing extends ClosedSelection {
  comment?: string | undefined
  leave_pending: boolean
  /** Whether the closing may end before the end of a group's running period. */
  confirm_early: boolean
  /** The `inverted_seconds` of the preview, which are paid. 0 if it has no inverted days. */
  confirm_inverted: number
  /** The seconds that the preview pays, less those that it deducts. Null for any seconds. */
  expected_seconds: number | null
}

/** @throws DomainError OTHER_SECONDS unless the closing pays the expected seconds */
const requireSeconds = (
  { period_seconds, added_seconds, deducted_seconds }: Totals,
  expected: number | null,
): void => {
  const seconds = period_seconds + added_seconds - deducted_seconds
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

/** @throws DomainError CLOSES_EARLY */
const refuseEarly = async (db: AuthorizedDb, request: OrderedClosing, now: Date): Promise<void> => {
  // A closing of one person may end on any day.
  if (request.confirm_early || request.employee_id !== null) return
  const groups = await listRunningGroups(db, request, now)
  if (groups.length > 0) throw new DomainError('CLOSES_EARLY', { groups })
}

/**
 * A second closing of the same days is made only if it pays or deducts something.
 * @throws DomainError ALREADY_CLOSED, CLOSING_TAKES_NOBODY
 */
const refuseClosedAlready = async (
  db: AuthorizedDb,
  selected: ClosingWindows,
  { people, period_seconds, added_seconds, deducted_seconds }: Totals,
): Promise<void> => {
  if (people === 0) throw new DomainError('CLOSING_TAKES_NOBODY')
  if (period_seconds + added_seconds + deducted_seconds > 0) return
  const closing = await findClosedBy(db, selected)
  if (!closing) return
  const { id, before, user } = closing
  const until = addDays(before, -1)
  throw new DomainError('ALREADY_CLOSED', { closing_id: id, until, closed_by: user.full_name })
}

/** Refuses what can be refused before anything is written, with at most one reading of the days. */
const refuseAtOnce = async (
  db: AuthorizedDb,
  selected: ClosingWindows,
  request: OrderedClosing,
): Promise<void> => {
  const { windows, waiting, areAllClosed } = selected
  const hasPending = waiting > 0 || windows.some(({ pending }) => pending.length > 0)
  const mayBePending = hasPending && !request.leave_pending
  if (!mayBePending && !areAllClosed) return
  const { totals } = await summarize(closingPages(db, windows, request))
  if (mayBePending) refusePending(totals, waiting)
  if (areAllClosed) await refuseClosedAlready(db, selected, totals)
}

const toClosingPersonRow = ({ person, window, totals, ...personClosing }: PersonClosing) => ({
  employee_id: person.employee_id,
  payroll_group: person.payroll_group,
  branch_office: person.branch_office,
  first_day: window.first_day,
  from_day: window.from_day,
  end_at: personClosing.end_at,
  lock_at: personClosing.lock_at,
  pending: totals.pending,
  pending_of_period: totals.pending_of_period,
  hash: personClosing.hash,
})

/**
 * A closing pays people seconds of work on their days from `first_day` until `before` (excluded). Each
 * line of a closing pays one day. It pays the current hours of the day, minus the hours that active
 * closings (completed and not cancelled) have already paid for the day. A day that a pending log can
 * still change deducts nothing, and pays only its certain pairs (`differenceOf`). So the next closing
 * pays or deducts what decisions, corrections and cancellations change. The trigger
 * `attendance_logs_no_decided_in_closed` refuses a new log that is decided already and lies before the
 * person's `lock_at` in an active closing.
 *
 * It is made all or nothing. Its pages are written under a random token, and do not count until the
 * last batch completes the closing. It fails if another closing, a cancellation, a change of people
 * and groups or a rule of hours was added after its snapshot, or if its unfinished rows were deleted.
 * So two closings at the same time cannot both pay a day.
 * @throws DomainError PENDING_LOGS with the number of pending logs, unless `leave_pending`;
 * CLOSES_EARLY with the groups, unless `confirm_early`; INVERTED_DAYS; OTHER_SECONDS;
 * CLOSING_OUTDATED; the errors of `readClosingWindows`, `requireSomebodyTaken` and
 * `refuseClosedAlready`
 */
export const makeClosing = async (db: AuthorizedDb, request: OrderedClosing, now: Date) => {
  const { before, payroll_group, employee_id, comment = null } = request
  // The snapshot does not contain the logs. If a log changes after it, this closing pays the day as
  // the log is when it is read. But the log's event is newer than `last_event_id`, so that `isPaid`
  // does not hold: the log may be decided again, and the next closing compares its day again.
  const snapshot = await readSnapshot(db)
  const selected = await readClosingWindows(db, request, now)
  requireSomebodyTaken(selected, request)
  await refuseEarly(db, request, now)
  await refuseAtOnce(db, selected, request)
  await sweepUnfinished(db)
  const token = crypto.randomUUID()
  const at = now.toISOString()
  const selection = { before, payroll_group, employee_id }
  const id = await beginClosing(db, { ...snapshot, ...selection, comment, token, at })

  const summary = emptySummary()
  for await (const page of closingPages(db, selected.windows, request)) {
    for (const one of page) addPerson(summary, one)
    const taken = takenOf(page)
    const people = taken.map(toClosingPersonRow)
    const lines = taken.flatMap((one) => one.lines)
    await writePage(db, { id, token }, { people, lines })
  }
  // Pending logs that were not counted before have arrived meanwhile, or they are more than a day
  // after `before` but belong to a pair of an earlier day. Inverted days are known only now.
  try {
    if (!request.leave_pending) refusePending(summary.totals, selected.waiting)
    requireConfirmed(summary, request.confirm_inverted)
    requireSeconds(summary.totals, request.expected_seconds)
  } catch (error) {
    await sweepUnfinished(db, id)
    throw error
  }
  return finishClosing(db, {
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
}
