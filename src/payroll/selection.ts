import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { periodOf } from '../core/payroll-calendar.ts'
import { addDays, earlier, later, localDay, type Zones } from '../core/time-zone.ts'
import { refuseChangedRules } from './hour-rules.ts'
import type { PayrollContext } from './payroll-context.ts'
import { readOpenings, readWholeClosings } from './payroll-groups.queries.ts'
import { calendarOf, firstPaidDay } from './payroll-groups.ts'
import {
  type ClosingCandidate,
  listClosingCandidates,
  readPaidRules,
  readSelection,
  type Selection,
} from './selection.queries.ts'

/** Selects the people of a closing and the days to compare. docs/payroll.md explains the rules. */

export interface ClosingRequest extends Selection {
  /** The first day that the closing does not pay. */
  before: string
  /** The opening that is given to everyone who has none and is not in `openings`. */
  from?: string | undefined
  /** The openings that are given to some people who have none, by employee id. */
  openings?: Readonly<Record<string, string>> | undefined
}

/**
 * The days of one person that a closing compares with what was paid. Usually
 * opening ≤ compare_from ≤ from_day < before. If an earlier closing reaches `before`, `from_day` is
 * not before it, and only corrections are paid. A person's last closing is the active closing with
 * the latest `before`. A day is local to the branch of its logs.
 */
export interface ClosingWindow {
  employee_id: string
  /** The first day that this installation pays the person; in a preview it may be a suggestion. */
  opening: string
  /**
   * The first day of the period: the `before` of the person's last active closing, or the opening.
   */
  from_day: string
  /**
   * The first day that is compared with what was paid. It is before the period if something
   * changed there.
   */
  compare_from: string
  /** The first day that the closing does not pay. */
  before: string
  /**
   * The suggested opening and its reasons, also if the request has given another opening. Null if an
   * opening is stored.
   */
  suggestion: (Pick<ClosingCandidate, 'first_log_at' | 'started_at'> & { suggested: string }) | null
  /**
   * Whether the person left before the end of their last closing. A leaver with nothing to pay is
   * skipped.
   */
  is_leaver: boolean
  /**
   * Whether the person is a leaver, or the last active closing reaches `before`. Days of a closing
   * that was cancelled later may still be unpaid.
   */
  is_closed: boolean
  /** The moments of the pending logs from the opening to a day after `before`. */
  pending: readonly string[]
}

const PEOPLE_MAX = 5_000

/**
 * A changed log can affect days before its own day, by at most 72 hours (two shifts of 36 hours)
 * plus a zone offset.
 */
const CHANGED_DAYS = 4

/** @param groupFrom the first day that the service pays the person's group */
const toWindow = (
  person: ClosingCandidate,
  { before, from, openings = {} }: ClosingRequest,
  { groupFrom, zones }: { groupFrom: string; zones: Zones },
): ClosingWindow => {
  const { employee_id, branch_office, first_log_at, started_at, ended_at, closed_before } = person
  const firstLogDay = first_log_at && localDay(first_log_at, branch_office, zones)
  // People whose first log is after `before` are included too. For them, the day before `before` is
  // suggested.
  const firstDay = later(later(groupFrom, started_at), firstLogDay)
  const suggested = earlier(firstDay, addDays(before, -1))
  const requested = Object.hasOwn(openings, employee_id) ? openings[employee_id] : from
  const opening = person.opening ?? requested ?? suggested
  const from_day = closed_before ?? opening
  const { oldest_changed_at } = person
  const changed = oldest_changed_at && localDay(oldest_changed_at, branch_office, zones)
  const changedFrom = changed ? addDays(changed, -CHANGED_DAYS) : from_day
  const compare_from = person.compares_all ? opening : later(opening, changedFrom)
  const is_leaver = closed_before !== null && ended_at !== null && ended_at < closed_before
  return {
    employee_id,
    opening,
    from_day,
    compare_from: earlier(compare_from, from_day),
    before,
    suggestion: person.opening === null ? { first_log_at, started_at, suggested } : null,
    is_closed: is_leaver || (closed_before !== null && closed_before >= before),
    is_leaver,
    pending: person.pending,
  }
}

/**
 * @throws DomainError UNKNOWN_EMPLOYEE, UNKNOWN_PAYROLL_GROUP; RULES_CHANGED if the settings would
 * count paid days of these people differently
 */
const requirePayableSelection = async (
  db: AuthorizedDb,
  selection: Selection,
  context: PayrollContext,
): Promise<void> => {
  const { people, paidRules } = await readSelection(db, selection)
  if (people === 0 && selection.employee_id !== null) throw new DomainError('UNKNOWN_EMPLOYEE')
  if (people === 0 && selection.payroll_group) throw new DomainError('UNKNOWN_PAYROLL_GROUP')
  await refuseChangedRules(paidRules, () => readPaidRules(db, selection), context)
}

/**
 * The first day that the service pays each group with people who have no opening. It is
 * `firstPaidDay`, or else the first day of the calendar's period with the closing's last day.
 */
