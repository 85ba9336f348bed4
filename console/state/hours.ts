import { dataOf } from '../../sdk/api-client.ts'
import type { HoursDay } from '../../sdk/api-types.ts'
import { api } from '../api/api.ts'
import { readDays, readTotals } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { counted } from '../text.ts'
import { addDays, duration, fortnightOf, mondayOf, type Period, today } from '../time.ts'
import { requestDecision } from './decisions.ts'
import { readOpenLogs } from './queue.ts'

/** The hours of a person, of a branch or of everybody, for a month at most. */

export interface HoursFilter extends Period {
  employee_id?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  /** `-` for those without one. */
  payroll_group?: string | undefined
  exception?: string | undefined
}

const DAYS_MAX = 31

/** A night shift of the period's last day ends after it; none is longer than 36 hours. */
const DAYS_AFTER = 2

/** The filter of an address: the running fortnight unless it says otherwise, 31 days at most. */
export const toHoursFilter = (query: Record<string, string>): HoursFilter => {
  const { employee_id, branch_office, department, payroll_group, exception } = query
  const now = fortnightOf(today())
  const from = query.from ?? (query.to ? fortnightOf(query.to).from : now.from)
  const to = query.to ?? fortnightOf(from).to
  const last = addDays(from, DAYS_MAX - 1)
  return {
    employee_id,
    branch_office,
    department,
    payroll_group,
    exception,
    from,
    // In order of time, the middle one is within the bounds.
    to: [from, to, last].toSorted()[1] ?? to,
  }
}

export const withHours = (
  filter: HoursFilter,
  changes: Partial<Record<keyof HoursFilter, string | undefined>>,
): string => linkTo('horas', { ...filter, ...changes })

/** A person's branch never narrows a person: who moved keeps all days. */
export const hoursQuery = ({ exception: _, ...filter }: HoursFilter) => {
  const { employee_id, payroll_group, from, to, ...place } = filter
  if (employee_id) return { employee_id, from, to }
  return { ...place, payroll_group: payroll_group === '-' ? '' : payroll_group, from, to }
}

/** The days of a person, in whole weeks; of many, those with an exception that nobody has looked at. */
export const readHours = async (filter: HoursFilter) => {
  const query = hoursQuery(filter)
  const weeks = { ...query, from: mondayOf(filter.from), to: addDays(mondayOf(filter.to), 6) }
  // Of every branch: so that one sees where the work is.
  const all = { ...query, branch_office: undefined, exceptions: true }
  const [days, totals] = await Promise.all([
    readDays(filter.employee_id ? weeks : all),
    readTotals(query),
  ])
  return { days, totals }
}

/** The departments of the period's logs. */
export const readDepartments = async ({ from, to }: Period): Promise<string[]> => {
  const query = { from, to }
  const { branches } = await dataOf(api.v2.incidents.logs.summary.$get({ query }))
  return [...new Set(branches.map(({ department }) => department))].sort()
}

/**
 * Whether a day needs nobody's look: all that is wrong with it is that nobody has decided it. What
 * somebody added by hand is read, and so are one's own days where others decide them.
 */
export const isClean = ({ exceptions, notices, employee_id }: HoursDay): boolean => {
  const { user, forbid_self_approval } = signedIn()
  const isOwn = forbid_self_approval && employee_id === user.employee_id
  return exceptions.join() === 'pendientes' && !notices.includes('manual') && !isOwn
}

/** Whether somebody should look at a day, one by one. */
export const isToRead = (row: HoursDay): boolean =>
  row.exceptions.length > 0 && row.reviewed === null && !isClean(row)

/** The pending logs of days, which the user may decide. */
const readPending = async (query: Parameters<typeof readOpenLogs>[0], days: HoursDay[]) => {
  const ids = new Set(days.flatMap(({ log_ids }) => log_ids))
  const pending = await readOpenLogs({ ...query, status: 'pending' })
  return pending.filter(({ log_id }) => ids.has(log_id))
}

/** Asks to approve what waits of the clean days, as they are now. Returns what to say of none. */
export const approveCleanDays = async (filter: HoursFilter): Promise<string | undefined> => {
  const query = hoursQuery(filter)
  const days = (await readDays({ ...query, preview: true, exceptions: true })).filter(isClean)
  const { payroll_group: _, ...place } = { payroll_group: '', ...query }
  const logs = await readPending({ ...place, to: addDays(filter.to, DAYS_AFTER) }, days)
  const ids = new Set(logs.map(({ log_id }) => log_id))
  const complete = days.filter(({ log_ids }) => log_ids.some((id) => ids.has(id)))
  const seconds = complete.reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)
  if (logs.length === 0) return 'Ya no queda ningún día sin excepción por aprobar.'
  const note = `${counted(complete.length, 'día')} sin excepción, que suman ${duration(seconds)}.`
  await requestDecision(logs, 'approved', note)
}

/** Asks to approve what waits of one day. Returns what to say where nothing does. */
export const approveDay = async (row: HoursDay): Promise<string | undefined> => {
  const { employee_id, day } = row
  const logs = await readPending({ employee_id, from: day, to: addDays(day, DAYS_AFTER) }, [row])
  if (logs.length === 0) return 'Ya no queda nada pendiente de ese día que puedas decidir.'
  await requestDecision(logs, 'approved', row.detail)
}
