import type { AuthorizedDb } from '../../db/core/authorization.ts'
import { branchesOf, type Scope } from '../../db/core/scope.ts'
import {
  type ClosingTime,
  listClosingTimes,
  type StoredClosing,
} from '../../db/payroll/closings.ts'
import {
  type HoursFilter,
  listCandidates,
  listChanged,
  type PersonWithLogs,
  readPeople,
} from '../../db/payroll/hours.ts'
import type { TimeZone } from '../../shared/time-zone.ts'
import {
  EXCEPTIONS,
  type Exception,
  type HoursLog,
  NOTICES,
  type Notice,
  type Place,
  toWorkDays,
  type WorkDay,
} from './work-days.ts'

export type { HoursFilter }

export interface HoursQuery {
  filter: HoursFilter
  /** Local days, both included. */
  from: string
  to: string
  preview: boolean
  /** The figures as they stood when a period was closed. */
  closing: StoredClosing | undefined
  zone: TimeZone
  maxShiftHours: number
  now: Date
}

interface Person {
  employee_id: string
  full_name: string
}

/** A day of a person. */
export interface HoursRow extends Person, WorkDay {}

/** The days of a person at one place together. */
export interface TotalRow extends Person, Place {
  days: number
  pairs: number
  worked_seconds: number | null
  days_with_exceptions: number
  exceptions: Exception[]
  notices: Notice[]
}

export interface Adjustment extends Person {
  day: string
  closed_seconds: number | null
  worked_seconds: number | null
  difference_seconds: number
}

const DAY_MS = 86_400_000

/**
 * Pairing begins this long before the period: a week has a day of rest, so it meets a pause longer
 * than any shift, and the figures of a day do not depend on the days that were asked for.
 */
const LOOK_BACK_MS = 8 * DAY_MS

/** Repeated salidas extend a shift. */
const LOOK_AHEAD_MS = 5 * 60_000

/** A source counts for an employee it recorded in the last 31 days. */
const SOURCE_MS = 31 * DAY_MS

/** How many logs a page of employees has, about, at four a day each. */
const PAGE_LOGS = 10_000

const chunksOf = function* <T>(items: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size)
}

const pageSize = (ms: number): number =>
  Math.max(8, Math.min(500, Math.floor(PAGE_LOGS / (4 * Math.ceil(ms / DAY_MS)))))

const toSecond = (moment: string): number => Math.floor(Date.parse(moment) / 1000)

const isLate = (log: PersonWithLogs['logs'][number], closings: readonly ClosingTime[]): boolean =>
  closings.some(
    ({ before_at, payroll_group, created_at }) =>
      created_at < log.received_at &&
      log.recorded_at < before_at &&
      (payroll_group === null || payroll_group === log.payroll_group),
  )

/** The closings that had been made at one of them, or now, of days after a moment. */
const closingsUntil = (
  closings: readonly ClosingTime[],
  closing: StoredClosing | undefined,
  since: Date,
): ClosingTime[] => {
  const first = since.toISOString()
  return closings.filter(({ id, before_at }) => before_at > first && (!closing || id < closing.id))
}

interface Rules {
  zone: TimeZone
  maxShiftHours: number
  preview: boolean
}

const workDaysOf = (logs: readonly HoursLog[], { zone, maxShiftHours, preview }: Rules) =>
  toWorkDays(logs, {
    maxShift: maxShiftHours * 3600,
    preview,
    localTime: (second) => zone.localTime(new Date(second * 1000)),
  })

const toHoursLog = (
  log: PersonWithLogs['logs'][number],
  status: HoursLog['status'],
  closings: readonly ClosingTime[],
): HoursLog => ({
  log_id: log.log_id,
  kind: log.kind,
  second: toSecond(log.recorded_at),
  status,
  department: log.department,
  branch_office: log.branch_office,
  payroll_group: log.payroll_group,
  received_at: log.received_at,
  isManual: log.is_manual,
  isLate: isLate(log, closings),
})

/** The logs that had arrived, as they are or as they were at the event that was asked for. */
const logsOf = (
  { logs }: PersonWithLogs,
  time: 'now' | 'then',
  closings: readonly ClosingTime[] = [],
): HoursLog[] =>
  logs.flatMap((log) => {
    const status = time === 'now' ? log.status : log.past_status
    return status === null ? [] : [toHoursLog(log, status, closings)]
  })

