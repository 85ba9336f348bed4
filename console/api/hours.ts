import type { ApiOperations } from '../../sdk/api-types.ts'
import { call, callFile } from './call.ts'
import { api } from './client.ts'

/** Hours and adjustments, which come as files with one JSON object a line. */

type Query = ApiOperations['/api/v2/incidents/hours']['$get']['input']['query']

export type HoursQuery = { [Name in keyof Omit<Query, 'format'>]: Query[Name] | undefined }

interface Person {
  employee_id: string
  full_name: string
  branch_office: string
}

/** A day of a person. */
export interface WorkDay extends Person {
  day: string
  worked_hours: number | null
  /** `08:00–13:00 (14:00–?)`, as docs/payroll.md has it. */
  detail: string
  exceptions: string[]
  notices: string[]
  log_ids: number[]
}

/** The days of a person at one place together. */
export interface Total extends Person {
  days: number
  worked_hours: number | null
  days_with_exceptions: number
  exceptions: string[]
}

export interface Adjustment extends Person {
  day: string
  closed_seconds: number | null
  worked_seconds: number | null
  difference_seconds: number
}

const rowsOf = async <Row>(request: Parameters<typeof callFile>[0]): Promise<Row[]> => {
  const lines = (await (await callFile(request)).text()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

const { hours } = api.v2.incidents

export const requestHours = (format: 'csv' | 'ndjson', query: HoursQuery) =>
  hours.$get({ query: { ...query, format } })

export const readDays = (query: HoursQuery) => rowsOf<WorkDay>(() => requestHours('ndjson', query))

export const readTotals = (query: HoursQuery) =>
  rowsOf<Total>(() => requestHours('ndjson', { ...query, by: 'employee' }))

export const requestAdjustments = (format: 'csv' | 'ndjson', since: number) =>
  hours.adjustments.$get({ query: { format, since } })

export const readAdjustments = (since: number) =>
  rowsOf<Adjustment>(() => requestAdjustments('ndjson', since))

export const readClosings = () => call(() => api.v2.incidents.closings.$get({ query: {} }))
