import { type SQL, sql } from 'drizzle-orm'
import { LOG_KINDS, LOG_STATUSES, type LogKind, type LogStatus } from '../../shared/log-values.ts'
import type { Params, Statement } from '../core/query.ts'
import { branchesOf, type Scope } from '../core/scope.ts'
import { attendance_logs as logs } from '../schema.ts'

/** Keyset pagination over index ranges; docs/decisions/0010 says why. */

/** The filter of a query on logs; an undefined field does not filter. */
export interface LogFilter {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  /** The start of the period, inclusive. */
  from?: Date | undefined
  /** The end of the period, exclusive. */
  before?: Date | undefined
}

/** Before every stored moment. */
const FIRST_MOMENT = new Date(-8.64e15)

/** A filter within an approver's scope. Another branch matches nothing. */
export const withinScope = (filter: LogFilter, scope: Scope): LogFilter => {
  const branches = branchesOf(scope)
  if (branches === null) return filter
  const { branch_office = branches[0] } = filter
  const isOutside = branch_office === undefined || !branches.includes(branch_office)
  const period = isOutside ? { from: FIRST_MOMENT, before: FIRST_MOMENT } : {}
  return { ...filter, ...period, branch_office: branch_office ?? '' }
}

/** The sort key of a log: its time, with its id as the tiebreaker. */
export interface LogPosition {
  recorded_at: string
  id: number
}

export type LogOrder = 'oldest' | 'newest'

export interface LogPageQuery {
  filter: LogFilter
  order: LogOrder
  /** The position of the previous page's last log. */
  after?: LogPosition | undefined
  limit: number
  /** Whether each log comes with the same person's logs around it. */
  nearby?: boolean | undefined
}

export interface FilterParams {
  employee_id: string
  branch_office: string
  department: string
  from: string
  before: string
}

export interface PageParams extends FilterParams {
  seek_time: string
  seek_id: number
  limit: number
  /** The caller's, for what is read beside the page. */
  scope: Scope
}

/** Sort, as text, before and after every stored moment. */
const BEFORE_ALL_TIME = ''
const AFTER_ALL_TIME = ':'

/** Ids start at 1, so id 0 sorts before every log of the same moment. */
const BEFORE_ALL_IDS = 0

/** Which of the indexes' leading columns filter; each combination is a query of its own. */
const indexedFields = ({ employee_id, branch_office, department }: LogFilter) => ({
  employee: employee_id !== undefined,
  branch: branch_office !== undefined,
  department: department !== undefined,
})

const joinAnd = (terms: SQL[]): SQL => sql.join(terms.length > 0 ? terms : [sql`1`], sql` AND `)

/** The conditions on the indexed fields. */
const indexedWhere = (filter: LogFilter, p: Params<FilterParams>): SQL => {
  const { employee, branch, department } = indexedFields(filter)
  return joinAnd([
    ...(employee ? [sql`${logs.employee_id} = ${p.employee_id}`] : []),
    ...(branch ? [sql`${logs.branch_office} = ${p.branch_office}`] : []),
    ...(department ? [sql`${logs.department} = ${p.department}`] : []),
  ])
}

const statusesOf = ({ status }: LogFilter) => (status ? [status] : LOG_STATUSES)
const kindsOf = ({ kind }: LogFilter) => (kind ? [kind] : LOG_KINDS)

const literal = (value: LogStatus | LogKind): SQL => sql.raw(`'${value}'`)

/**
 * The ids of a page, in order. Each pair of status and kind is one range scan of one index, limited
 * to a page: together they read at most nine pages, whatever the size of the table. With an employee
 * and a branch or department, a scan reads at most that person's logs.
 */
