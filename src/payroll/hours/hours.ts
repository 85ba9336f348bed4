import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf, type Scope } from '../../core/db/scope.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays, earlier, later, localDay, type Zones } from '../../core/values/time-zone.ts'
import type { Place } from './hours-log.ts'
import {
  listEmployeesOfPeriod,
  type PeopleFilter,
  type PersonWithLogs,
} from './paid-people.queries.ts'
import { type DayWithPending, withPendingSeconds } from './pending-seconds.ts'
import {
  type PersonDays,
  type Review,
  readPersonDays,
  reviewOf,
  unsyncedSources,
} from './person-days.ts'
import { isHoliday, isSunday } from './rest-days.ts'
import type { Span } from './spans.ts'
import { type JudgedWeek, judgeWeeks, mondayOf } from './weekly-limits.ts'
import {
  type DayException,
  type DayNotice,
  EXCEPTIONS,
  emptyDay,
  hasLogs,
  isToLookAt,
  NOTICES,
  type WorkDay,
} from './work-day.ts'
import { toWorkDays } from './work-days.ts'

interface HoursRequest {
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

interface Person {
  employee_id: string
  full_name: string
  payroll_group: string
}

type ShownDay = Omit<DayWithPending, 'hold' | 'counts_rest' | 'rejected_ids' | 'ends_at'>

/** A day of a person, with the hours that closings have paid for it. */
export interface HoursRow extends Person, ShownDay {
  paid_seconds: number | null
  closing_id: number | null
  reviewed: Review | null
  /** What the person wrote to ask for logs of the day. */
  request_comments: string[]
  /** Whether the person may work guards that the longest shift does not pair. */
  maybe_long_shift: boolean
}

/** The sum of a person's days at one place. */
export interface TotalRow extends Person, Place {
  rfc: string
  started_at: string
  ended_at: string | null
  /**
   * The first day of the period for which a source has not sent all logs. Null if there is none.
   */
  unsynced_from: string | null
  days: number
  pairs: number
  worked_seconds: number | null
  /** The part of `worked_seconds` on Sundays. Null where `worked_seconds` is. */
  sunday_seconds: number | null
  /** The same of official rest days. A Sunday may be one of them. */
  holiday_seconds: number | null
  /** What the approval of all pending logs of these days would add to `worked_seconds`. */
  pending_seconds: number
  days_with_exceptions: number
  exceptions: DayException[]
  notices: DayNotice[]
}

/**
 * The sum of a person's days of one week at one place. The fields of `JudgedWeek` are about the
 * whole week at all places.
 */
export interface WeekRow extends TotalRow, JudgedWeek {
  week_from: string
  week_to: string
}

const DAYS = 31
const DAYS_MAX = 366

/**
 * The first and last day of the requested period. Without `to`, it ends today, or on `from` if that
 * is later. Without `from`, it has 31 days. By week, the period is extended to whole weeks.
 * @throws DomainError PERIOD_REVERSED, or PERIOD_TOO_LONG for more than `max` days
 */
export const periodOfQuery = (
  { from, to, by }: Partial<Record<'from' | 'to' | 'by', string | undefined>>,
  today: string,
  max = DAYS_MAX,
): { from: string; to: string } => {
  const last = to ?? (from && from > today ? from : today)
  const first = from ?? addDays(last, 1 - DAYS)
  if (first > last) throw new DomainError('PERIOD_REVERSED')
  if (addDays(first, max) <= last) throw new DomainError('PERIOD_TOO_LONG', { days_max: max })
  return by === 'week'
    ? { from: mondayOf(first), to: addDays(mondayOf(last), 6) }
    : { from: first, to: last }
}

/**
 * The first local day from `from` to `until` for which a source has not sent all logs. Null if
 * there is none.
 */
const firstUnsyncedDay = (
  person: PersonWithLogs,
  { from, until }: { from: string; until: string },
  zones: Zones,
): string | null => {
  const completeDays = person.sources.map(({ complete_until }) =>
    localDay(complete_until, person.branch_office, zones),
  )
  const first = later(from, completeDays.reduce(earlier, until))
  for (let day = first; day <= until; day = addDays(day, 1)) {
    if (unsyncedSources(person, day, zones).length > 0) return day
  }
  return null
}

const withException = <Row extends { exceptions: DayException[] }>(
  row: Row,
  exception: DayException,
): Row => ({ ...row, exceptions: [...row.exceptions, exception] })

const isAt = (place: Place, { filter }: HoursRequest, scope: Scope): boolean =>
  (filter.department ?? place.department) === place.department &&
  (filter.branch_office ?? place.branch_office) === place.branch_office &&
  (branchesOf(scope)?.includes(place.branch_office) ?? true)

/**
 * The days whose hours would change if a log were rejected, with their new hours. Each day keeps
 * its current place, so that the same readers see it.
 */
const daysIfRejected = (
  { days, logs, dayOptions }: PersonDays,
  rejected: number,
  countPending: boolean,
): DayWithPending[] => {
  const options = { ...dayOptions, countPending }
  const ifRejected = logs.map((log) =>
    log.log_id === rejected ? { ...log, status: 'rejected' as const } : log,
  )
  const then = withPendingSeconds(toWorkDays(ifRejected, options), ifRejected, options)
  const after = new Map(then.map((day) => [day.day, day]))
  const before = new Map(days.map((day) => [day.day, day]))
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [now, then] = [before.get(name), after.get(name)]
    if ((now?.worked_seconds ?? null) === (then?.worked_seconds ?? null)) return []
    if (!now) return then ?? []
    const { department, branch_office } = now
    return { pending_seconds: 0, ...(then ?? emptyDay(name, now)), department, branch_office }
  })
}