const readGroupsFrom = async (
  db: AuthorizedDb,
  people: readonly ClosingCandidate[],
  { before, calendars }: { before: string; calendars: PayrollContext['calendars'] },
): Promise<Map<string, string>> => {
  const isFirst = people.filter(({ opening }) => opening === null)
  const groups = [...new Set(isFirst.map(({ payroll_group }) => payroll_group))]
  if (groups.length === 0) return new Map()
  const wholeClosings = await readWholeClosings(db)
  const openings = Map.groupBy(
    await readOpenings(db, groups, wholeClosings),
    ({ payroll_group }) => payroll_group,
  )
  return new Map(
    groups.map((group) => {
      const { calendar } = calendarOf(group, wholeClosings, calendars)
      const paid = firstPaidDay(openings.get(group) ?? [], db.zones())
      return [group, paid ?? periodOf(calendar, addDays(before, -1)).from]
    }),
  )
}

/**
 * Checks the openings of a request. If all days are closed already, people who have an opening are
 * allowed, so that a request that is sent twice fails later with ALREADY_CLOSED.
 * @throws DomainError OPENING_OF_UNKNOWN_EMPLOYEE for a person who is not selected; OPENING_EXISTS
 */
const requireUsableOpenings = (
  { openings = {} }: ClosingRequest,
  people: readonly ClosingCandidate[],
  windows: readonly ClosingWindow[],
): void => {
  const isClosed = windows.every(({ is_closed }) => is_closed)
  const openingById = new Map(people.map(({ employee_id, opening }) => [employee_id, opening]))
  for (const employeeId of Object.keys(openings)) {
    const opening = openingById.get(employeeId)
    if (opening === undefined) throw new DomainError('OPENING_OF_UNKNOWN_EMPLOYEE')
    if (opening !== null && !isClosed) throw new DomainError('OPENING_EXISTS', { employeeId })
  }
}

/**
 * Requires that somebody has days to close. A person with an opening has days if the opening is
 * before `before`, even without logs. Other people have days if their first log is before `before`.
 * @throws DomainError CLOSING_TAKES_NOBODY if nobody is selected; CLOSING_BEFORE_LOGS if nobody has
 * days to close
 */
const requireDaysToClose = (
  { before }: ClosingRequest,
  people: readonly ClosingCandidate[],
  zones: Zones,
): void => {
  if (people.length === 0) throw new DomainError('CLOSING_TAKES_NOBODY')
  const hasDays = ({ opening, first_log_at, branch_office }: ClosingCandidate): boolean => {
    if (opening !== null) return opening < before
    const end = zones.startOfDay(branch_office, before).toISOString()
    return first_log_at !== null && first_log_at < end
  }
  if (!people.some(hasDays)) throw new DomainError('CLOSING_BEFORE_LOGS')
}

/** @throws DomainError OPENINGS_MISSING with the number of people who lack one */
const requireOpenings = (
  { from, openings = {} }: ClosingRequest,
  people: readonly ClosingCandidate[],
): void => {
  if (from) return
  const count = people.filter(
    (one) => one.opening === null && !Object.hasOwn(openings, one.employee_id),
  ).length
  if (count > 0) throw new DomainError('OPENINGS_MISSING', { count })
}

/**
 * People without an opening who left more than this many days before `before` are skipped. `from`
 * replaces this limit, and `openings` may move the limit to an earlier day.
 */
const LEFT_DAYS_MAX = 366

/**
 * The windows of the selected people, by employee id.
 * @throws DomainError for an invalid request. In a preview, openings may be missing and there may
 * be no days to close.
 */
export const readClosingWindows = async (
  db: AuthorizedDb,
  request: ClosingRequest,
  { isPreview, context }: { isPreview: boolean; context: PayrollContext },
): Promise<ClosingWindow[]> => {
  const { before, payroll_group, employee_id, from, openings = {} } = request
  const { zones } = await db.ready()
  if (before > addDays(context.today, 1)) throw new DomainError('CLOSING_AHEAD')
  await requirePayableSelection(db, { payroll_group, employee_id }, context)
  if (from && from >= before) throw new DomainError('FROM_AFTER_CLOSING')
  if (Object.values(openings).some((day) => day >= before)) {
    throw new DomainError('OPENING_AFTER_CLOSING')
  }
  const earliest = from ?? addDays(before, -LEFT_DAYS_MAX)
  const earliestOpening = Object.values(openings).reduce(earlier, earliest)
  const candidates = await listClosingCandidates(db, {
    payroll_group,
    employee_id,
    before,
    earliestOpening,
  })
  const groupsFrom = await readGroupsFrom(db, candidates, { before, calendars: context.calendars })
  const windowOf = (person: ClosingCandidate): ClosingWindow =>
    toWindow(person, request, {
      groupFrom: groupsFrom.get(person.payroll_group) ?? '',
      zones,
    })
  const people = candidates.filter(
    // The query has skipped people without a stored opening who left before the earliest opening of
    // the request. This filter also skips those who left before their own opening.
    (person) =>
      person.opening !== null ||
      person.ended_at === null ||
      person.ended_at >= windowOf(person).opening,
  )
  if (people.length > PEOPLE_MAX) throw new DomainError('TOO_MANY_PEOPLE', { count: PEOPLE_MAX })
  const windows = people.map(windowOf)
  requireUsableOpenings(request, people, windows)
  if (!isPreview) {
    requireDaysToClose(request, people, zones)
    requireOpenings(request, people)
  }
  return windows
}
