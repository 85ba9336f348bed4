import { type SQL, sql } from 'drizzle-orm'
import { isAdmitted, type Pass } from './authorization.ts'
import type { Slots, Statement } from './query.ts'
import {
  employees,
  LOG_KINDS,
  LOG_STATUSES,
  type LogKind,
  type LogStatus,
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
  /** The first moment. */
  from?: Date | undefined
  /** The first moment that no longer counts. */
  before?: Date | undefined
}

/** A place in the order of time: a log's moment, and its id among those of the same moment. */
export interface LogPosition {
  recorded_at: string
  id: number
}

export type LogOrder = 'oldest' | 'newest'

export interface Values extends Pass {
  employee_id: string
  branch_office: string
  department: string
  from: string
  before: string
  at_time: string
  at_id: number
  limit: number
}

/** Before and after every moment that is stored, as text compares. */
const START = ''
const END = ':'

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

const statusesOf = ({ status }: LogFilter) => (status ? [status] : LOG_STATUSES)
const kindsOf = ({ kind }: LogFilter) => (kind ? [kind] : LOG_KINDS)

const literal = (value: LogStatus | LogKind): SQL => sql.raw(`'${value}'`)

/**
 * The ids of a page, in order. Each status and each kind is one walk along one index, which stops
 * at the page's end; together they read at most six pages, whatever the table holds.
 */
export const pageOf = (filter: LogFilter, order: LogOrder, $: Slots<Values>): SQL => {
  const [beyond, direction, untilEnd] =
    order === 'oldest'
      ? [sql`>`, sql`ASC`, sql`${logs.recorded_at} < ${$.before}`]
      : [sql`<`, sql`DESC`, sql`${logs.recorded_at} >= ${$.from}`]
  const walk = (status: LogStatus, kind: LogKind) => sql`SELECT * FROM (
    SELECT ${logs.id} AS id, ${logs.recorded_at} AS recorded_at FROM ${users} CROSS JOIN ${logs}
    WHERE ${isAdmitted($)} AND ${within(scopeOf(filter), $)} AND ${logs.status} = ${literal(status)}
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

export const inOrder = (order: LogOrder): SQL =>
  order === 'oldest' ? sql`page.recorded_at, page.id` : sql`page.recorded_at DESC, page.id DESC`

/** Every log that a filter means, beside the caller's row of `users`, in no order: for counting. */
export const matching = (filter: LogFilter, $: Slots<Values>): SQL =>
  sql`${isAdmitted($)} AND ${within(scopeOf(filter), $)}
    AND ${logs.recorded_at} >= ${$.from} AND ${logs.recorded_at} < ${$.before}
    AND ${logs.status} IN (${sql.join(statusesOf(filter).map(literal), sql`, `)})
    AND ${logs.kind} IN (${sql.join(kindsOf(filter).map(literal), sql`, `)})`

/** One compiled query for each shape of filter: which fields are asked, never their values. */
export const compiledBy = <Out>(
  compile: (filter: LogFilter, order: LogOrder) => (values: Values) => Statement<Out>,
) => {
  const known = new Map<string, (values: Values) => Statement<Out>>()
  return (filter: LogFilter, order: LogOrder) => {
    const { employee, branch, department } = scopeOf(filter)
    const shape = [employee, branch, department, filter.status, filter.kind, order].join()
    const compiled = known.get(shape)
    if (compiled) return compiled
    const fresh = compile(filter, order)
    known.set(shape, fresh)
    return fresh
  }
}

/** A moment as stored; those of years that no stored one has lie before or after them all. */
const stored = (moment: Date): string => {
  const year = moment.getUTCFullYear()
  if (year < 0) return START
  return year > 9999 ? END : moment.toISOString()
}

const periodOf = ({ from, before }: LogFilter) => ({
  from: from ? stored(from) : START,
  before: before ? stored(before) : END,
})

/**
 * Where a walk begins: after the position, and within the period. One bound alone, since SQLite seeks
 * by one: a second one beside it would be read up to, row by row.
 */
const startOf = (
  period: ReturnType<typeof periodOf>,
  order: LogOrder,
  after: LogPosition | undefined,
): LogPosition => {
  const edge = order === 'oldest' ? period.from : period.before
  const start = { recorded_at: edge, id: BEFORE_EVERY_ID }
  if (!after) return start
  const begun =
    order === 'oldest'
      ? after.recorded_at >= start.recorded_at
      : after.recorded_at < start.recorded_at
  return begun ? after : start
}

export const valuesOf = (
  pass: Pass,
  filter: LogFilter,
  order: LogOrder,
  after: LogPosition | undefined,
  limit: number,
): Values => {
  const period = periodOf(filter)
  const start = startOf(period, order, after)
  return {
    ...pass,
    employee_id: filter.employee_id ?? '',
    branch_office: filter.branch_office ?? '',
    department: filter.department ?? '',
    ...period,
    at_time: start.recorded_at,
    at_id: start.id,
    limit,
  }
}
