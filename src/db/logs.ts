import { desc, eq, sql } from 'drizzle-orm'
import { type Door, mayPass, type Pass, passOf } from './authorization.ts'
import {
  compiledBy,
  inOrder,
  type LogFilter,
  type LogOrder,
  type LogPosition,
  matching,
  pageOf,
  type Values,
  valuesOf,
} from './log-pagination.ts'
import { build, query, type Slots } from './query.ts'
import { employees, log_audit, log_comments, attendance_logs as logs, users } from './schema.ts'

export type { LogFilter, LogOrder, LogPosition }

const summaryFields = {
  log_id: logs.id,
  status: logs.status,
  kind: logs.kind,
  recorded_at: logs.recorded_at,
  employee: {
    employee_id: employees.employee_id,
    full_name: employees.full_name,
    department: employees.department,
    branch_office: employees.branch_office,
  },
  comments: sql<number>`(
    SELECT count(*) FROM ${log_comments} WHERE ${log_comments.log_id} = ${logs.id}
  )`.as('comments'),
}

const lastAudit = sql`(SELECT max(id) FROM ${log_audit} WHERE ${log_audit.log_id} = ${logs.id})`

const fullName = sql<string>`trim(replace(
  ${users.first_name} || ' ' || ${users.last_name} || ' ' || ${users.mother_last_name}, '  ', ' '
))`

const exportFields = {
  log_id: logs.id,
  employee_id: sql<string>`${employees.employee_id}`.as('employee'),
  full_name: employees.full_name,
  department: employees.department,
  branch_office: employees.branch_office,
  kind: logs.kind,
  recorded_at: logs.recorded_at,
  status: logs.status,
  decided_at: sql<string | null>`${log_audit.created_at}`.as('decided_at'),
  decided_by: fullName.as('decided_by'),
  comment: log_comments.comment,
}

const listQuery = (filter: LogFilter, order: LogOrder) =>
  query(($: Slots<Values>) =>
    build
      .select(summaryFields)
      .from(pageOf(filter, order, $))
      .innerJoin(logs, sql`${logs.id} = page.id`)
      .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
      .orderBy(inOrder(order)),
  )

const exportQuery = (filter: LogFilter, order: LogOrder) =>
  query(($: Slots<Values>) =>
    build
      .select(exportFields)
      .from(pageOf(filter, order, $))
      .innerJoin(logs, sql`${logs.id} = page.id`)
      .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
      .leftJoin(log_audit, sql`${log_audit.id} = ${lastAudit}`)
      .leftJoin(users, eq(users.id, log_audit.user_id))
      .leftJoin(log_comments, eq(log_comments.id, log_audit.comment_id))
      .orderBy(inOrder(order)),
  )

const countQuery = (filter: LogFilter) =>
  query(($: Slots<Values>) =>
    build
      .select({
        branch_office: logs.branch_office,
        department: logs.department,
        status: logs.status,
        count: sql<number>`count(*)`.as('count'),
      })
      .from(users)
      .crossJoin(logs)
      .where(matching(filter, $))
      .groupBy(logs.branch_office, logs.department, logs.status)
      .orderBy(logs.branch_office, logs.department),
  )

/** Asks through the door for what a filter means, after a position. */
const asking =
  <Row>(queryOf: ReturnType<typeof compiledBy<Row[]>>) =>
  async (
    door: Door,
    filter: LogFilter,
    order: LogOrder,
    after: LogPosition | undefined,
    limit: number,
  ): Promise<Row[]> => {
    const values = valuesOf(passOf(door), filter, order, after, limit)
    const [rows] = await door.ask(queryOf(filter, order)(values))
    return rows
  }

/** A page of logs, in order of time, after a position. */
export const listLogs = asking(compiledBy(listQuery))

/** A page of the export: a log with the last decision on it. */
export const exportLogs = asking(compiledBy(exportQuery))

export type ExportedLog = Awaited<ReturnType<typeof exportLogs>>[number]

const askCounts = asking(compiledBy(countQuery))

/** How many logs match, by branch, department and status. */
export const countLogs = (door: Door, filter: LogFilter) =>
  askCounts(door, filter, 'oldest', undefined, 0)

/** The id asked for: none where the caller may not pass the door, so that nothing is read. */
const soughtBy = ($: Slots<Pass & { id: number }>) => sql`CASE WHEN ${mayPass($)} THEN ${$.id} END`

const selectLog = query(($: Slots<Pass & { id: number }>) =>
  build
    .select(summaryFields)
    .from(logs)
    .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
    .where(sql`${logs.id} = ${soughtBy($)}`),
)

const selectHistory = query(($: Slots<Pass & { id: number }>) =>
  build
    .select({
      from_status: log_audit.from_status,
      to_status: log_audit.to_status,
      created_at: log_audit.created_at,
      user: { id: users.id, full_name: fullName.as('full_name') },
      comment: log_comments.comment,
    })
    .from(log_audit)
    .innerJoin(users, eq(users.id, log_audit.user_id))
    .leftJoin(log_comments, eq(log_comments.id, log_audit.comment_id))
    .where(sql`${log_audit.log_id} = ${soughtBy($)}`)
    .orderBy(desc(log_audit.id)),
)

/** One log with its history, newest first by id: clocks may differ, ids do not. */
export const readLog = async (door: Door, id: number) => {
  const asked = { ...passOf(door), id }
  const [[log], history] = await door.ask(selectLog(asked), selectHistory(asked))
  return log && { ...log, history }
}
