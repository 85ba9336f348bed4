import type { HoursDay } from '../../sdk/api-types.ts'
import { sumOf } from '../review/counts.ts'
import { runDecision } from '../review/decisions.ts'
import { rememberRow } from '../review/focus.ts'
import { readDays, readDecidableLogs } from '../review/logs.queries.ts'
import { requestDecision } from '../review/request-decision.tsx'
import { queries } from '../ui/queries.ts'
import { counted } from '../ui/text.ts'
import { addDays, duration, nightEndOf } from '../ui/time.ts'
import { isCleanDay, isToReview } from './clean-day.ts'
import { pendingOfDay, readPending } from './hours.queries.ts'
import { type HoursFilter, queryOf } from './hours-filter.ts'
import { mayReview } from './own-days.ts'

export const isClean = (row: HoursDay): boolean => isCleanDay(row, mayReview(row))

export const needsReview = (row: HoursDay): boolean => isToReview(row, mayReview(row))

/** A log that is too many may be of a day this many days before the day that it spoils. */
const EXTRA_DAYS = 7

/** Reads a log that the row of a day names, if the user may decide it. */
export const readDecidable = async ({ employee_id, day }: HoursDay, log_id: number) => {
  const period = { from: addDays(day, -EXTRA_DAYS), to: nightEndOf(day) }
  const logs = await readDecidableLogs({ employee_id, ...period })
  return logs.find((log) => log.log_id === log_id)
}

/** Asks to approve the pending logs of all clean days. Returns a message if no such log is left. */
export const askToApproveCleanDays = async (filter: HoursFilter): Promise<string | undefined> => {
  const query = queryOf(filter)
  const rows = await readDays({ ...query, preview: true, exceptions: true })
  const days = rows.filter(isClean)
  const { payroll_group: _, ...place } = { payroll_group: '', ...query }
  const logs = await readPending({ ...place, to: nightEndOf(filter.to) }, days)
  if (logs.length === 0) return 'Ya no queda ningún día sin excepción que puedas aprobar.'
  const ids = new Set(logs.map(({ log_id }) => log_id))
  const complete = days.filter(({ log_ids }) => log_ids.some((id) => ids.has(id)))
  const seconds = sumOf(complete.map(({ worked_seconds }) => worked_seconds ?? 0))
  const note = `${counted(complete.length, 'día')} sin excepción, que suman ${duration(seconds)}.`
  requestDecision(logs, 'approved', note)
}

/** Asks to approve the pending logs of one day. Returns a message if no such log is left. */
export const askToApproveDay = async (row: HoursDay): Promise<string | undefined> => {
  const logs = await queries.fetchQuery({ ...pendingOfDay(row), staleTime: 0 })
  if (logs.length === 0) return 'Ya no queda nada pendiente de ese día que puedas decidir.'
  // Not before: hours that are read again meanwhile would use it up.
  rememberRow(row.employee_id + row.day)
  requestDecision(logs, 'approved', row.detail)
}

/** Approves a log that the user has added, and the other pending logs of its day. */
export const approveWithAdded = async (row: HoursDay, added: number, comment: string) => {
  const { employee_id, day, log_ids } = row
  const period = { from: addDays(day, -1), to: nightEndOf(day) }
  const ofDay = { ...row, log_ids: [...log_ids, added] }
  const logs = await readPending({ employee_id, ...period }, [ofDay])
  return runDecision({ logs, status: 'approved', comment })
}