interface PeriodDays extends PersonDays {
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

const todayOf = ({ branch_office }: Place, { now }: HoursRequest, zones: Zones): string =>
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
 * Employees with their days of the period, a page at a time. Employees without days are included.
 * The first week is read from its Monday, because the day that passes the weekly limit depends on
 * the whole week.
 */
async function* pagesOfDays(
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
      .map((person) => {
        const weeks = judgeWeeks(rejected === undefined ? person.days : [])
        const one = { ...person, weeks }
        const dayOptions = { ...one.dayOptions, countPending: preview }
        const days =
          rejected === undefined
            ? withPendingSeconds(one.days.filter(hasLogs), one.logs, dayOptions)
            : daysIfRejected(one, rejected, preview)
        const ofPeriod = days.filter(({ day }) => day >= from && day <= to)
        return {
          ...one,
          days: ofPeriod.map((day) => withMarks(day, one, query, db.zones())),
          pendingOfWeeks: pendingByWeek(days),
        }
      })
  }
}

const idsInScope = (logs: PersonDays['logs'], ids: readonly number[], scope: Scope): number[] => {
  const branches = branchesOf(scope)
  if (branches === null) return [...ids]
  const inScope = logs.filter(({ branch_office }) => branches.includes(branch_office))
  const idsOfScope = new Set(inScope.map(({ log_id }) => log_id))
  return ids.filter((id) => idsOfScope.has(id))
}

/** A log of a branch that the reader does not see keeps its time in the span, but not its id. */
const spansInScope = (spans: readonly Span[], log_ids: readonly number[]): Span[] => {
  const shown = (id: number | null) => (id !== null && log_ids.includes(id) ? id : null)
  return spans.map((span) => ({
    ...span,
    from_log_id: shown(span.from_log_id),
    to_log_id: shown(span.to_log_id),
  }))
}

const requestComments = (
  logs: PersonDays['logs'],
  { notices }: WorkDay,
  ids: number[],
): string[] =>
  notices.includes('solicitada')
    ? logs.flatMap((log) => (ids.includes(log.log_id) ? (log.request_comment ?? []) : []))
    : []

const toDayRow = (
  { person, logs, guardDays }: PersonDays,
  day: DayWithPending,
  scope: Scope,
): HoursRow => {
  const { hold, counts_rest, rejected_ids, ends_at, ...shown } = day
  const paid = person.paid.find((candidate) => candidate.day === day.day)
  const log_ids = idsInScope(logs, day.log_ids, scope)
  return {
    employee_id: person.employee_id,
    full_name: person.full_name,
    payroll_group: person.payroll_group,
    ...shown,
    paid_seconds: paid?.seconds ?? null,
    closing_id: paid?.closing_id ?? null,
    reviewed: reviewOf(person, day),
    log_ids,
    spans: spansInScope(day.spans, log_ids),
    extra_log_ids: idsInScope(logs, day.extra_log_ids, scope),
    request_comments: requestComments(logs, day, log_ids),
    maybe_long_shift: guardDays.has(day.day),
  }
}

/** One row per employee and day, a page at a time. */
export async function* pagesOfHours(
  db: AuthorizedDb,
  query: HoursRequest,
): AsyncGenerator<HoursRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    const scope = query.ownEmployeeId ? null : db.scope()
    yield page.flatMap((one) =>
      one.days
        .filter((day) => isAt(day, query, scope))
        .filter((day) => !query.exceptions || isToLookAt(day))
        .filter((day) => !query.working || day.working_since !== null)
        .map((day) => toDayRow(one, day, scope))
        .filter(({ reviewed }) => !query.exceptions || reviewed === null),
    )
  }
}

/**
 * The days of one person in all branches and departments, and the weeks of these days. The last week
 * is complete only if the period includes all of it.
 */
