import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf, type Scope } from '../../core/db/scope.ts'
import { addDays, localDay, type Zones } from '../../core/values/time-zone.ts'
import type { Place } from './hours-log.ts'
import type { DayException } from './marks.ts'
import { type DayWithPending, withPendingSeconds } from './pending-seconds.ts'
import { listEmployeesOfPeriod, type PeopleFilter } from './people-of-period.queries.ts'
import { type PersonDays, readPersonDays, unsyncedSources } from './person-days.ts'
import { type JudgedWeek, judgeWeeks, mondayOf } from './weekly-limits.ts'
import { emptyDay, hasLogs } from './work-day.ts'
import { toWorkDays } from './work-days.ts'

/** The days of people in the period of a request, with what depends on more than the day. */

export interface HoursRequest {
  filter: PeopleFilter
  /** The caller's own employee. If given, all days of this person are read, whatever the scope. */
  ownEmployeeId?: string
  /** Local days, both included. */
  from: string
  to: string
  preview: boolean
  /**
   * If true, only days that somebody should look at, and that nobody has reviewed, are returned. By
   * employee, only rows with such a day are returned. By week, weeks over the limit are returned too.
   */
  exceptions: boolean
  /** If true, only days of people who are at work now are returned. */
  working?: boolean
  /** The id of a log. Returns only days whose hours would change if the log were rejected. */
  rejected?: number | undefined
  now: Date
}

export const isAt = (place: Place, { filter }: HoursRequest, scope: Scope): boolean =>
  (filter.department ?? place.department) === place.department &&
  (filter.branch_office ?? place.branch_office) === place.branch_office &&
  (branchesOf(scope)?.includes(place.branch_office) ?? true)

export const withException = <Row extends { exceptions: DayException[] }>(
  row: Row,
  exception: DayException,
): Row => ({ ...row, exceptions: [...row.exceptions, exception] })

export interface PeriodDays extends PersonDays {
  days: DayWithPending[]
  /**
   * The weeks by their Mondays, with the law's limits. Empty if the query has `rejected`. The last
   * week is complete only if the period includes all of it.
   */
  weeks: Map<string, JudgedWeek>
  /** What the approval of all pending logs would change in each of these weeks. */
  pendingOfWeeks: Map<string, number>
}

const pendingByWeek = (days: readonly DayWithPending[]): Map<string, number> => {
  const seconds = new Map<string, number>()
  for (const { day, pending_seconds } of days) {
    const monday = mondayOf(day)
    seconds.set(monday, (seconds.get(monday) ?? 0) + pending_seconds)
  }
  return seconds
}

export const todayOf = ({ branch_office }: Place, { now }: HoursRequest, zones: Zones): string =>
  localDay(now.toISOString(), branch_office, zones)

/**
 * Adds the exceptions that depend on other data: the week's limit and the sources. A day that is
 * not over, or on which the person is at work, has neither of them, and no `pendientes`.
 */
const withMarks = (
  day: DayWithPending,
  { person, weeks }: Pick<PeriodDays, 'person' | 'weeks'>,
  query: HoursRequest,
  zones: Zones,
): DayWithPending => {
  if (day.working_since !== null || day.day === todayOf(day, query, zones)) {
    return { ...day, exceptions: day.exceptions.filter((name) => name !== 'pendientes') }
  }
  const passesLimit = weeks.get(mondayOf(day.day))?.passed_on === day.day
  const marked = passesLimit ? withException(day, 'semana_sobre_limite') : day
  const isUnsynced = unsyncedSources(person, day.day, zones).length > 0
  return isUnsynced ? withException(marked, 'sin_sincronizar') : marked
}

/**
 * The days whose hours would change if a log were rejected, with their new hours. Each day keeps
 * its current place, so that the same readers see it.
 */
const daysIfRejected = (
  { days, logs, dayOptions }: PersonDays,
  rejected: number,
): DayWithPending[] => {
  const ifRejected = logs.map((log) =>
    log.log_id === rejected ? { ...log, status: 'rejected' as const } : log,
  )
  const newDays = withPendingSeconds(toWorkDays(ifRejected, dayOptions), ifRejected, dayOptions)
  const thenByDay = new Map(newDays.map((day) => [day.day, day]))
  const nowByDay = new Map(days.map((day) => [day.day, day]))
  return [...new Set([...nowByDay.keys(), ...thenByDay.keys()])].toSorted().flatMap((name) => {
    const [now, then] = [nowByDay.get(name), thenByDay.get(name)]
    if ((now?.worked_seconds ?? null) === (then?.worked_seconds ?? null)) return []
    if (!now) return then ?? []
    const { department, branch_office } = now
    return { pending_seconds: 0, ...(then ?? emptyDay(name, now)), department, branch_office }
  })
}

/**
 * Employees with their days of the period, a page at a time. Employees without days are included.
 * The first week is read from its Monday, because the day that passes the weekly limit depends on
 * the whole week.
 */
export async function* pagesOfDays(
  db: AuthorizedDb,
  query: HoursRequest,
  { totals }: { totals: boolean },
): AsyncGenerator<PeriodDays[]> {
  const { filter, ownEmployeeId, from, to, preview, rejected } = query
  const window = {
    // The window is wider than the period, so that it is enough for any zone and for night shifts.
    from: `${addDays(from, -1)}T00:00:00.000Z`,
    before: `${addDays(to, 3)}T00:00:00.000Z`,
    onPayroll: totals ? from : undefined,
  }
  const ids = ownEmployeeId ? [ownEmployeeId] : await listEmployeesOfPeriod(db, filter, window)
  const people = ids.map((employee_id) => ({ employee_id, firstDay: mondayOf(from) }))
  const options = { before: addDays(to, 1), countPending: preview, now: query.now }
  for await (const page of readPersonDays(db, people, options)) {
    yield page
      .filter(
        ({ person }) => (filter.payroll_group ?? person.payroll_group) === person.payroll_group,
      )
      .map((personDays) => {
        const weeks = judgeWeeks(rejected === undefined ? personDays.days : [])
        const one = { ...personDays, weeks }
        const days =
          rejected === undefined
            ? withPendingSeconds(one.days.filter(hasLogs), one.logs, one.dayOptions)
            : daysIfRejected(one, rejected)
        const ofPeriod = days.filter(({ day }) => day >= from && day <= to)
        return {
          ...one,
          days: ofPeriod.map((day) => withMarks(day, one, query, db.zones())),
          pendingOfWeeks: pendingByWeek(days),
        }
      })
  }
}