export const pageSubquery = (filter: LogFilter, order: LogOrder, p: Params<PageParams>): SQL => {
  const [beyond, direction, withinPeriod] =
    order === 'oldest'
      ? [sql`>`, sql`ASC`, sql`${logs.recorded_at} < ${p.before}`]
      : [sql`<`, sql`DESC`, sql`${logs.recorded_at} >= ${p.from}`]
  const rangeScan = (status: LogStatus, kind: LogKind) => sql`SELECT * FROM (
    SELECT ${logs.id} AS id, ${logs.recorded_at} AS recorded_at FROM ${logs}
    WHERE ${indexedWhere(filter, p)} AND ${logs.status} = ${literal(status)}
      AND ${logs.kind} = ${literal(kind)} AND ${withinPeriod}
      AND (${logs.recorded_at}, ${logs.id}) ${beyond} (${p.seek_time}, ${p.seek_id})
    ORDER BY ${logs.recorded_at} ${direction}, ${logs.id} ${direction} LIMIT ${p.limit})`
  // D1 allows five terms in one compound SELECT, so the scans are nested: by kind, then by status.
  const byKind = kindsOf(filter).map((kind) => {
    const scans = statusesOf(filter).map((status) => rangeScan(status, kind))
    return sql`SELECT * FROM (${sql.join(scans, sql` UNION ALL `)})`
  })
  return sql`(SELECT * FROM (${sql.join(byKind, sql` UNION ALL `)})
    ORDER BY recorded_at ${direction}, id ${direction} LIMIT ${p.limit}) AS page`
}

export const pageOrderBy = (order: LogOrder): SQL =>
  order === 'oldest' ? sql`page.recorded_at, page.id` : sql`page.recorded_at DESC, page.id DESC`

/** All conditions of a filter, for counting. */
export const filterWhere = (filter: LogFilter, p: Params<FilterParams>): SQL =>
  sql`${indexedWhere(filter, p)}
    AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
    AND ${logs.status} IN (${sql.join(statusesOf(filter).map(literal), sql`, `)})
    AND ${logs.kind} IN (${sql.join(kindsOf(filter).map(literal), sql`, `)})`

/**
 * The index of a count, named because SQLite's own choice depends on statistics, which may be missing
 * or old: the one whose leading columns filter, or without a filter the one that holds every column
 * that a count needs.
 */
export const countIndex = (filter: LogFilter): string => {
  const { employee, branch, department } = indexedFields(filter)
  if (employee) return 'attendance_logs_employee'
  if (branch) return 'attendance_logs_branch_department'
  if (department) return 'attendance_logs_department'
  const isFiltered = filter.status || filter.from || filter.before
  return isFiltered ? 'attendance_logs_all' : 'attendance_logs_branch_department'
}

interface Shape {
  filter: LogFilter
  order?: LogOrder
}

/** Prepares a query once per shape: which fields filter, the status, the kind and the order. */
export const preparedPerShape = <Query extends Shape, Values, Out>(
  prepareFor: (query: Query) => (values: Values) => Statement<Out>,
) => {
  const prepared = new Map<string, (values: Values) => Statement<Out>>()
  return (query: Query, values: Values): Statement<Out> => {
    const { filter, order } = query
    const { employee, branch, department } = indexedFields(filter)
    const hasPeriod = filter.from !== undefined || filter.before !== undefined
    const shape = [
      employee,
      branch,
      department,
      filter.status,
      filter.kind,
      hasPeriod,
      order,
    ].join()
    const statement = prepared.get(shape) ?? prepareFor(query)
    prepared.set(shape, statement)
    return statement(values)
  }
}

/** A moment as stored. Years outside 0000–9999 sort before or after every stored value. */
const toStoredMoment = (moment: Date): string => {
  const year = moment.getUTCFullYear()
  if (year < 0) return BEFORE_ALL_TIME
  return year > 9999 ? AFTER_ALL_TIME : moment.toISOString()
}

export const filterParams = (filter: LogFilter): FilterParams => ({
  employee_id: filter.employee_id ?? '',
  branch_office: filter.branch_office ?? '',
  department: filter.department ?? '',
  from: filter.from ? toStoredMoment(filter.from) : BEFORE_ALL_TIME,
  before: filter.before ? toStoredMoment(filter.before) : AFTER_ALL_TIME,
})

/**
 * Where a page's range scans begin: after the position, and within the period. A single bound: with
 * two, SQLite seeks by one and scans up to the other.
 */
const seekPosition = (
  { from, before }: FilterParams,
  { order, after }: LogPageQuery,
): LogPosition => {
  const edge = { recorded_at: order === 'oldest' ? from : before, id: BEFORE_ALL_IDS }
  if (!after) return edge
  const insidePeriod = order === 'oldest' ? after.recorded_at >= from : after.recorded_at < before
  return insidePeriod ? after : edge
}

export const pageParams = (query: LogPageQuery, scope: Scope): PageParams => {
  const params = filterParams(query.filter)
  const { recorded_at: seek_time, id: seek_id } = seekPosition(params, query)
  return { ...params, seek_time, seek_id, limit: query.limit, scope }
}
