import type { ApiOperations, HoursDay, HoursTotal } from '../../sdk/api-types.ts'
import { call, callFile } from './call.ts'
import { api } from './client.ts'

/** Hours, which come as files with one JSON object a line. */

type Query = ApiOperations['/api/v2/incidents/hours']['$get']['input']['query']

export type HoursQuery = { [Name in keyof Omit<Query, 'format'>]: Query[Name] | undefined }

export const rowsOf = async <Row>(request: Parameters<typeof callFile>[0]): Promise<Row[]> => {
  const lines = (await (await callFile(request)).text()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

const { hours } = api.v2.incidents

export const requestHours = (format: 'csv' | 'ndjson', query: HoursQuery) =>
  hours.$get({ query: { ...query, format } })

export const readDays = (query: HoursQuery) => rowsOf<HoursDay>(() => requestHours('ndjson', query))

export const readTotals = (query: HoursQuery) =>
  rowsOf<HoursTotal>(() => requestHours('ndjson', { ...query, by: 'employee' }))

/** Says that somebody has looked at a day. Said twice, it is the same. */
export const reviewDay = (employee_id: string, day: string, comment: string | null) =>
  call(() => hours.reviews.$post({ json: { employee_id, day, comment } }))
