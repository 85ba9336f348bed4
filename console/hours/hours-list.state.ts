import { useEffect } from 'preact/hooks'
import type { FoundEmployee, HoursDay, HoursTotal, HoursWeek } from '../../sdk/api-types.ts'
import { changedPeople, takeChangedPeople } from '../review/changed-people.ts'
import { sumOf } from '../review/counts.ts'
import { readDays } from '../review/days.api.ts'
import { focusRemembered, rememberFocus } from '../review/focus.ts'
import { messageOf } from '../session/client.ts'
import { createStore, useStore } from '../session/store.ts'
import { compare } from '../ui/order.ts'
import { addDays, mondayOf } from '../ui/time.ts'
import { forgetKept } from '../ui/use-read.ts'
import { readTotals, readWeeks } from './hours.api.ts'
import { type HoursFilter, hoursQuery } from './hours-filter.ts'

interface HoursList {
  /** The filter of the data, without the exception, as JSON. Undefined if it must be read again. */
  key?: string | undefined
  /** The filter of the data. */
  filter?: HoursFilter | undefined
  readAt: number
  /** The weeks are empty unless the data is of one person. */
  data?: { days: HoursDay[]; totals: HoursTotal[]; weeks: HoursWeek[] } | undefined
  problem?: string | undefined
}

/** The hours that were read last. They are kept while another view is open. */
export const hoursList = createStore<HoursList>({ readAt: 0 })

/** Other users decide logs too. Data that is older than this is read again when a view opens. */
const KEPT_MS = 5 * 60_000
/** If the logs of more people than this have changed, everything is read again. */
const PEOPLE_MAX = 3

const keyOf = ({ exception: _, ...filter }: HoursFilter): string => JSON.stringify(filter)

/** Counts the lists that were requested. A response that belongs to an earlier list is dropped. */
let listing = 0

/**
 * Reads every day of the period's whole weeks for one person. For several people, reads only the
 * days of the period that have exceptions.
 */
const readAll = async (filter: HoursFilter) => {
  const query = hoursQuery(filter)
  const weeks = { ...query, from: mondayOf(filter.from), to: addDays(mondayOf(filter.to), 6) }
  // The branch is left out of the query because the page counts the days of every branch.
  const all = { ...query, branch_office: undefined, exceptions: true }
  const [days, totals, judged] = await Promise.all([
    readDays(filter.employee_id ? weeks : all),
    readTotals(query),
    filter.employee_id ? readWeeks(query) : [],
  ])
  return { days, totals, weeks: judged }
}

/** The order of the service: by employee, then by day. */
const inOrder = (a: HoursDay, b: HoursDay): number =>
  compare(a.employee_id, b.employee_id) || compare(a.day, b.day)

/** Computes again the total of a person at one branch and department, from the person's days. */
const totalAgain = (total: HoursTotal, personDays: readonly HoursDay[]): HoursTotal => {
  const days = personDays.filter(
    ({ department, branch_office }) =>
      department === total.department && branch_office === total.branch_office,
  )
  const worked = days.flatMap(({ worked_seconds }) => worked_seconds ?? [])
  return {
    ...total,
    days: days.filter(({ pairs }) => pairs > 0).length,
    worked_seconds: worked.length > 0 ? sumOf(worked) : null,
    pending_seconds: sumOf(days.map(({ pending_seconds }) => pending_seconds)),
    days_with_exceptions: days.filter(({ exceptions }) => exceptions.length > 0).length,
    exceptions: total.exceptions.filter((name) => name !== 'sin_checadas' || days.length === 0),
  }
}

/** Reads the days of one person and replaces the person's rows in the list. */
const readPerson = async (filter: HoursFilter, employee_id: string): Promise<void> => {
  const { key } = hoursList.get()
  const query = { ...hoursQuery(filter), branch_office: undefined, employee_id }
  const personDays = await readDays(query)
  const { data, key: current } = hoursList.get()
  if (current !== key || !data) return
  const isOther = (row: { employee_id: string }) => row.employee_id !== employee_id
  const days = [...data.days.filter(isOther), ...personDays].sort(inOrder)
  const totals = data.totals.map((total) =>
    isOther(total) ? total : totalAgain(total, personDays),
  )
  rememberFocus()
  hoursList.set({ data: { ...data, days, totals } })
}

/**
 * Reads the hours that a view shows. If the same hours were read in the last five minutes, reads
 * only the hours of people whose logs have changed since then. Reads everything if there are more
 * than three of these people, if the view is of one person and any logs have changed, or if `again`
 * is true.
 */
export const loadHours = async (filter: HoursFilter, { again = false } = {}): Promise<void> => {
  const { key, readAt, data } = hoursList.get()
  const isKept = key === keyOf(filter) && data && Date.now() - readAt < KEPT_MS
  const people = takeChangedPeople()
  let current = listing
  try {
    if (!again && isKept && !filter.employee_id && people.length <= PEOPLE_MAX) {
      for (const employee_id of people) await readPerson(filter, employee_id)
      return
    }
    if (!again && isKept && people.length === 0) return
    current = ++listing
    // The problem was one of the filter before.
    if (hoursList.get().problem) hoursList.set({ problem: undefined })
    const read = await readAll(filter)
    if (current !== listing) return
    hoursList.set({ key: keyOf(filter), filter, readAt: Date.now(), data: read })
  } catch (error) {
    if (current === listing) hoursList.set({ key: undefined, problem: messageOf(error) })
  }
}

/**
 * Reads the hours of a filter, and reads them again when the filter or somebody's logs change. Until
 * then the data is of the filter before, which is returned with it: `isCurrent` is false.
 */
export const useHours = (filter: HoursFilter) => {
  const { key, data, filter: shown, problem } = useStore(hoursList)
  const { changes } = useStore(changedPeople)
  const wanted = keyOf(filter)
  useEffect(() => void loadHours(filter), [changes, wanted])
  useEffect(focusRemembered, [data])
  const readAgain = () => loadHours(filter, { again: true })
  return {
    data,
    filter: key === wanted ? filter : shown,
    isCurrent: key === wanted,
    problem,
    readAgain,
  }
}

/**
 * Makes the next view read the hours, because people, rules of hours, groups or closings have changed.
 */
export const forgetHours = (): void => {
  forgetKept()
  hoursList.set({ key: undefined })
}

export const removeReviewed = (rows: readonly HoursDay[]): void => {
  const { data } = hoursList.get()
  rememberFocus()
  if (data)
    hoursList.set({ data: { ...data, days: data.days.filter((row) => !rows.includes(row)) } })
}

/** Finds a person among the days of the list. Undefined if the person has no day in the list. */
export const findListed = (id: string): FoundEmployee | undefined => {
  const row = hoursList.get().data?.days.find(({ employee_id }) => employee_id === id)
  if (!row) return undefined
  const { employee_id, full_name, department, branch_office } = row
  return { employee_id, full_name, department, branch_office, ended_at: null }
}