/** Whether a place is among those asked for, within the caller's scope and the closing's group. */
const isAt = (
  place: Place,
  { filter = {}, closing }: Partial<Pick<HoursQuery, 'filter' | 'closing'>>,
  scope: Scope,
): boolean =>
  (closing?.payroll_group ?? place.payroll_group) === place.payroll_group &&
  (filter.department ?? place.department) === place.department &&
  (filter.payroll_group ?? place.payroll_group) === place.payroll_group &&
  (filter.branch_office ?? place.branch_office) === place.branch_office &&
  (branchesOf(scope)?.includes(place.branch_office) ?? true)

/** Whether all of a person's sources have sent everything until the end of a local day. */
const isComplete = ({ sources }: PersonWithLogs, day: string, zone: TimeZone): boolean => {
  if (sources.length === 0) return true
  const start = zone.startOfDay(day)?.getTime() ?? 0
  const since = new Date(start - SOURCE_MS).toISOString()
  const end = zone.startOfNextDay(day)?.toISOString() ?? ''
  return sources.every((source) => source.last_recorded_at < since || source.complete_until >= end)
}

const withException = <Row extends { exceptions: Exception[] }>(
  row: Row,
  exception: Exception,
): Row => ({ ...row, exceptions: [...row.exceptions, exception] })

interface PersonDays {
  person: PersonWithLogs
  /** Within the period, at every place. */
  days: WorkDay[]
}

/** Employees with their days, a page at a time; those without any day too. */
async function* pagesOfDays(
  db: AuthorizedDb,
  { filter, from, to, preview, closing, zone, maxShiftHours }: HoursQuery,
  { totals }: { totals: boolean },
): AsyncGenerator<PersonDays[]> {
  const start = zone.startOfDay(from) ?? new Date(0)
  const end = zone.startOfNextDay(to) ?? new Date(0)
  const onPayroll = totals ? from : undefined
  const ids = await listCandidates(db, filter, { from: start, before: end, onPayroll })
  const since = new Date(start.getTime() - LOOK_BACK_MS)
  const closings = closingsUntil(await listClosingTimes(db), closing, since)
  const before = new Date(end.getTime() + maxShiftHours * 3_600_000 + LOOK_AHEAD_MS)
  for (const page of chunksOf(ids, pageSize(before.getTime() - since.getTime()))) {
    const people = await readPeople(db, {
      people: page.map((employee_id) => ({ employee_id, from: since })),
      before,
      asOf: closing?.last_event_id,
    })
    yield people.map((person) => {
      const logs = logsOf(person, closing ? 'then' : 'now', closings)
      const days = workDaysOf(logs, { zone, maxShiftHours, preview })
        .filter(({ day }) => day >= from && day <= to)
        .map((day) =>
          closing || isComplete(person, day.day, zone)
            ? day
            : withException(day, 'sin_sincronizar'),
        )
      return { person, days }
    })
  }
}

/** The logs of a day that are within a scope. */
const idsInScope = ({ logs }: PersonWithLogs, ids: number[], scope: Scope): number[] => {
  const branches = branchesOf(scope)
  if (branches === null) return ids
  const inScope = logs.filter(({ branch_office }) => branches.includes(branch_office))
  const idsOfScope = new Set(inScope.map(({ log_id }) => log_id))
  return ids.filter((id) => idsOfScope.has(id))
}

/** A row an employee and day, a page at a time. */
export async function* hoursPages(db: AuthorizedDb, query: HoursQuery): AsyncGenerator<HoursRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    yield page.flatMap(({ person, days }) => {
      const { employee_id, full_name } = person
      return days
        .filter((day) => isAt(day, query, db.scope))
        .map((day) => ({
          employee_id,
          full_name,
          ...day,
          log_ids: idsInScope(person, day.log_ids, db.scope),
        }))
    })
  }
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

const toTotal = ({ employee_id, full_name }: Person, days: readonly WorkDay[]): TotalRow => {
  const place = days.at(-1)
  const has = (list: 'exceptions' | 'notices', name: string) =>
    days.some((day) => (day[list] as readonly string[]).includes(name))
  return {
    employee_id,
    full_name,
    department: place?.department ?? '',
    branch_office: place?.branch_office ?? '',
    payroll_group: place?.payroll_group ?? '',
    days: days.filter(({ pairs }) => pairs > 0).length,
    pairs: days.reduce((sum, { pairs }) => sum + pairs, 0),
    worked_seconds: sumOrNull(days.map(({ worked_seconds }) => worked_seconds)),
    days_with_exceptions: days.filter(({ exceptions }) => exceptions.length > 0).length,
    exceptions: EXCEPTIONS.filter((name) => has('exceptions', name)),
    notices: NOTICES.filter((name) => has('notices', name)),
  }
}

