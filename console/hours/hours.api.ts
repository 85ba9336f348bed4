import { dataOf } from '../../sdk/api-client.ts'
import type { HoursDay, HoursTotal, HoursWeek, ReviewBody } from '../../sdk/api-types.ts'
import type { HoursQuery } from '../review/days.api.ts'
import { api } from '../session/api.ts'
import { rowsOf } from '../session/files.ts'

const { hours } = api.v2.incidents

export const requestHours = (format: 'csv' | 'ndjson', query: HoursQuery) =>
  hours.$get({ query: { ...query, format } })

export const readTotals = (query: HoursQuery) =>
  rowsOf<HoursTotal>(requestHours('ndjson', { ...query, by: 'employee' }))

/**
 * Reads the weeks of a period, as the service compares them with the law's limit. Weeks that are
 * only partly in the period are included.
 */
export const readWeeks = (query: HoursQuery) =>
  rowsOf<HoursWeek>(requestHours('ndjson', { ...query, by: 'week' }))

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
