import type { AuthorizedDb } from '../../db/core/authorization.ts'
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
  selectPage,
} from '../../db/logs/logs.ts'
import { listOwnLogs } from '../../db/logs/own-logs.ts'
import { DomainError } from '../core/errors.ts'
import { throwDomainError } from '../core/rules.ts'

export type { ExportedLog, LogFilter, LogOrder, LogPosition }

/** A page of logs, and the position of its last one: null on the last page. */
export const listLogs = async (db: AuthorizedDb, query: LogPageQuery) => {
  const { limit } = query
  const pageAndNext = await selectPage(db, { ...query, limit: limit + 1 })
  const logs = pageAndNext.slice(0, limit)
  const last = pageAndNext.length > limit ? logs.at(-1) : undefined
  return { logs, next: last ? { recorded_at: last.recorded_at, id: last.log_id } : null }
}

const noLogs = () => ({ pending: 0, approved: 0, rejected: 0 })

/** How many logs match, in all and by branch and department. */
export const summarizeLogs = async (db: AuthorizedDb, filter: LogFilter) => {
  const total = noLogs()
  const branches = new Map<string, { branch_office: string; department: string } & typeof total>()
  for (const { branch_office, department, status, count } of await countLogs(db, filter)) {
    const key = JSON.stringify([branch_office, department])
    const branch = branches.get(key) ?? { branch_office, department, ...noLogs() }
    branches.set(key, branch)
    branch[status] += count
    total[status] += count
  }
  return { total, branches: [...branches.values()] }
}

/** A log with a page of its history, and where the next page begins: null on the last one. */
export const getLog = async (db: AuthorizedDb, query: HistoryQuery) => {
  const { limit } = query
  const stored = await findLog(db, { ...query, limit: limit + 1 })
  if (!stored) throw new DomainError('LOG_NOT_FOUND')
  const page = stored.history.slice(0, limit)
  const next = stored.history.length > limit ? page.at(-1)?.event_id : undefined
  const history = page.map(({ event_id: _, ...entry }) => entry)
  return { log: { ...stored, history }, next: next ?? null }
}

/** Rows per page: a million logs stay far below the 1,000 queries that D1 allows per invocation. */
const EXPORT_PAGE = 5_000

/** Every match, former employees included, a page at a time. */
export async function* exportPages(
  db: AuthorizedDb,
  filter: LogFilter,
  order: LogOrder,
): AsyncGenerator<ExportedLog[]> {
  let after: LogPosition | undefined
  for (;;) {
    const query = { filter, order, after, limit: EXPORT_PAGE }
    const page: ExportedLog[] = await selectExportPage(db, query)
    const last = page.at(-1)
    if (last) yield page
    if (!last || page.length < EXPORT_PAGE) return
    after = { recorded_at: last.recorded_at, id: last.log_id }
  }
}

/** The default and the longest period of an employee's own list, in milliseconds. */
const OWN_PERIOD_MS = 14 * 86_400_000
/** 31 days, one of which may have 25 hours. */
const OWN_PERIOD_MAX_MS = (31 * 24 + 1) * 3_600_000

/** The logs of the caller's own employee, oldest first; the last 14 days unless given. */
export const listOwn = (
  db: AuthorizedDb,
  { from, before }: Pick<LogFilter, 'from' | 'before'>,
  now: Date,
) => {
  const end = before ?? new Date(Math.max(now.getTime(), from?.getTime() ?? 0) + 86_400_000)
  const start = from ?? new Date(end.getTime() - OWN_PERIOD_MS)
  if (end.getTime() - start.getTime() > OWN_PERIOD_MAX_MS)
    throw new DomainError('PERIOD_TOO_LONG', { days: 31 })
  return listOwnLogs(db, start, end).catch(throwDomainError)
}