/** Whether everything of a person has arrived until the end of a period, or until today. */
const isAllThere = (person: PersonWithLogs, { to, closing, zone, now }: HoursQuery): boolean => {
  const today = zone.localTime(now).slice(0, 10)
  return closing !== undefined || isComplete(person, to < today ? to : today, zone)
}

/** A person who is on the payroll and has no log: nothing was recorded, or it has not arrived. */
const toEmptyTotal = (person: PersonWithLogs): TotalRow => {
  const { department, branch_office, payroll_group } = person
  const place = { department, branch_office, payroll_group }
  return withException({ ...toTotal(person, []), ...place }, 'sin_checadas')
}

const wasOnPayroll = (
  { started_at, ended_at }: PersonWithLogs,
  { from, to }: HoursQuery,
): boolean => started_at <= to && (ended_at === null || ended_at >= from)

/** The rows of a person; the last one says whether something has not arrived. */
const toTotals = ({ person, days }: PersonDays, query: HoursQuery): TotalRow[] => {
  const byPlace = Map.groupBy(days, ({ department, branch_office, payroll_group }) =>
    JSON.stringify([department, branch_office, payroll_group]),
  )
  const rows = [...byPlace.values()].map((some) => toTotal(person, some))
  if (rows.length === 0 && wasOnPayroll(person, query)) rows.push(toEmptyTotal(person))
  const last = rows.at(-1)
  if (!last || last.exceptions.includes('sin_sincronizar') || isAllThere(person, query)) return rows
  return [...rows.slice(0, -1), withException(last, 'sin_sincronizar')]
}

/**
 * A row an employee, a page at a time: everybody who was on the payroll. Whoever moved has a row for
 * each place, so that the figures of a row are the same whatever is filtered.
 */
export async function* totalPages(db: AuthorizedDb, query: HoursQuery): AsyncGenerator<TotalRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: true })) {
    const rows = page.flatMap((one) => toTotals(one, query))
    yield rows.filter((row) => isAt(row, query, db.scope))
  }
}

/**
 * The days before a closing whose result has changed since, or between it and a later one; a page of
 * employees at a time.
 */
export async function* adjustmentPages(
  db: AuthorizedDb,
  closing: StoredClosing,
  until: StoredClosing | undefined,
  zone: TimeZone,
): AsyncGenerator<Adjustment[]> {
  const maxShiftHours = closing.max_shift_hours
  const shiftMs = maxShiftHours * 3_600_000
  const before = new Date(Date.parse(closing.before_at) + shiftMs + LOOK_AHEAD_MS)
  const [after, later] = [closing.last_event_id, until?.last_event_id]
  const changed = await listChanged(db, {
    after,
    until: later,
    before,
    closed_at: closing.before_at,
  })
  const people = changed.map(({ employee_id, first }) => ({
    employee_id,
    from: new Date(Date.parse(first) - shiftMs - LOOK_BACK_MS),
  }))
  if (people.length === 0) return
  const earliest = new Date(Math.min(...people.map(({ from }) => from.getTime())))
  const closings = await listClosingTimes(db)
  for (const page of chunksOf(people, pageSize(before.getTime() - earliest.getTime()))) {
    const found = await readPeople(db, { people: page, before, asOf: after, later })
    const starts = new Map(page.map(({ employee_id, from }) => [employee_id, from.getTime()]))
    yield found.flatMap((person) => {
      const start = (starts.get(person.employee_id) ?? 0) + LOOK_BACK_MS
      const from = zone.localTime(new Date(start)).slice(0, 10)
      const rules = { zone, maxShiftHours, preview: false }
      const daysOf = (logs: HoursLog[]) =>
        new Map(
          workDaysOf(logs, rules)
            .filter(({ day }) => day >= from && day < closing.before)
            .filter((day) => isAt(day, { closing }, db.scope))
            .map(({ day, worked_seconds }) => [day, worked_seconds]),
        )
      const then = daysOf(logsOf(person, 'then', closingsUntil(closings, closing, earliest)))
      const now = daysOf(logsOf(person, 'now', closingsUntil(closings, until, earliest)))
      return compareDays(person, then, now)
    })
  }
}

const compareDays = (
  { employee_id, full_name }: Person,
  then: ReadonlyMap<string, number | null>,
  now: ReadonlyMap<string, number | null>,
): Adjustment[] =>
  [...new Set([...then.keys(), ...now.keys()])].sort().flatMap((day) => {
    const [closed_seconds, worked_seconds] = [then.get(day) ?? null, now.get(day) ?? null]
    const difference_seconds = (worked_seconds ?? 0) - (closed_seconds ?? 0)
    return closed_seconds === worked_seconds
      ? []
      : [{ employee_id, full_name, day, closed_seconds, worked_seconds, difference_seconds }]
  })
