import type { Door } from '../db/authorization.ts'
import {
  countLogs,
  type ExportedLog,
  exportLogs,
  type LogFilter,
  type LogOrder,
  type LogPosition,
  listLogs,
  readLog,
} from '../db/logs.ts'
import { LOG_KINDS, LOG_STATUSES } from '../db/schema.ts'
import { Refused } from './errors.ts'

export type { ExportedLog, LogFilter, LogOrder, LogPosition }
export { LOG_KINDS, LOG_STATUSES }

/** A page of logs, and where the next one begins: null at the end. */
export const reviewPage = async (
  door: Door,
  filter: LogFilter,
  { order, after, limit }: { order: LogOrder; after: LogPosition | undefined; limit: number },
) => {
  const found = await listLogs(door, filter, order, after, limit + 1)
  const logs = found.slice(0, limit)
  const last = found.length > limit ? logs.at(-1) : undefined
  return { logs, next: last ? { recorded_at: last.recorded_at, id: last.log_id } : null }
}

const none = () => ({ pending: 0, approved: 0, rejected: 0 })

/** How many logs match, in all and by branch and department. */
export const reviewSummary = async (door: Door, filter: LogFilter) => {
  const total = none()
  const branches = new Map<string, { branch_office: string; department: string } & typeof total>()
  for (const { branch_office, department, status, count } of await countLogs(door, filter)) {
    const key = JSON.stringify([branch_office, department])
    const branch = branches.get(key) ?? { branch_office, department, ...none() }
    branches.set(key, branch)
    branch[status] += count
    total[status] += count
  }
  return { total, branches: [...branches.values()] }
}

export const reviewLog = async (door: Door, id: number) => {
  const log = await readLog(door, id)
  if (!log) throw new Refused('LOG_UNKNOWN')
  return log
}

/** Rows a page: a million of them stay far under the 1,000 queries that D1 allows an invocation. */
const EXPORT_PAGE = 5_000

async function* pagesOf(
  door: Door,
  filter: LogFilter,
  order: LogOrder,
): AsyncGenerator<ExportedLog[]> {
  let after: LogPosition | undefined
  for (;;) {
    const page: ExportedLog[] = await exportLogs(door, filter, order, after, EXPORT_PAGE)
    const last = page.at(-1)
    if (last) yield page
    if (!last || page.length < EXPORT_PAGE) return
    after = { recorded_at: last.recorded_at, id: last.log_id }
  }
}

/**
 * Every match, page by page, leavers included; one page in memory at a time. The first one is here
 * before this returns, so that what fails at once is told as a failure.
 */
export const exportPages = async (door: Door, filter: LogFilter, order: LogOrder) => {
  const pages = pagesOf(door, filter, order)
  const first = await pages.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pages
  })()
}