export const readOwnHours = async (db: AuthorizedDb, query: HoursRequest) => {
  const people: PeriodDays[] = []
  for await (const page of pagesOfDays(db, query, { totals: false })) people.push(...page)
  return {
    days: people.flatMap((one) => one.days.map((day) => toDayRow(one, day, null))),
    weeks: people.flatMap(({ weeks, pendingOfWeeks }) =>
      [...weeks].map(([week_from, week]) => ({
        ...week,
        week_from,
        pending_seconds: pendingOfWeeks.get(week_from) ?? 0,
      })),
    ),
  }
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

const toTotal = (
  person: PersonWithLogs,
  place: Place,
  days: readonly DayWithPending[],
): TotalRow => {
  const { employee_id, full_name, payroll_group, rfc, started_at, ended_at } = person
  const { department, branch_office } = place
  const worked_seconds = sumOrNull(days.map((day) => day.worked_seconds))
  const partOf = (isOfPart: (day: string) => boolean) => {
    const part = days.filter(({ day }) => isOfPart(day))
    const seconds = part.reduce((sum, day) => sum + (day.worked_seconds ?? 0), 0)
    return worked_seconds === null ? null : seconds
  }
  const has = (list: 'exceptions' | 'notices', name: string) =>
    days.some((day) => (day[list] as readonly string[]).includes(name))
  return {
    employee_id,
    full_name,
    department,
    branch_office,
    payroll_group,
    rfc,
    started_at,
    ended_at,
    unsynced_from: null,
    days: days.filter(({ pairs }) => pairs > 0).length,
    pairs: days.reduce((sum, { pairs }) => sum + pairs, 0),
    worked_seconds,
    sunday_seconds: partOf(isSunday),
    holiday_seconds: partOf(isHoliday),
    pending_seconds: days.reduce((sum, { pending_seconds }) => sum + pending_seconds, 0),
    days_with_exceptions: days.filter(({ exceptions }) => exceptions.length > 0).length,
    exceptions: EXCEPTIONS.filter((name) => has('exceptions', name)),
    notices: NOTICES.filter((name) => has('notices', name)),
  }
}

/** A row for each place of a person's days. */
const placeTotals = (person: PersonWithLogs, days: readonly DayWithPending[]): TotalRow[] => {
  const byPlace = Map.groupBy(days, ({ department, branch_office }) =>
    JSON.stringify([department, branch_office]),
  )
  return [...byPlace.values()].flatMap((placeDays) => {
    const place = placeDays.at(-1)
    return place ? [toTotal(person, place, placeDays)] : []
  })
}

const wasOnPayroll = (
  { started_at, ended_at }: PersonWithLogs,
  { from, to }: HoursRequest,
): boolean => started_at <= to && (ended_at === null || ended_at >= from)

/**
 * The rows of a person. If a source has not sent all logs of the period, at least one row has the
 * exception `sin_sincronizar`, and all rows have `unsynced_from`.
 */
const toTotals = ({ person, days }: PeriodDays, query: HoursRequest, zones: Zones): TotalRow[] => {
  const ofDays = placeTotals(person, days)
  const isMissing = ofDays.length === 0 && wasOnPayroll(person, query)
  const rows = isMissing ? [withException(toTotal(person, person, []), 'sin_checadas')] : ofDays
  const last = rows.at(-1)
  const today = todayOf(person, query, zones)
  const running = days.find(({ working_since }) => working_since !== null)?.day ?? today
  const until = earlier(query.to, addDays(earlier(today, running), -1))
  if (!last || until < query.from) return rows
  const isUnsynced = ({ exceptions }: TotalRow) => exceptions.includes('sin_sincronizar')
  const marked =
    !isUnsynced(last) && unsyncedSources(person, until, zones).length > 0
      ? rows.with(-1, withException(last, 'sin_sincronizar'))
      : rows
  if (!marked.some(isUnsynced)) return rows
  const unsynced_from = firstUnsyncedDay(person, { from: query.from, until }, zones)
  return marked.map((row) => ({ ...row, unsynced_from }))
}

/**
 * One row per employee who has logs or was on the payroll, a page at a time. Someone who moved has
 * one row per place, so that a filter never changes the figures of a row.
 */
export async function* pagesOfTotals(
  db: AuthorizedDb,
  query: HoursRequest,
): AsyncGenerator<TotalRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: true })) {
    const rows = page.flatMap((one) => toTotals(one, query, db.zones()))
    yield rows.filter(
      (row) => isAt(row, query, db.scope()) && (!query.exceptions || isToLookAt(row)),
    )
  }
}

const toWeeks = ({ person, days, weeks }: PeriodDays): WeekRow[] =>
  [...Map.groupBy(days, ({ day }) => mondayOf(day))].flatMap(([monday, daysOfWeek]) => {
    const week = weeks.get(monday)
    if (!week) return []
    const dates = { week_from: monday, week_to: addDays(monday, 6) }
    return placeTotals(person, daysOfWeek).map((total) => ({ ...total, ...dates, ...week }))
  })

/**
 * One row per employee, week and place, a page at a time. The period of the query must consist of
 * whole weeks.
 */
export async function* pagesOfWeeks(
  db: AuthorizedDb,
  query: HoursRequest,
): AsyncGenerator<WeekRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    yield page.flatMap(toWeeks).filter((row) => {
      const isShown = !query.exceptions || isToLookAt(row) || row.over_seconds > 0
      return isShown && isAt(row, query, db.scope())
    })
  }
}
