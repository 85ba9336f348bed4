import { dataOf } from '../../sdk/api-client.ts'
import type { ApiOperations, HoursDay, HoursTotal, LogRow } from '../../sdk/api-types.ts'
import { addDays, dayOf } from '../time.ts'
import { api } from './api.ts'

/** Hours, which come as files with one JSON object a line. */

type Query = ApiOperations['/api/v2/incidents/hours']['$get']['input']['query']

export type HoursQuery = { [Name in keyof Omit<Query, 'format'>]: Query[Name] | undefined }

/** @throws ApiError as `dataOf` does */
export const fileOf = async <Answer extends Parameters<typeof dataOf>[0]>(request: Answer) => {
  const response = await request
  if (!response.ok) await dataOf(response)
  return response
}

export const rowsOf = async <Row>(request: Parameters<typeof fileOf>[0]): Promise<Row[]> => {
  const lines = (await (await fileOf(request)).text()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

const { hours } = api.v2.incidents

export const requestHours = (format: 'csv' | 'ndjson', query: HoursQuery) =>
  hours.$get({ query: { ...query, format } })

export const readDays = (query: HoursQuery) => rowsOf<HoursDay>(requestHours('ndjson', query))

/** A shift of 36 hours may begin two days before; what follows a pause of that length does not move. */
const DAYS_BEFORE = 2
const DAYS_AFTER = 28

/** The days whose hours the rejection of a log would change, as they would be. */
export const readDaysIfRejected = ({ log_id, local_at }: LogRow) => {
  const day = dayOf(local_at)
  const period = { from: addDays(day, -DAYS_BEFORE), to: addDays(day, DAYS_AFTER) }
  return readDays({ ...period, preview: true, preview_rejected: log_id })
}

export const readTotals = (query: HoursQuery) =>
  rowsOf<HoursTotal>(requestHours('ndjson', { ...query, by: 'employee' }))

/** Says that somebody has looked at a day. Said twice, it is the same. */
export const reviewDay = (employee_id: string, day: string, comment: string | null) =>
  dataOf(hours.reviews.$post({ json: { employee_id, day, comment } }))
