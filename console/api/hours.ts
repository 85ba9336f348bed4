import { dataOf } from '../../sdk/api-client.ts'
import type { HoursDay, HoursTotal, HoursWeek, LogRow, ReviewBody } from '../../sdk/api-types.ts'
import { addDays, dayOf } from '../time.ts'
import { api } from './api.ts'

const { hours } = api.v2.incidents

export type HoursQuery = Omit<Parameters<typeof hours.$get>[0]['query'], 'format'>

/** @throws ApiError if the response is an error, as `dataOf` does */
export const okResponse = async <Answer extends Parameters<typeof dataOf>[0]>(request: Answer) => {
  const response = await request
  if (!response.ok) await dataOf(response)
  return response
}

/** Reads the rows of a file that has one JSON object per line. */
export const rowsOf = async <Row>(request: Parameters<typeof okResponse>[0]): Promise<Row[]> => {
  const file = await okResponse(request)
  const lines = (await file.text()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

export const requestHours = (format: 'csv' | 'ndjson', query: HoursQuery) =>
  hours.$get({ query: { ...query, format } })

export const readDays = (query: HoursQuery) => rowsOf<HoursDay>(requestHours('ndjson', query))

export const readTotals = (query: HoursQuery) =>
  rowsOf<HoursTotal>(requestHours('ndjson', { ...query, by: 'employee' }))

/**
 * Reads the weeks of a period, as the service compares them with the law's limit. Weeks that are
 * only partly in the period are included.
 */
export const readWeeks = (query: HoursQuery) =>
  rowsOf<HoursWeek>(requestHours('ndjson', { ...query, by: 'week' }))

/**
 * The period in which the effect of a log's rejection is shown. It begins two days before the log's
 * day, since a shift has at most 36 hours. A rejection may also change the following days. Only 28
 * of them are read.
 */
const DAYS_BEFORE = 2
const DAYS_AFTER = 28

/** Reads the days whose hours would change if a log were rejected, with their new hours. */
export const readDaysIfRejected = ({ log_id, local_at }: LogRow) => {
  const day = dayOf(local_at)
  const period = { from: addDays(day, -DAYS_BEFORE), to: addDays(day, DAYS_AFTER) }
  return readDays({ ...period, preview: true, preview_rejected: log_id })
}

/** Reads the days that a log may be part of: its own day, or the day before if a shift began then. */
export const readDaysOfLog = ({ employee: { employee_id }, local_at }: LogRow) => {
  const day = dayOf(local_at)
  return readDays({ from: addDays(day, -1), to: day, preview: true, employee_id })
}

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
