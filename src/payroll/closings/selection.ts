import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import {
  addDays,
  companyDay,
  earlier,
  later,
  localDay,
  localDaysOf,
  type Zones,
} from '../../core/values/time-zone.ts'
import { findPayingClosing } from './closings.queries.ts'
import {
  type ClosedSelection,
  type ClosingCandidate,
  listClosingCandidates,
  readSelection,
} from './selection.queries.ts'

/** Selects the people of a closing and the days to compare. docs/payroll.md explains the rules. */

/**
 * The days of one person that a closing looks at. A person's last closing is the active closing with
 * the latest `before`. A day is local to the branch of its logs.
 *
 * For example, a person is paid from 2 November on, and the last closing paid until the 15th. A log
 * of the 5th was approved since then. For a closing before 1 December, `first_day` is the 2nd,
 * `period_from` and `from_day` are the 16th, and `compare_from` is the 1st or later: some days before
 * the log, because it can change them.
 */
export interface ClosingWindow {
  employee_id: string
  /** The first day that the service pays the person. */
  first_day: string
  /** The `first_day` of the person's last closing. Null if there is none. */
  last_first_day: string | null
  /** The first day of the period: the `before` of the person's last closing, or `first_day`. */
  period_from: string
  /** The first day that this closing is the first to pay. Null if it only corrects other days. */
  from_day: string | null
  /**
   * The first day that is compared with what was paid. It is before the period if something
   * changed there, or if a pending log may still hold days there.
   */
  compare_from: string
  /** The first day that the closing does not pay. */
  before: string
  /** Whether the closing takes the person, as far as the logs do not decide that. */
  may_be_taken: boolean
  /**
   * Whether the person left before the end of their last closing, or before `first_day`. A closing
   * does not take a leaver without lines.
   */
  is_leaver: boolean
  /**
   * The earliest day from the group's `pays_from` to `first_day` that may have counted hours. No
   * closing pays it. Null if there is none.
   */
  left_out_from: string | null
  /** Why days before `first_day` are not paid. */
  left_out_reason: 'before_start' | 'paid_from'
  /** The moments of the pending logs from `first_day` to `before`, and a day more on each side. */
  pending: readonly string[]
}

export interface ClosingWindows {
  windows: ClosingWindow[]
  /** The groups for which nobody has set the first day that the service pays, by name. */
  groupsWithoutDay: string[]
  /** The punches of clocks that wait, which may be of the closing. */
  waiting: number
  /** Whether the last closings of all taken people reach `before`, except those of leavers. */
  areAllClosed: boolean
}

const PEOPLE_MAX = 5_000

/**
 * A changed or pending log can affect days before its own day, by at most 72 hours (two shifts of 36 hours)
 * plus a zone offset.
 */
const CHANGED_DAYS = 4

/** The earliest local day of a moment in any branch. A log may be of a branch that the person left. */
const earliestDay = (moment: string, zones: Zones): string =>
  localDaysOf(moment, zones).reduce(earlier)

const toWindow = (
  person: ClosingCandidate,
  first_day: string,
  { before, zones }: { before: string; zones: Zones },
): ClosingWindow => {
  const { employee_id, branch_office, ended_at, closed_before, earliest_paid_day } = person
  const { oldest_changed_at, oldest_pending_at, oldest_left_out_at } = person
  const { last_first_day, pays_from } = person
  const period_from = closed_before ?? first_day
  const bringsEarlierDays = earliest_paid_day === null || first_day < earliest_paid_day
  const from_day = bringsEarlierDays ? first_day : period_from
  const affectedFrom = [oldest_changed_at, oldest_pending_at].map((moment) =>
    moment === null ? period_from : addDays(localDay(moment, branch_office, zones), -CHANGED_DAYS),
  )
  const compare_from = person.compares_all ? first_day : affectedFrom.reduce(earlier, period_from)
  const leftOut = oldest_left_out_at && earliestDay(oldest_left_out_at, zones)
  const is_leaver = ended_at !== null && ended_at < period_from
  return {
    employee_id,
    first_day,
    last_first_day,
    period_from,
    from_day: from_day < before ? from_day : null,
    compare_from: later(first_day, compare_from),
    before,
    may_be_taken: first_day < before && person.may_be_paid,
    is_leaver,
    left_out_from: leftOut && leftOut < first_day ? later(leftOut, pays_from) : null,
    left_out_reason: person.paid_from === null ? 'before_start' : 'paid_from',
    pending: person.pending,
  }
}

