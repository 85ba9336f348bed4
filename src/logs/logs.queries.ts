import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import {
  fullName,
  isLastDecision,
  isOtherNetwork,
  requestComment,
  visibleComment,
} from '../core/db/shared-expressions.ts'
import { log_comments, log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import type { LogStatus } from '../core/values/log-values.ts'
import type { Zones } from '../core/values/time-zone.ts'
import { isClosed, isOwnLog, isPaid } from './deciding.queries.ts'
import {
  type FilterInScope,
  type FilterParams,
  filterParams,
  filterWhere,
  indexForFilter,
  type LogFilter,
  preparedPerShape,
  withinScope,
} from './filter.queries.ts'
import { nearbyLogs } from './nearby-logs.queries.ts'
import {
  isOfPage,
  type LogOrder,
  type LogPageQuery,
  type LogPageQueryInScope,
  type LogPosition,
  type PageParams,
  pageOrderBy,
  pageParams,
  pageSubquery,
} from './pagination.queries.ts'

export type { LogFilter, LogOrder, LogPageQuery, LogPosition }

const logFields = (p: Params<{ user_id: number }>) => ({
  log_id: logs.id,
  status: logs.status,
  kind: logs.kind,
  recorded_at: logs.recorded_at,
  received_at: sql<string>`${logs.created_at}`.as('received_at'),
  source: logs.source,
  request_comment: requestComment,
  employee: {
    employee_id: employees.employee_id,
    full_name: employees.full_name,
    department: logs.department,
    branch_office: logs.branch_office,
  },
  comments: sql<number>`(
    SELECT count(*) FROM ${log_comments} WHERE ${log_comments.log_id} = ${logs.id}
  )`.as('comments'),
  other_network: isOtherNetwork.as('other_network'),
  own: isOwnLog(p).mapWith(Boolean).as('own'),
  closed: isClosed.mapWith(Boolean).as('closed'),
  locked: isPaid.mapWith(Boolean).as('locked'),
})

const exportFields = {
  log_id: logs.id,
  employee_id: sql<string>`${employees.employee_id}`.as('employee'),
  full_name: employees.full_name,
  department: logs.department,
  branch_office: logs.branch_office,
  kind: logs.kind,
  recorded_at: logs.recorded_at,
  received_at: sql<string>`${logs.created_at}`.as('received_at'),
  source: sql<string>`${logs.source}`.as('log_source'),
  status: logs.status,
  decided_at: sql<string | null>`${log_events.created_at}`.as('decided_at'),
  decided_by: fullName.as('decided_by'),
  comment: visibleComment,
  request_comment: requestComment,
}

const listPageOf = (fieldsOf: (p: Params<PageParams>) => ReturnType<typeof logFields>) =>
  preparedPerShape(({ filter, order }: LogPageQueryInScope) =>
    prepare((p: Params<PageParams>) =>
      qb
        .select(fieldsOf(p))
        .from(pageSubquery(filter, order, p))
        .innerJoin(logs, isOfPage)
        .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
        .orderBy(...pageOrderBy(order)),
    ),
  )

const listPage = listPageOf(logFields)
const listPageWithNearby = listPageOf((p) => ({ ...logFields(p), nearby: nearbyLogs(p) }))

const exportPage = preparedPerShape(({ filter, order }: LogPageQueryInScope) =>
  prepare((p: Params<PageParams>) =>
    qb
      .select(exportFields)
      .from(pageSubquery(filter, order, p))
      .innerJoin(logs, isOfPage)
      .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
      .leftJoin(
        // The index is named, because with old statistics SQLite may scan all events for each log.
        sql`${log_events} INDEXED BY log_events_log_id`,
        isLastDecision,
      )
      .leftJoin(users, eq(users.id, log_events.user_id))
      .leftJoin(log_comments, eq(log_comments.id, log_events.comment_id))
      .orderBy(...pageOrderBy(order)),
  ),
)

const countByStatus = preparedPerShape(({ filter }: { filter: FilterInScope }) =>
  prepare((p: Params<FilterParams>) =>
    qb
      .select({
        branch_office: sql<string>`${logs.branch_office}`.as('branch_office'),
        department: sql<string>`${logs.department}`.as('department'),
        status: sql<LogStatus>`${logs.status}`.as('status'),
        count: sql<number>`count(*)`.as('count'),
      })
      .from(sql`${logs} INDEXED BY ${sql.identifier(indexForFilter(filter))}`)
      .where(filterWhere(filter, p))
      .groupBy(logs.branch_office, logs.department, logs.status)
      .orderBy(logs.branch_office, logs.department),
  ),
)

export interface HistoryQuery {
  log_id: number
  /** Only events with a lower id are read. */
  before: number
  limit: number
}

const selectLog = prepare((p: Params<{ id: number; scope: Scope; user_id: number }>) =>
  qb
    .select(logFields(p))
    .from(logs)
    .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
    .where(and(eq(logs.id, p.id), isInScope(logs.branch_office, p.scope))),
)

const selectHistory = prepare((p: Params<HistoryQuery>) =>
  qb
    .select({
      event_id: sql<number>`${log_events.id}`.as('event_id'),
      event: log_events.event,
      from_status: log_events.from_status,
      to_status: log_events.to_status,
      created_at: log_events.created_at,
      user: { id: users.id, full_name: fullName.as('full_name') },
      comment: visibleComment,
    })
    .from(log_events)
    .leftJoin(users, eq(users.id, log_events.user_id))
    .leftJoin(log_comments, eq(log_comments.id, log_events.comment_id))
    .where(and(eq(log_events.log_id, p.log_id), lt(log_events.id, p.before)))
    .orderBy(desc(log_events.id))
    .limit(p.limit),
)

const pageInScope = (
  query: LogPageQuery,
  { scope, user_id, zones }: { scope: Scope; user_id: number; zones: Zones },
): [LogPageQueryInScope, PageParams] => {
  const within = { ...query, filter: withinScope(query.filter, scope, zones) }
  return [within, pageParams(within, { scope, user_id })]
}

export const selectLogPage = async (db: AuthorizedDb, query: LogPageQuery) => {
  const select = query.nearby ? listPageWithNearby : listPage
  const user_id = db.claims.userId
  const { page } = await db.batch((scope, zones) => ({
    page: select(...pageInScope(query, { scope, user_id, zones })),
  }))
  return page
}

/** A page of the export. Each log comes with its last decision. */
export const selectExportPage = async (db: AuthorizedDb, query: LogPageQuery) => {
  const user_id = db.claims.userId
  const { page } = await db.batch((scope, zones) => ({
    page: exportPage(...pageInScope(query, { scope, user_id, zones })),
  }))
  return page
}

export type ExportedLog = Awaited<ReturnType<typeof selectExportPage>>[number]

/** The number of matching logs by branch, department and status. */
export const countLogs = async (db: AuthorizedDb, filter: LogFilter) => {
  const { counts } = await db.batch((scope, zones) => {
    const within = withinScope(filter, scope, zones)
    return { counts: countByStatus({ filter: within }, filterParams(within)) }
  })
  return counts
}

/**
 * A log with a page of its history, newest first. The order is by id, because clocks may differ.
 * Undefined if the caller may not see the log, or it does not exist.
 */
export const findLog = async (db: AuthorizedDb, query: HistoryQuery) => {
  const { log, history } = await db.batch((scope) => ({
    log: first(selectLog({ id: query.log_id, scope, user_id: db.claims.userId })),
    history: selectHistory(query),
  }))
  return log && { ...log, history }
}
