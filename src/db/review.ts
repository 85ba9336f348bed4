import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { batch, build, type D1, query, run, type Slots, type Statement } from './query.ts'
import {
  employees,
  LOG_KINDS,
  LOG_STATUSES,
  type LogKind,
  type LogStatus,
  log_audit,
  log_comments,
  attendance_logs as logs,
  users,
} from './schema.ts'

/** What a review asks for; what is undefined is not asked. */
export interface LogFilter {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  /** The first moment, UTC. */
  from?: string | undefined
  /** The first moment that no longer counts, UTC. */
  before?: string | undefined
}

/** A place in the order of time: a log's moment, and its id among those of the same moment. */
export interface LogPosition {
  recorded_at: string
  id: number
}

export type LogOrder = 'oldest' | 'newest'

interface Values {
  employee_id: string
  branch_office: string
  department: string
  from: string
  before: string
  at_time: string
  at_id: number
  limit: number
}

const START = '0000'
const END = '9999'

/** Ids begin at 1: at any moment, nothing lies between this and the moments before it. */
const BEFORE_EVERY_ID = 0

/**
 * The filters that an index begins with. An employee has one branch and one department, so with an
 * employee the other two are asked of the employee's row, once.
 */
const scopeOf = ({ employee_id, branch_office, department }: LogFilter) => ({
  employee: employee_id !== undefined,
  branch: branch_office !== undefined,
  department: department !== undefined,
})

type Scope = ReturnType<typeof scopeOf>

const within = (scope: Scope, $: Slots<Values>): SQL => {
  if (!scope.employee) {
    return sql.join(
      [
        sql`1`,
        ...(scope.branch ? [sql`${logs.branch_office} = ${$.branch_office}`] : []),
        ...(scope.department ? [sql`${logs.department} = ${$.department}`] : []),
      ],
      sql` AND `,
    )
  }
  const fits = [
    sql`${employees.employee_id} = ${$.employee_id}`,
    ...(scope.branch ? [sql`${employees.branch_office} = ${$.branch_office}`] : []),
    ...(scope.department ? [sql`${employees.department} = ${$.department}`] : []),
  ]
  return sql`${logs.employee_id} = ${$.employee_id}
    AND EXISTS (SELECT 1 FROM ${employees} WHERE ${sql.join(fits, sql` AND `)})`
}

const inTime = ($: Slots<Values>): SQL =>
  sql`${logs.recorded_at} >= ${$.from} AND ${logs.recorded_at} < ${$.before}`

const statusesOf = ({ status }: LogFilter) => (status ? [status] : LOG_STATUSES)
const kindsOf = ({ kind }: LogFilter) => (kind ? [kind] : LOG_KINDS)

const literal = (value: LogStatus | LogKind): SQL => sql.raw(`'${value}'`)

/**
 * The ids of a page, in order. Each status and each kind is one walk along one index, which stops
 * at the page's end; together they read at most six pages, whatever the table holds.
 */
const pageOf = (filter: LogFilter, order: LogOrder, $: Slots<Values>): SQL => {
  const [beyond, direction, untilEnd] =
    order === 'oldest'
      ? [sql`>`, sql`ASC`, sql`${logs.recorded_at} < ${$.before}`]
      : [sql`<`, sql`DESC`, sql`${logs.recorded_at} >= ${$.from}`]
  const walk = (status: LogStatus, kind: LogKind) => sql`SELECT * FROM (
    SELECT ${logs.id} AS id, ${logs.recorded_at} AS recorded_at FROM ${logs}
    WHERE ${within(scopeOf(filter), $)} AND ${logs.status} = ${literal(status)}
      AND ${logs.kind} = ${literal(kind)} AND ${untilEnd}
      AND (${logs.recorded_at}, ${logs.id}) ${beyond} (${$.at_time}, ${$.at_id})
    ORDER BY ${logs.recorded_at} ${direction}, ${logs.id} ${direction} LIMIT ${$.limit})`
  // D1 takes at most five terms in one compound SELECT: one for each kind, of one for each status.
  const byKind = kindsOf(filter).map((kind) => {
    const walks = statusesOf(filter).map((status) => walk(status, kind))
    return sql`SELECT * FROM (${sql.join(walks, sql` UNION ALL `)})`
  })
  return sql`(SELECT * FROM (${sql.join(byKind, sql` UNION ALL `)})
    ORDER BY recorded_at ${direction}, id ${direction} LIMIT ${$.limit}) AS page`
}

