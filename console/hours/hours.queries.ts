import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type {
  HoursDay,
  HoursTotal,
  HoursWeek,
  ManualLogBody,
  ReviewBody,
} from '../../sdk/api-types.ts'
import type { Filter } from '../review/filter.ts'
import { type HoursQuery, readDays, readDecidableLogs, readHours } from '../review/logs.queries.ts'
import { api } from '../session/api.ts'
import { ConsoleError } from '../session/client.ts'
import { untilAnswered } from '../session/repeat.ts'
import { about, SELDOM_MS, write } from '../ui/queries.ts'
import { addDays, dayOf, mondayOf, nightEndOf, type Period } from '../ui/time.ts'
import { type HoursFilter, isPicture, queryOf } from './hours-filter.ts'

const { hours, logs, manual_logs, payroll_groups } = api.v2.incidents

const keys = {
  list: ({ exception: _, ver: __, ...filter }: HoursFilter, isAll: boolean) => [
    ...about.hours,
    isAll ? 'picture' : 'list',
    filter,
  ],
  weeks: (query: HoursQuery) => [...about.hours, 'weeks', query],
  ofDay: (name: string, { employee_id, day, log_ids }: HoursDay) => [
    ...about.logs,
    name,
    employee_id,
    day,
    log_ids,
  ],
  departments: (period: Period) => ['departments', period],
  groups: (day: string | undefined) => [...about.groups, day],
}

/** Requests a CSV file for people. */
export const requestHours = (query: HoursQuery) =>
  hours.$get({ query: { ...query, format: 'csv', headers: 'es' } })

export const readTotals = (query: HoursQuery) => readHours<HoursTotal>({ ...query, by: 'employee' })

/**
 * Reads the weeks of a period, as the service compares them with the law's limit. Weeks that are
 * only partly in the period are included.
 */
export const readWeeks = (query: HoursQuery) => readHours<HoursWeek>({ ...query, by: 'week' })

export interface HoursOf {
  filter: HoursFilter
  days: HoursDay[]
  totals: HoursTotal[]
  /** They are empty in the list of days to clarify. */
  weeks: HoursWeek[]
}

/**
 * Every day of the period's whole weeks for one person. For several people, the days of the
 * period with the weeks in the picture, and only those that have exceptions in the list. Until they
 * come, those of an older filter stay.
 */
export const hoursOf = (filter: HoursFilter) => {
  const isAll = isPicture(filter)
  return queryOptions({
    queryKey: keys.list(filter, isAll),
    // To compare fifteen thousand days with those before takes longer than to draw them.
    structuralSharing: !isAll,
    queryFn: async (): Promise<HoursOf> => {
      const query = queryOf(filter)
      const weeks = { ...query, from: mondayOf(filter.from), to: addDays(mondayOf(filter.to), 6) }
      // The branch is left out of the query because the page counts the days of every branch.
      const all = { ...query, branch_office: undefined, ...(!isAll && { exceptions: true }) }
      const [days, totals, judged] = await Promise.all([
        readDays(filter.employee_id ? weeks : all),
        readTotals(query),
        filter.employee_id || isAll ? readWeeks(query) : [],
      ])
      return { filter, days, totals, weeks: judged }
    },
    placeholderData: (before) =>
      before &&
      before.filter.employee_id === filter.employee_id &&
      isPicture(before.filter) === isAll
        ? before
        : undefined,
  })
}

export const weeksQuery = (query: HoursQuery) =>
  queryOptions({ queryKey: keys.weeks(query), queryFn: () => readWeeks(query) })

/** The departments that have logs in a period. */
export const departmentsQuery = ({ from, to }: Period) =>
  queryOptions({
    queryKey: keys.departments({ from, to }),
    queryFn: async () => {
      const { branches } = await dataOf(logs.summary.$get({ query: { from, to } }))
      return [...new Set(branches.map(({ department }) => department))].sort()
    },
    staleTime: SELDOM_MS,
  })

/** Reads the days' pending logs that the user may decide. */
export const readPending = async (query: Filter, days: HoursDay[]) => {
  const ids = new Set(days.flatMap(({ log_ids }) => log_ids))
  const pending = await readDecidableLogs({ ...query, status: 'pending' })
  return pending.filter(({ log_id }) => ids.has(log_id))
}

/** The pending logs of one day that the user may decide. */
export const pendingOfDay = (row: HoursDay) => {
  const { employee_id, day } = row
  return queryOptions({
    queryKey: keys.ofDay('pending', row),
    queryFn: () => readPending({ employee_id, from: day, to: nightEndOf(day) }, [row]),
  })
}

/**
 * The logs of a day that the user may decide, also those that are decided already. The day's own
 * list has no rejected ones.
 */
export const decidableOfDay = (row: HoursDay) => {
  const { employee_id, day, log_ids } = row
  return queryOptions({
    queryKey: keys.ofDay('decidable', row),
    queryFn: async () => {
      const period = { from: addDays(day, -1), to: nightEndOf(day) }
      const found = await readDecidableLogs({ employee_id, ...period })
      return found.filter(
        ({ log_id, status, local_at }) =>
          log_ids.includes(log_id) || (status === 'rejected' && dayOf(local_at) === day),
      )
    },
  })
}

const REVIEWS_MAX = 100

/** @param json has `confirm_seconds` if the day is a `posible_desfase` that is paid as it is */
export const reviewDay = write([about.hours, about.logs, about.logList], (json: ReviewBody) =>
  dataOf(hours.reviews.$post({ json })),
)

export const reviewDays = async (rows: readonly HoursDay[], comment: string): Promise<void> => {
  const days = rows.map(({ employee_id, day }) => ({ employee_id, day }))
  for (let start = 0; start < days.length; start += REVIEWS_MAX) {
    await reviewDay({ days: days.slice(start, start + REVIEWS_MAX), comment })
  }
}

/** What the addition of a log changes. */
export const ADDED = [about.logs, about.logList, about.hours]

/** Adds a log. Because of its `client_id`, the same request adds nothing again. */
export const sendLog = (json: ManualLogBody) =>
  untilAnswered(() => dataOf(manual_logs.$post({ json })))

/** Reads the payroll groups. `next` is a group's period that contains `day`, or its next to pay. */
export const readGroups = async (day?: string) =>
  (await dataOf(payroll_groups.$get({ query: { day } }))).groups

export const groupsQuery = (day?: string) =>
  queryOptions({
    queryKey: keys.groups(day),
    queryFn: () => readGroups(day),
    staleTime: SELDOM_MS,
  })

/** Sets the first day that this installation pays a group. */
export const savePaysFrom = write(
  [about.groups, about.closings],
  async (name: string, pays_from: string) => {
    const group = (await readGroups()).find(({ payroll_group }) => payroll_group === name)
    if (!group) throw new ConsoleError(`Ya no existe el grupo ${name}.`)
    const { payroll_group, calendar, version: expected_version } = group
    await dataOf(
      payroll_groups.$put({ json: { payroll_group, calendar, pays_from, expected_version } }),
    )
  },
)
