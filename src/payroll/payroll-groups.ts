import type { AuthorizedDb } from '../core/db/authorization.ts'
import {
  type Calendar,
  calendarText,
  guessCalendar,
  type PayPeriod,
  periodOf,
} from '../core/payroll-calendar.ts'
import { addDays, localDay, type Zones } from '../core/time-zone.ts'
import type { PayrollContext } from './payroll-context.ts'
import { type GivenOpening, readGroups, type WholeClosing } from './payroll-groups.queries.ts'

/** Finds the last paid day and the next period of each payroll group. */

/** The distinct values of `before` of the closings that paid the whole group, the latest first. */
const closingEnds = (group: string, wholeClosings: readonly WholeClosing[]): string[] => {
  const ofGroup = wholeClosings.filter(
    ({ payroll_group }) => payroll_group === null || payroll_group === group,
  )
  return [...new Set(ofGroup.map(({ before }) => before))].toReversed()
}

/** The calendar of a group by the setting, or else a guess from the group's last two closings. */
export const calendarOf = (
  group: string,
  wholeClosings: readonly WholeClosing[],
  calendars: PayrollContext['calendars'],
): { calendar: Calendar; guessed: boolean } => {
  const calendar = calendars.get(group)
  return calendar
    ? { calendar, guessed: false }
    : { calendar: guessCalendar(closingEnds(group, wholeClosings)), guessed: true }
}

/**
 * The first day that the service paid a group. It is the opening that fits most people. A day fits
 * the people who have this opening. It also fits the people who were hired later and whose opening
 * is their first day of work or of logs. If two days fit equally many people, the earlier day is
 * returned. Undefined if there are no openings.
 */
export const firstPaidDay = (
  openings: readonly GivenOpening[],
  zones: Zones,
): string | undefined => {
  const people = openings.map(({ opening, started_at, first_log_at, branch_office }) => ({
    opening,
    isHire: [started_at, first_log_at && localDay(first_log_at, branch_office, zones)].includes(
      opening,
    ),
  }))
  const explained = [...new Set(openings.map(({ opening }) => opening))].sort().map((day) => ({
    day,
    count: people.filter(({ opening, isHire }) => opening === day || (isHire && opening > day))
      .length,
  }))
  return explained.toSorted((a, b) => b.count - a.count)[0]?.day
}

interface PayrollGroup {
  payroll_group: string
  people: number
  calendar: string
  guessed: boolean
  paid_before: string | null
  next: PayPeriod
}

/**
 * The payroll groups with their next period. It is the period that contains the first unpaid day.
 * Before the first closing of a group, it is the last period that is over. If `day` is given, it is
 * the period that contains `day`.
 */
export const listPayrollGroups = async (
  db: AuthorizedDb,
  day: string | undefined,
  { calendars, today }: PayrollContext,
): Promise<PayrollGroup[]> => {
  const { groups, wholeClosings } = await readGroups(db, today)
  return groups.map(({ payroll_group, people }) => {
    const { calendar, guessed } = calendarOf(payroll_group, wholeClosings, calendars)
    const [paid_before = null] = closingEnds(payroll_group, wholeClosings)
    const lastDayOver = addDays(periodOf(calendar, today).from, -1)
    const next = periodOf(calendar, day ?? paid_before ?? lastDayOver)
    return { payroll_group, people, calendar: calendarText(calendar), guessed, paid_before, next }
  })
}
