import type { Dated } from '../core/dated.ts'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { branchesOf, type Scope } from '../core/db/scope.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, earlier, later, localDay, type Zones } from '../core/time-zone.ts'
import { listCandidates, type PeopleFilter, type PersonWithLogs } from './people.queries.ts'
import {
  type PersonDays,
  type Review,
  readPersonDays,
  reviewOf,
  unsyncedSources,
} from './person-days.ts'
import {
  type DayNotice,
  EXCEPTIONS,
  type Exception,
  emptyDay,
  hasLogs,
  NOTICES,
  type Place,
  toWorkDays,
  type WorkDay,
} from './work-days.ts'

export interface HoursQuery {
  filter: PeopleFilter
  /** Local days, both included. */
  from: string
  to: string
  preview: boolean
  /** Only days with an exception that nobody has reviewed. */
  exceptions: boolean
  /** Returns the days whose hours would change if this log were rejected. */
  rejected?: number | undefined
  maxShiftHours: Dated<number>
  now: Date
}

interface Person {
  employee_id: string
  full_name: string
  payroll_group: string
}

type ShownDay = Omit<WorkDay, 'hold' | 'rejected_ids' | 'ends_at'>

/** A day of a person, with the hours that closings have paid for it. */
export interface HoursRow extends Person, ShownDay {
  paid_seconds: number | null
  closing_id: number | null
  reviewed: Review | null
}

/** The sum of a person's days at one place. */
export interface TotalRow extends Person, Place {
  rfc: string
  started_at: string
  ended_at: string | null
  /** The first day of the period for which a clock has not sent all logs. */
  unsynced_from: string | null
  days: number
  pairs: number
  worked_seconds: number | null
  days_with_exceptions: number
  exceptions: Exception[]
  notices: DayNotice[]
}

const DAYS = 31
const DAYS_MAX = 366

/**
 * The days of a query, both included: the last 31 unless given.
 * @throws DomainError PERIOD_REVERSED, or PERIOD_TOO_LONG for more than 366 days
 */
export const toDays = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string } => {
  const last = to ?? (from && from > today ? from : today)
  const first = from ?? addDays(last, 1 - DAYS)
  if (first > last) throw new DomainError('PERIOD_REVERSED')
  if (addDays(first, DAYS_MAX) <= last) throw new DomainError('PERIOD_TOO_LONG', { days: DAYS_MAX })
  return { from: first, to: last }
}

/** The first local day of a period for which a source has not sent all logs. */
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

const withException = <Row extends { exceptions: Exception[] }>(
  row: Row,
  exception: Exception,
): Row => ({ ...row, exceptions: [...row.exceptions, exception] })

const isAt = (place: Place, { filter }: HoursQuery, scope: Scope): boolean =>
  (filter.department ?? place.department) === place.department &&
  (filter.branch_office ?? place.branch_office) === place.branch_office &&
  (branchesOf(scope)?.includes(place.branch_office) ?? true)

/**
 * The days whose hours would change if a log were rejected, with their new hours. Each day keeps
 * its current place, so that the same readers see it.
 */
const daysIfRejected = (
  { days, logs, rules }: PersonDays,
  rejected: number,
  countPending: boolean,
): WorkDay[] => {
  const ifRejected = logs.map((log) =>
    log.log_id === rejected ? { ...log, status: 'rejected' as const } : log,
  )
  const after = new Map(
    toWorkDays(ifRejected, { ...rules, countPending }).map((day) => [day.day, day]),
  )
  const before = new Map(days.map((day) => [day.day, day]))
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [now, then] = [before.get(name), after.get(name)]
    if ((now?.worked_seconds ?? null) === (then?.worked_seconds ?? null)) return []
    if (!now) return then ?? []
    const { department, branch_office } = now
    return { ...(then ?? emptyDay(name, now)), department, branch_office }
  })
}

/**
 * Employees with their days of the period, a page at a time. Employees without days are included.
 */
async function* pagesOfDays(
  db: AuthorizedDb,
  query: HoursQuery,
  { totals }: { totals: boolean },
): AsyncGenerator<PersonDays[]> {
  const { filter, from, to, preview, rejected, maxShiftHours } = query
  const window = {
    // Wide enough for any zone, and for shifts that began the day before.
    from: `${addDays(from, -1)}T00:00:00.000Z`,
    before: `${addDays(to, 3)}T00:00:00.000Z`,
    onPayroll: totals ? from : undefined,
  }
  const ids = await listCandidates(db, filter, window)
  const people = ids.map((employee_id) => ({ employee_id, from }))
  const options = { before: addDays(to, 1), countPending: preview, maxShiftHours }
  for await (const page of readPersonDays(db, people, options)) {
    yield page
      .filter(
        ({ person }) => (filter.payroll_group ?? person.payroll_group) === person.payroll_group,
      )
      .map((one) => ({
        ...one,
        days: (rejected === undefined
          ? one.days.filter(hasLogs)
          : daysIfRejected(one, rejected, preview)
        )
          .filter(({ day }) => day >= from && day <= to)
          .map((day) =>
            unsyncedSources(one.person, day.day, db.zones()).length === 0
              ? day
              : withException(day, 'sin_sincronizar'),
          ),
      }))
  }
}

