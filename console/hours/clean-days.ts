import { dataOf } from '../../sdk/api-client.ts'
import type { HoursDay } from '../../sdk/api-types.ts'
import { sumOf } from '../review/counts.ts'
import { readDays } from '../review/days.api.ts'
import { requestDecision, runDecision } from '../review/decisions.state.ts'
import type { Filter } from '../review/filter.ts'
import { readDecidableLogs } from '../review/queue.state.ts'
import { api } from '../session/api.ts'
import { counted } from '../ui/text.ts'
import { addDays, dayOf, duration, nightEndOf, type Period } from '../ui/time.ts'
import { isCleanDay, isToReview } from './clean-day.ts'
import { type HoursFilter, hoursQuery } from './hours-filter.ts'
import { mayReview } from './own-days.ts'

/** Reads the departments that have logs in a period. */
export const readDepartments = async ({ from, to }: Period): Promise<string[]> => {
  const query = { from, to }
  const { branches } = await dataOf(api.v2.incidents.logs.summary.$get({ query }))
  return [...new Set(branches.map(({ department }) => department))].sort()
}

export const isClean = (row: HoursDay): boolean => isCleanDay(row, mayReview(row))

export const needsReview = (row: HoursDay): boolean => isToReview(row, mayReview(row))

/**
 * Reads the logs of a day that the user may decide, also those that are decided already. The day's
 * own list has no rejected ones.
 */
export const readDecidableOfDay = async ({ employee_id, day, log_ids }: HoursDay) => {
  const period = { from: addDays(day, -1), to: nightEndOf(day) }
  const logs = await readDecidableLogs({ employee_id, ...period })
  return logs.filter(
    ({ log_id, status, local_at }) =>
      log_ids.includes(log_id) || (status === 'rejected' && dayOf(local_at) === day),
  )
}

/** A log that is too many may be of a day this many days before the day that it spoils. */
const EXTRA_DAYS = 7

/** Reads a log that the row of a day names, if the user may decide it. */
export const readDecidable = async ({ employee_id, day }: HoursDay, log_id: number) => {
  const period = { from: addDays(day, -EXTRA_DAYS), to: nightEndOf(day) }
  const logs = await readDecidableLogs({ employee_id, ...period })
  return logs.find((log) => log.log_id === log_id)
}

/** Reads the days' pending logs that the user may decide. */
const readPending = async (query: Filter, days: HoursDay[]) => {
  const ids = new Set(days.flatMap(({ log_ids }) => log_ids))
  const pending = await readDecidableLogs({ ...query, status: 'pending' })
  return pending.filter(({ log_id }) => ids.has(log_id))
}

/** Asks to approve the pending logs of all clean days. Returns a message if no such log is left. */
export const askToApproveCleanDays = async (filter: HoursFilter): Promise<string | undefined> => {
  const query = hoursQuery(filter)
  const rows = await readDays({ ...query, preview: true, exceptions: true })
  const days = rows.filter(isClean)
  const { payroll_group: _, ...place } = { payroll_group: '', ...query }
  const logs = await readPending({ ...place, to: nightEndOf(filter.to) }, days)
  if (logs.length === 0) return 'Ya no queda ningún día sin excepción que puedas aprobar.'
  const ids = new Set(logs.map(({ log_id }) => log_id))
  const complete = days.filter(({ log_ids }) => log_ids.some((id) => ids.has(id)))
  const seconds = sumOf(complete.map(({ worked_seconds }) => worked_seconds ?? 0))
  const note = `${counted(complete.length, 'día')} sin excepción, que suman ${duration(seconds)}.`
  await requestDecision(logs, 'approved', note)
}

/** Reads the pending logs of one day that the user may decide. */
export const readPendingOfDay = ({ employee_id, day, ...row }: HoursDay) =>
  readPending({ employee_id, from: day, to: nightEndOf(day) }, [{ employee_id, day, ...row }])

/** Asks to approve the pending logs of one day. Returns a message if no such log is left. */
export const askToApproveDay = async (row: HoursDay): Promise<string | undefined> => {
  const logs = await readPendingOfDay(row)
  if (logs.length === 0) return 'Ya no queda nada pendiente de ese día que puedas decidir.'
  await requestDecision(logs, 'approved', row.detail)
}

/** Approves a log that the user has added, and the other pending logs of its day. */
export const approveWithAdded = async (row: HoursDay, added: number, comment: string) => {
  const { employee_id, day, log_ids } = row
  const period = { from: addDays(day, -1), to: nightEndOf(day) }
  const ofDay = { ...row, log_ids: [...log_ids, added] }
  const logs = await readPending({ employee_id, ...period }, [ofDay])
  return runDecision({ logs, status: 'approved', comment })
}