/**
 * Returns the number of waiting punches.
 * @throws DomainError UNKNOWN_EMPLOYEE, UNKNOWN_PAYROLL_GROUP
 */
const requireKnownSelection = async (
  db: AuthorizedDb,
  selection: ClosedSelection,
): Promise<number> => {
  const { people, isKnownGroup, waiting } = await readSelection(db, selection)
  const { employee_id, payroll_group } = selection
  if (people === 0 && employee_id !== null) throw new DomainError('UNKNOWN_EMPLOYEE')
  if (payroll_group !== null && !isKnownGroup) {
    throw new DomainError('UNKNOWN_PAYROLL_GROUP', { payroll_group })
  }
  return waiting
}

/**
 * The windows of the selected people who are taken or may be left out, by employee id, and the
 * window of a selected person in any case. People whose first day is not known have none.
 * @throws DomainError CLOSING_AHEAD, TOO_MANY_PEOPLE, and the errors of `requireKnownSelection`
 */
export const readClosingWindows = async (
  db: AuthorizedDb,
  { before, payroll_group, employee_id }: ClosedSelection,
  now: Date,
): Promise<ClosingWindows> => {
  const { zones } = await db.ready()
  if (before > addDays(companyDay(now, zones), 1)) throw new DomainError('CLOSING_AHEAD')
  const selection = { payroll_group, employee_id, before }
  const waiting = await requireKnownSelection(db, selection)
  const people = await listClosingCandidates(db, selection)
  const groups = people.flatMap((person) =>
    person.first_day === null ? [person.payroll_group] : [],
  )
  const windows = people
    .flatMap((person) => {
      const { first_day } = person
      return first_day === null ? [] : toWindow(person, first_day, { before, zones })
    })
    .filter((one) => one.may_be_taken || one.left_out_from !== null || employee_id !== null)
  if (windows.length > PEOPLE_MAX)
    throw new DomainError('TOO_MANY_PEOPLE', { people_max: PEOPLE_MAX })
  const areAllClosed = windows.every(
    ({ may_be_taken, is_leaver, period_from }) =>
      !may_be_taken || is_leaver || period_from >= before,
  )
  return { windows, groupsWithoutDay: [...new Set(groups)].sort(), waiting, areAllClosed }
}

/**
 * Finds the active closing that paid the largest number of the taken people up to `before`. Null
 * if anybody's last closing does not reach `before`, unless the person is a leaver.
 */
export const findClosedBy = async (db: AuthorizedDb, { windows, areAllClosed }: ClosingWindows) => {
  if (!areAllClosed) return null
  const taken = windows.filter(({ may_be_taken }) => may_be_taken)
  // The last closing of a leaver may end before `before`.
  return findPayingClosing(
    db,
    taken.map(({ employee_id, before, period_from }) => [
      employee_id,
      earlier(before, period_from),
    ]),
  )
}

/**
 * Requires that the first days of all groups are known, and that the closing takes somebody.
 * @throws DomainError GROUP_WITHOUT_DAY; PAID_LATER if the service begins to pay the one person
 * later; CLOSING_TAKES_NOBODY
 */
export const requireSomebodyTaken = (
  { windows, groupsWithoutDay }: ClosingWindows,
  { before, employee_id }: ClosedSelection,
): void => {
  if (groupsWithoutDay.length > 0) {
    throw new DomainError('GROUP_WITHOUT_DAY', { groups: groupsWithoutDay })
  }
  if (windows.some(({ may_be_taken }) => may_be_taken)) return
  const [person] = employee_id === null ? [] : windows
  if (person && person.first_day >= before) {
    const { employee_id, first_day: day } = person
    throw new DomainError('PAID_LATER', { employee_id, day })
  }
  throw new DomainError('CLOSING_TAKES_NOBODY')
}
