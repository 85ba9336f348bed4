import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { boundsOf, type Period } from '../core/values/period.ts'
import { DAY_MS, localAt, type Zones } from '../core/values/time-zone.ts'
import {
  countLogs,
  type ExportedLog,
  findLog,
  type HistoryQuery,
  type LogFilter,
  type LogOrder,
  type LogPageQuery,
  type LogPosition,
  selectExportPage,
  selectLogPage,
} from './logs.queries.ts'
import type { NearbyLog } from './nearby-logs.queries.ts'
import { listOwnLogs } from './own-logs.queries.ts'

export type { LogPosition }

interface LocalLog {
  recorded_at: string
  employee: { branch_office: string }
  nearby?: readonly NearbyLog[]
}

/** Adds local times to a log and its nearby logs, each in the zone of its branch. */
const withLocalTimes = <Log extends LocalLog>({ nearby, ...log }: Log, zones: Zones) => ({
  ...log,
  local_at: localAt(log.recorded_at, log.employee.branch_office, zones),
  ...(nearby && {
    nearby: nearby.map(({ branch_office, ...other }) => ({
      ...other,
      local_at: localAt(other.recorded_at, branch_office, zones),
    })),
  }),
})

/** A page of logs. `next` is the position of its last log, or null if no page follows. */
export const listLogs = async (db: AuthorizedDb, query: LogPageQuery) => {
  const { limit } = query
  const pageAndNext = await selectLogPage(db, { ...query, limit: limit + 1 })
  const logs = pageAndNext.slice(0, limit).map((log) => withLocalTimes(log, db.zones()))
  const last = pageAndNext.length > limit ? logs.at(-1) : undefined
  return { logs, next: last ? { recorded_at: last.recorded_at, id: last.log_id } : null }
}

const zeroCounts = () => ({ pending: 0, approved: 0, rejected: 0 })

/** The number of matching logs by status: in total, and by branch and department. */
export const summarizeLogs = async (db: AuthorizedDb, filter: LogFilter) => {
  const total = zeroCounts()
  const branches = new Map<string, { branch_office: string; department: string } & typeof total>()
  for (const { branch_office, department, status, count } of await countLogs(db, filter)) {
    const key = JSON.stringify([branch_office, department])
    const branch = branches.get(key) ?? { branch_office, department, ...zeroCounts() }
    branches.set(key, branch)
    branch[status] += count
    total[status] += count
  }
  return { total, branches: [...branches.values()] }
}

/** A log with a page of its history. `next` is the last event's id, or null if no page follows. */
export const getLog = async (db: AuthorizedDb, query: HistoryQuery) => {
  const { limit } = query
  const stored = await findLog(db, { ...query, limit: limit + 1 })
  if (!stored) throw new DomainError('LOG_NOT_FOUND')
  const page = stored.history.slice(0, limit)
  const next = stored.history.length > limit ? page.at(-1)?.event_id : undefined
  const history = page.map(({ event_id: _, ...entry }) => entry)
  return { log: withLocalTimes({ ...stored, history }, db.zones()), next: next ?? null }
}

/** A million logs take 200 pages. D1 allows 1,000 queries per invocation. */
const EXPORT_PAGE_ROWS = 5_000

type LocalExportedLog = ExportedLog & { local_at: string }

/** All matching logs, page by page. Logs of former employees are included. */
export async function* exportPages(
  db: AuthorizedDb,
  filter: LogFilter,
  order: LogOrder,
): AsyncGenerator<LocalExportedLog[]> {
  let after: LogPosition | undefined
  for (;;) {
    const query = { filter, order, after, limit: EXPORT_PAGE_ROWS }
    const page: ExportedLog[] = await selectExportPage(db, query)
    const last = page.at(-1)
    if (last) {
      yield page.map((log) => ({
        ...log,
        local_at: localAt(log.recorded_at, log.branch_office, db.zones()),
      }))
    }
    if (!last || page.length < EXPORT_PAGE_ROWS) return
    after = { recorded_at: last.recorded_at, id: last.log_id }
  }
}

const OWN_DAYS_MAX = 31
const OWN_DEFAULT_MS = 14 * DAY_MS

/**
 * The logs of the caller's own employee, oldest first. By default the period ends a day after now,
 * and has 14 days. A page has the first `limit` logs after the log `after`.
 * @throws DomainError NO_EMPLOYEE; LOG_NOT_FOUND; PERIOD_REVERSED, or PERIOD_TOO_LONG for more than 31 days
 */
export const getOwnLogs = async (
  db: AuthorizedDb,
  { from, to, limit, after }: Period & { limit?: number | undefined; after?: number | undefined },
  now: Date,
) => {
  /** The period by the company's zone, which also limits its length. */
  const periodOf = (zones: Zones) => {
    const zone = zones.zoneAt('', now)
    const bounds = { zone, now, days: OWN_DAYS_MAX, defaultMs: OWN_DEFAULT_MS }
    const { start, end } = boundsOf({ from, to }, bounds)
    const last = to ?? new Date(end.getTime() - 1).toISOString()
    return { from: from ?? start.toISOString(), to: last }
  }
  const logs = await listOwnLogs(db, periodOf, after ?? null)
  return logs.slice(0, limit).map(({ branch_office, ...log }) => ({
    ...log,
    local_at: localAt(log.recorded_at, branch_office, db.zones()),
  }))
}