/** The logs of a day that are within a scope. */
const idsInScope = (logs: PersonDays['logs'], ids: readonly number[], scope: Scope): number[] => {
  const branches = branchesOf(scope)
  if (branches === null) return [...ids]
  const inScope = logs.filter(({ branch_office }) => branches.includes(branch_office))
  const idsOfScope = new Set(inScope.map(({ log_id }) => log_id))
  return ids.filter((id) => idsOfScope.has(id))
}

const toDayRow = ({ person, logs }: PersonDays, day: WorkDay, scope: Scope): HoursRow => {
  const { hold, rejected_ids, ends_at, ...shown } = day
  const paid = person.paid.find((candidate) => candidate.day === day.day)
  return {
    employee_id: person.employee_id,
    full_name: person.full_name,
    payroll_group: person.payroll_group,
    ...shown,
    paid_seconds: paid?.seconds ?? null,
    closing_id: paid?.closing_id ?? null,
    reviewed: reviewOf(person, day),
    log_ids: idsInScope(logs, day.log_ids, scope),
  }
}

/** One row per employee and day, a page at a time. */
export async function* hoursPages(db: AuthorizedDb, query: HoursQuery): AsyncGenerator<HoursRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    yield page.flatMap((one) =>
      one.days
        .filter((day) => isAt(day, query, db.scope()))
        .filter((day) => !query.exceptions || day.exceptions.length > 0)
        .map((day) => toDayRow(one, day, db.scope()))
        .filter(({ reviewed }) => !query.exceptions || reviewed === null),
    )
  }
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

const toTotal = (person: PersonWithLogs, place: Place, days: readonly WorkDay[]): TotalRow => {
  const { employee_id, full_name, payroll_group, rfc, started_at, ended_at } = person
  const { department, branch_office } = place
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
    worked_seconds: sumOrNull(days.map(({ worked_seconds }) => worked_seconds)),
    days_with_exceptions: days.filter(({ exceptions }) => exceptions.length > 0).length,
    exceptions: EXCEPTIONS.filter((name) => has('exceptions', name)),
    notices: NOTICES.filter((name) => has('notices', name)),
  }
}

const wasOnPayroll = (
  { started_at, ended_at }: PersonWithLogs,
  { from, to }: HoursQuery,
): boolean => started_at <= to && (ended_at === null || ended_at >= from)

/**
 * The rows of a person. The last one has the exception of a source that has not sent everything.
 */
const toTotals = ({ person, days }: PersonDays, query: HoursQuery, zones: Zones): TotalRow[] => {
  const byPlace = Map.groupBy(days, ({ department, branch_office }) =>
    JSON.stringify([department, branch_office]),
  )
  const rows = [...byPlace.values()].flatMap((placeDays) => {
    const place = placeDays.at(-1)
    return place ? [toTotal(person, place, placeDays)] : []
  })
  if (rows.length === 0 && wasOnPayroll(person, query)) {
    rows.push(withException(toTotal(person, person, []), 'sin_checadas'))
  }
  const last = rows.at(-1)
  const today = localDay(query.now.toISOString(), person.branch_office, zones)
  const until = earlier(query.to, today)
  if (!last) return rows
  const isMarked = last.exceptions.includes('sin_sincronizar')
  if (!isMarked && unsyncedSources(person, until, zones).length > 0) {
    rows.splice(-1, 1, withException(last, 'sin_sincronizar'))
  }
  if (!rows.some(({ exceptions }) => exceptions.includes('sin_sincronizar'))) return rows
  const unsynced_from = firstUnsyncedDay(person, { from: query.from, until: query.to }, zones)
  return rows.map((row) => ({ ...row, unsynced_from }))
}

/**
 * One row per employee who was on the payroll, a page at a time. Someone who moved has one row per
 * place, so that a filter never changes the figures of a row.
 */
export async function* totalPages(db: AuthorizedDb, query: HoursQuery): AsyncGenerator<TotalRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: true })) {
    const rows = page.flatMap((one) => toTotals(one, query, db.zones()))
    yield rows.filter(
      (row) => isAt(row, query, db.scope()) && (!query.exceptions || row.exceptions.length > 0),
    )
  }
}
