import type { HoursDay, LogRow } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { rowsOf } from '../session/files.ts'
import { addDays, dayOf } from '../ui/time.ts'

const { hours } = api.v2.incidents

export type HoursQuery = Omit<Parameters<typeof hours.$get>[0]['query'], 'format'>

/** Reads the rows of the hours: days, or the totals of employees or weeks. */
export const readHours = <Row>(query: HoursQuery) =>
  rowsOf<Row>(hours.$get({ query: { ...query, format: 'ndjson' } }))

export const readDays = (query: HoursQuery) => readHours<HoursDay>(query)

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
