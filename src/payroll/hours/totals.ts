import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addDays, earlier, later, localDay, type Zones } from '../../core/values/time-zone.ts'
import type { Place } from './hours-log.ts'
import { EXCEPTIONS, NOTICES } from './marks.ts'
import type { DayWithPending } from './pending-seconds.ts'
import type { PersonWithLogs } from './people-with-logs.queries.ts'
import {
  type HoursRequest,
  isAt,
  type PeriodDays,
  pagesOfDays,
  todayOf,
  withException,
} from './period-days.ts'
import { unsyncedSources } from './person-days.ts'
import { isHoliday, isSunday } from './rest-days.ts'
import { mondayOf } from './weekly-limits.ts'
import { isToLookAt } from './work-day.ts'

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

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

/** The sum of a person's days at one place. */
const toTotal = (person: PersonWithLogs, place: Place, days: readonly DayWithPending[]) => {
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
    /** The first day of the period for which a source has not sent all logs. Null if there is none. */
    unsynced_from: null as string | null,
    days: days.filter(({ pairs }) => pairs > 0).length,
    pairs: days.reduce((sum, { pairs }) => sum + pairs, 0),
    worked_seconds,
    // Null where `worked_seconds` is. A Sunday may be an official rest day.
    sunday_seconds: partOf(isSunday),
    holiday_seconds: partOf(isHoliday),
    // What the approval of all pending logs of these days would add to `worked_seconds`.
    pending_seconds: days.reduce((sum, { pending_seconds }) => sum + pending_seconds, 0),
    days_with_exceptions: days.filter(({ exceptions }) => exceptions.length > 0).length,
    exceptions: EXCEPTIONS.filter((name) => has('exceptions', name)),
    notices: NOTICES.filter((name) => has('notices', name)),
  }
}

type TotalRow = ReturnType<typeof toTotal>

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

/**
 * The sum of a person's days of one week at one place, with the judgement of the whole week at all
 * places.
 */
const toWeeks = ({ person, days, weeks }: PeriodDays) =>
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
): AsyncGenerator<ReturnType<typeof toWeeks>> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    yield page.flatMap(toWeeks).filter((row) => {
      const isShown = !query.exceptions || isToLookAt(row) || row.over_seconds > 0
      return isShown && isAt(row, query, db.scope())
    })
  }
}