const inOrder = (order: LogOrder): SQL =>
  order === 'oldest' ? sql`page.recorded_at, page.id` : sql`page.recorded_at DESC, page.id DESC`

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

const fullName = sql<string>`trim(${users.first_name} || ' ' || ${users.last_name} || ' ' || ${users.mother_last_name})`

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
      .from(sql`${pageOf(filter, order, $)}`)
      .innerJoin(logs, sql`${logs.id} = page.id`)
      .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
      .orderBy(inOrder(order)),
  )

const exportQuery = (filter: LogFilter, order: LogOrder) =>
  query(($: Slots<Values>) =>
    build
      .select(exportFields)
      .from(sql`${pageOf(filter, order, $)}`)
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
      .from(logs)
      .where(
        sql`${within(scopeOf(filter), $)} AND ${inTime($)}
          AND ${logs.status} IN (${sql.join(statusesOf(filter).map(literal), sql`, `)})
          AND ${logs.kind} IN (${sql.join(kindsOf(filter).map(literal), sql`, `)})`,
      )
      .groupBy(logs.branch_office, logs.department, logs.status)
      .orderBy(logs.branch_office, logs.department),
  )

/** One compiled query for each shape of filter: which fields are asked, never their values. */
const compiledBy = <Out>(
  compile: (filter: LogFilter, order: LogOrder) => (values: Values) => Statement<Out>,
) => {
  const known = new Map<string, (values: Values) => Statement<Out>>()
  return (filter: LogFilter, order: LogOrder) => {
    const { employee, branch, department } = scopeOf(filter)
    const shape = [employee, branch, department, filter.status, filter.kind, order].join()
    const compiled = known.get(shape) ?? compile(filter, order)
    known.set(shape, compiled)
    return compiled
  }
}

const listOf = compiledBy(listQuery)
const exportOf = compiledBy(exportQuery)
const countsOf = compiledBy(countQuery)

/**
 * Where a walk begins: after the position, and within the period. One bound alone, since SQLite seeks
 * by one: a second one beside it would be read up to, row by row.
 */
const startOf = (filter: LogFilter, order: LogOrder, after: LogPosition | undefined) => {
  const edge = order === 'oldest' ? filter.from : filter.before
  const start = { recorded_at: edge ?? (order === 'oldest' ? START : END), id: BEFORE_EVERY_ID }
  if (!after) return start
  const begun =
    order === 'oldest'
      ? after.recorded_at >= start.recorded_at
      : after.recorded_at < start.recorded_at
  return begun ? after : start
}

const valuesOf = (
  filter: LogFilter,
  order: LogOrder,
  after: LogPosition | undefined,
  limit: number,
): Values => {
  const start = startOf(filter, order, after)
  return {
    employee_id: filter.employee_id ?? '',
    branch_office: filter.branch_office ?? '',
    department: filter.department ?? '',
    from: filter.from ?? START,
    before: filter.before ?? END,
    at_time: start.recorded_at,
    at_id: start.id,
    limit,
  }
}

/** A page of logs, in order of time, after a position. */
export const listLogs = (
  db: D1,
  filter: LogFilter,
  order: LogOrder,
  after: LogPosition | undefined,
  limit: number,
) => run(db, listOf(filter, order)(valuesOf(filter, order, after, limit)))

/** A page of the export: a log with the last decision on it. */
export const exportLogs = (
  db: D1,
  filter: LogFilter,
  order: LogOrder,
  after: LogPosition | undefined,
  limit: number,
) => run(db, exportOf(filter, order)(valuesOf(filter, order, after, limit)))

export type ExportedLog = Awaited<ReturnType<typeof exportLogs>>[number]

/** How many logs match, by branch, department and status. */
export const countLogs = (db: D1, filter: LogFilter) =>
  run(db, countsOf(filter, 'oldest')(valuesOf(filter, 'oldest', undefined, 0)))

const selectLog = query(($: Slots<{ id: number }>) =>
  build
    .select(summaryFields)
    .from(logs)
    .innerJoin(employees, eq(employees.employee_id, logs.employee_id))
    .where(eq(logs.id, $.id)),
)

const selectHistory = query(($: Slots<{ id: number }>) =>
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
    .where(eq(log_audit.log_id, $.id))
    .orderBy(desc(log_audit.id)),
)

/** One log with its history, newest first by id: clocks may differ, ids do not. */
export const readLog = async (db: D1, id: number) => {
  const [[log], history] = await batch(db, selectLog({ id }), selectHistory({ id }))
  return log && { ...log, history }
}
