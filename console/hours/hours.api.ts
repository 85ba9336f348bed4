import { dataOf } from '../../sdk/api-client.ts'
import type {
  HoursDay,
  HoursTotal,
  HoursWeek,
  ManualLogBody,
  ReviewBody,
} from '../../sdk/api-types.ts'
import { type HoursQuery, readHours } from '../review/days.api.ts'
import { forgetQueue } from '../review/queue.state.ts'
import { api } from '../session/api.ts'
import { untilAnswered } from '../session/repeat.ts'

const { hours } = api.v2.incidents

/** Requests a CSV file for people. */
export const requestHours = (query: HoursQuery) =>
  hours.$get({ query: { ...query, format: 'csv', headers: 'es' } })

export const readTotals = (query: HoursQuery) => readHours<HoursTotal>({ ...query, by: 'employee' })

/**
 * Reads the weeks of a period, as the service compares them with the law's limit. Weeks that are
 * only partly in the period are included.
 */
export const readWeeks = (query: HoursQuery) => readHours<HoursWeek>({ ...query, by: 'week' })

const REVIEWS_MAX = 100

/** @param json has `confirm_seconds` if the day is a `posible_desfase` that is paid as it is */
export const reviewDay = (json: ReviewBody) => dataOf(hours.reviews.$post({ json }))

export const reviewDays = async (rows: readonly HoursDay[], comment: string): Promise<void> => {
  const days = rows.map(({ employee_id, day }) => ({ employee_id, day }))
  for (let start = 0; start < days.length; start += REVIEWS_MAX) {
    const page = days.slice(start, start + REVIEWS_MAX)
    await reviewDay({ days: page, comment })
  }
}

/** Adds a log. Because of its `client_id`, the same request adds nothing again. */
export const addLog = async (json: ManualLogBody) => {
  const added = await untilAnswered(() => dataOf(api.v2.incidents.manual_logs.$post({ json })))
  forgetQueue()
  return added
}
