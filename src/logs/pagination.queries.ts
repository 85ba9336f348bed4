import { asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { fieldsOf, literal, type Params, UNION_ALL } from '../core/db/query.ts'
import type { Scope } from '../core/db/scope.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import type { LogKind, LogStatus } from '../core/values/log-values.ts'
import {
  type FilterInScope,
  type FilterParams,
  filterParams,
  inBranches,
  indexedWhere,
  kindsOf,
  type LogFilter,
  shapeOf,
  statusesOf,
  withinBranchPeriod,
} from './filter.queries.ts'

/** Keyset pagination over index ranges. docs/decisions.md, 10, gives the reasons. */

/** The sort key of a log is its time. The id is the tiebreaker. */
export interface LogPosition {
  recorded_at: string
  id: number
}

export type LogOrder = 'oldest' | 'newest'

export interface LogPageQuery {
  filter: LogFilter
  order: LogOrder
  /** The position of the previous page's last log. Undefined for the first page. */
  after?: LogPosition | undefined
  limit: number
  /** Whether each log comes with the logs of the same person around it. */
  nearby?: boolean | undefined
}

export interface PageParams extends FilterParams {
  seek_time: string
  seek_id: number
  limit: number
  /** The caller's scope. It applies to the nearby logs of the page. */
  scope: Scope
  user_id: number
}

/** Ids start at 1, so the id 0 comes before all logs of the same moment. */
const BEFORE_ALL_IDS = 0

/**
 * The ids of a page, in order. Each combination of status and kind is one range scan of an index.
 * If there are several branches, each branch has its own scans. A scan is limited to one page, so
 * at most nine pages per branch are read, regardless of the size of the table. If the filter has an
 * employee and also a branch or department, a scan reads at most the logs of that person.
 */
export const pageSubquery = (
  filter: FilterInScope,
  order: LogOrder,
  p: Params<PageParams>,
): SQL => {
  const isForward = order === 'oldest'
  const [beyond, direction] = (isForward ? ['>', 'ASC'] : ['<', 'DESC']).map(sql.raw)
  const withinPeriod = isForward ? lt(logs.recorded_at, p.before) : gte(logs.recorded_at, p.from)
  const { employee, severalBranches } = shapeOf(filter)
  const scansEachBranch = severalBranches && !employee
  const isBranch = scansEachBranch ? sql`= branch.value` : inBranches(p)
  const rangeScan = (status: LogStatus, kind: LogKind) => sql`SELECT * FROM (
    SELECT ${logs.id} AS id, ${logs.recorded_at} AS recorded_at FROM ${logs}
    WHERE ${indexedWhere(filter, p, isBranch)} AND ${logs.status} = ${literal(status)}
      AND ${logs.kind} = ${literal(kind)} AND ${withinPeriod} AND ${withinBranchPeriod(filter, p)}
      AND (${logs.recorded_at}, ${logs.id}) ${beyond} (${p.seek_time}, ${p.seek_id})
    ORDER BY ${logs.recorded_at} ${direction}, ${logs.id} ${direction} LIMIT ${p.limit})`
  // SQLite has no LATERAL, so the scan of each branch is a subquery passed to json_each.
  const scanOf = (status: LogStatus, kind: LogKind) =>
    scansEachBranch
      ? sql`SELECT page.value ->> '$[1]' AS id, page.value ->> '$[0]' AS recorded_at
        FROM json_each(${p.branches}) AS branch, json_each((
          SELECT json_group_array(json_array(recorded_at, id)) FROM (${rangeScan(status, kind)}))) AS page`
      : rangeScan(status, kind)
  // The scans are nested, by kind and then by status, because D1 allows only five terms in a
  // compound SELECT.
  const byKind = kindsOf(filter).map((kind) => {
    const scans = statusesOf(filter).map((status) => scanOf(status, kind))
    return sql`SELECT * FROM (${sql.join(scans, UNION_ALL)})`
  })
  return sql`(SELECT * FROM (${sql.join(byKind, UNION_ALL)})
    ORDER BY recorded_at ${direction}, id ${direction} LIMIT ${p.limit}) AS page`
}

const pageFields = fieldsOf('page', 'recorded_at', 'id')

/** The condition that joins the logs to the ids of a page. */
export const isOfPage = eq(logs.id, pageFields.id)

export const pageOrderBy = (order: LogOrder): SQL[] =>
  Object.values(pageFields).map(order === 'oldest' ? asc : desc)

export interface LogPageQueryInScope extends Omit<LogPageQuery, 'filter'> {
  filter: FilterInScope
}

/**
 * The position at which the range scans of a page begin. It is the cursor, or the edge of the
 * period if the cursor lies outside the period. On this side, the query may have only one bound of
 * the time. With two, SQLite begins at one of them and reads every row up to the other one.
 */
const seekPosition = ({
  filter: { from, before },
  order,
  after,
}: LogPageQueryInScope): LogPosition => {
  const edge = { recorded_at: order === 'oldest' ? from : before, id: BEFORE_ALL_IDS }
  if (!after) return edge
  const insidePeriod = order === 'oldest' ? after.recorded_at >= from : after.recorded_at < before
  return insidePeriod ? after : edge
}

export const pageParams = (
  query: LogPageQueryInScope,
  caller: Pick<PageParams, 'scope' | 'user_id'>,
): PageParams => {
  const { recorded_at: seek_time, id: seek_id } = seekPosition(query)
  return { ...filterParams(query.filter), seek_time, seek_id, limit: query.limit, ...caller }
}
