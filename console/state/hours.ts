import type { HoursDay } from '../../sdk/api-types.ts'
import { call } from '../api/call.ts'
import { api } from '../api/client.ts'
import { readDays, readTotals } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { counted } from '../text.ts'
import { addDays, fortnightOf, type Period, today } from '../time.ts'
import { requestDecision } from './decisions.ts'
import { readOpenLogs } from './queue.ts'

/** The hours of a person or of a branch, for a month at most. */

export interface HoursFilter extends Period {
  employee_id?: string | undefined
  branch_office?: string | undefined
}

const DAYS_MAX = 31

/** A night shift of the period's last day ends after it; none is longer than 36 hours. */
const DAYS_AFTER = 2

/** The filter of an address: the running fortnight unless it says otherwise, 31 days at most. */
export const toHoursFilter = (query: Record<string, string>): HoursFilter => {
  const { employee_id, branch_office = signedIn().user.scope_branches?.[0] } = query
  const now = fortnightOf(today())
  const from = query.from ?? (query.to ? fortnightOf(query.to).from : now.from)
  const to = query.to ?? fortnightOf(from).to
  const last = addDays(from, DAYS_MAX - 1)
  // In order of time, the middle one is within the bounds.
  return { employee_id, branch_office, from, to: [from, to, last].toSorted()[1] ?? to }
}

export const withHours = (
  filter: HoursFilter,
  changes: Partial<Record<keyof HoursFilter, string | undefined>>,
): string => linkTo('horas', { ...filter, ...changes })

/** A person's branch never narrows a person: who moved keeps all days. */
export const hoursQuery = ({ employee_id, branch_office, ...period }: HoursFilter): HoursFilter =>
  employee_id ? { employee_id, ...period } : { branch_office, ...period }

export const readHours = async (filter: HoursFilter) => {
  const query = hoursQuery(filter)
  const [days, totals] = await Promise.all([readDays(query), readTotals(query)])
  return { days, totals }
}

/** How many logs wait in each branch. */
export const readBranches = async ({ from, to }: Period): Promise<Map<string, number>> => {
  const query = { from, to }
  const { branches } = await call(() => api.v2.incidents.logs.summary.$get({ query }))
  const pending = new Map<string, number>()
  for (const { branch_office, pending: count } of branches) {
    pending.set(branch_office, (pending.get(branch_office) ?? 0) + count)
  }
  return pending
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

/** Asks to approve what waits of the clean days, as they are now. Returns what to say of none. */
export const approveCleanDays = async (filter: HoursFilter): Promise<string | undefined> => {
  const query = hoursQuery(filter)
  const days = (await readDays({ ...query, preview: true })).filter(isClean)
  const pending = await readOpenLogs({
    ...query,
    status: 'pending',
    to: addDays(filter.to, DAYS_AFTER),
  })
  const wanted = new Set(days.flatMap(({ log_ids }) => log_ids))
  const logs = pending.filter(({ log_id }) => wanted.has(log_id))
  const found = new Set(logs.map(({ log_id }) => log_id))
  const complete = days.filter(({ log_ids }) => log_ids.some((id) => found.has(id)))
  const hours = complete.reduce((sum, { worked_hours }) => sum + (worked_hours ?? 0), 0)
  if (logs.length === 0) return 'Ya no queda ningún día sin excepción por aprobar.'
  const note = `${counted(complete.length, 'día')} sin excepción, que suman ${hours.toFixed(2)} h.`
  await requestDecision(logs, 'approved', note)
}
