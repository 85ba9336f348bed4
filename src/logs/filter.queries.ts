import { type SQL, sql } from 'drizzle-orm'
import type { Params, Statement } from '../core/db/query.ts'
import { attendance_logs as logs } from '../core/db/schema.ts'
import { branchesOf, type Scope } from '../core/db/scope.ts'
import { LOG_KINDS, LOG_STATUSES, type LogKind, type LogStatus } from '../core/log-values.ts'
import { addDays, isDate, type Zones } from '../core/time-zone.ts'

/** The filters of queries on logs, within a caller's scope and by each branch's own days. */

/** The filter of a query on logs; an undefined field does not filter. */
export interface LogFilter {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  /** The first day, a local one of each branch, or the first instant. */
  from?: string | undefined
  /** The last day or instant, included. */
  to?: string | undefined
}

/** Texts that sort before and after every stored moment. */
const BEFORE_ALL_TIME = ''
const AFTER_ALL_TIME = ':'

/** The period of a branch, as stored moments: `before` is excluded. */
interface Period {
  from: string
  before: string
}

/** A filter within a scope, whose days are moments. */
export interface FilterInScope extends Period {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  department?: string | undefined
  /** Null for all. */
  branches: readonly string[] | null
  /** Where a day is not the same moments in every branch: each branch's own period. */
  edges: Edges | undefined
}

interface Edges {
  /** The period that all branches share: for a log in it, the branch need not be checked. */
  shared: Period
  /** Of branches without a zone of their own. */
  others: Period
  byBranch: readonly (readonly [branch: string, from: string, before: string])[]
}

/** A moment as stored. Years outside 0000–9999 sort before or after every stored value. */
const toStoredMoment = (moment: Date): string => {
  const year = moment.getUTCFullYear()
  if (year < 0) return BEFORE_ALL_TIME
  return year > 9999 ? AFTER_ALL_TIME : moment.toISOString()
}

/** No stored moment lies after it. */
const LAST_DAY = '9999-12-31'

/** The moments of a filter's days in a branch. */
export const periodIn = (
  { from, to }: Pick<LogFilter, 'from' | 'to'>,
  branch: string,
  zones: Zones,
): Period => {
  const start = (text: string) => (isDate(text) ? zones.startOfDay(branch, text) : new Date(text))
  const end = (text: string) =>
    isDate(text) ? zones.startOfDay(branch, addDays(text, 1)) : new Date(Date.parse(text) + 1)
  return {
    from: from === undefined ? BEFORE_ALL_TIME : toStoredMoment(start(from)),
    before: to === undefined || to === LAST_DAY ? AFTER_ALL_TIME : toStoredMoment(end(to)),
  }
}

/** No branch is named like this one, so it has no zone of its own. */
const NO_BRANCH = ''

const smallest = (texts: readonly string[]) => texts.toSorted()[0] ?? BEFORE_ALL_TIME
const greatest = (texts: readonly string[]) => texts.toSorted().at(-1) ?? AFTER_ALL_TIME

/** The widest period of some branches, and each branch's own where they differ. */
const periodsOf = (
  filter: LogFilter,
  branches: readonly string[] | null,
  zones: Zones,
): Period & Pick<FilterInScope, 'edges'> => {
  const others = periodIn(filter, NO_BRANCH, zones)
  const named = branches?.length === 1 ? branches : zones.branches
  const byBranch = named.map((branch) => ({ branch, ...periodIn(filter, branch, zones) }))
  const periods = branches?.length === 1 ? byBranch : [others, ...byBranch]
  const [froms, befores] = [periods.map(({ from }) => from), periods.map(({ before }) => before)]
  const widest = { from: smallest(froms), before: greatest(befores) }
  const shared = { from: greatest(froms), before: smallest(befores) }
  if (shared.from === widest.from && shared.before === widest.before) {
    return { ...widest, edges: undefined }
  }
  const entries = byBranch.map(({ branch, from, before }) => [branch, from, before] as const)
  return { ...widest, edges: { shared, others, byBranch: entries } }
}

/** A filter within a caller's scope. Another branch matches nothing. */
export const withinScope = (
  { branch_office, from, to, ...fields }: LogFilter,
  scope: Scope,
  zones: Zones,
): FilterInScope => {
  const branches = branch_office === undefined ? branchesOf(scope) : [branch_office]
  const isOutside =
    branch_office !== undefined && !(branchesOf(scope)?.includes(branch_office) ?? true)
  return isOutside
    ? { ...fields, branches, from: AFTER_ALL_TIME, before: BEFORE_ALL_TIME, edges: undefined }
    : { ...fields, branches, ...periodsOf({ from, to }, branches, zones) }
}

export interface FilterParams {
  employee_id: string
  branch_office: string
  /** Several branches, as a JSON list. */
  branches: string
  department: string
  from: string
  before: string
  shared_from: string
  shared_before: string
  others_from: string
  others_before: string
  /** [branch, from, before] of each branch with a zone of its own, as JSON. */
  edges: string
}

/** Which of the indexes' leading columns filter; each combination is a query of its own. */
export const shapeOf = ({ employee_id, branches, department, edges }: FilterInScope) => ({
  employee: employee_id !== undefined,
  branch: branches?.length === 1,
  severalBranches: branches !== null && branches.length !== 1,
  department: department !== undefined,
  edges: edges !== undefined,
})

const joinAnd = (terms: SQL[]): SQL => sql.join(terms.length > 0 ? terms : [sql`1`], sql` AND `)

/** One of several branches. */
export const inBranches = (p: Params<FilterParams>): SQL =>
  sql`IN (SELECT value FROM json_each(${p.branches}))`

/**
 * The conditions on the indexed fields; `isBranch` is that on the branch where there are several.
 */
export const indexedWhere = (
  filter: FilterInScope,
  p: Params<FilterParams>,
  isBranch: SQL,
): SQL => {
  const shape = shapeOf(filter)
  return joinAnd([
    ...(shape.employee ? [sql`${logs.employee_id} = ${p.employee_id}`] : []),
    ...(shape.branch ? [sql`${logs.branch_office} = ${p.branch_office}`] : []),
    ...(shape.severalBranches ? [sql`${logs.branch_office} ${isBranch}`] : []),
    ...(shape.department ? [sql`${logs.department} = ${p.department}`] : []),
  ])
}

const edgeOf = (column: SQL, others: SQL, p: Params<FilterParams>): SQL => sql`coalesce(
  (SELECT value ->> ${column} FROM json_each(${p.edges}) WHERE value ->> '$[0]' = ${logs.branch_office}),
  ${others})`

/** Within the period of the log's own branch. Only near the edges is the branch looked at. */
export const withinEdges = (filter: FilterInScope, p: Params<FilterParams>): SQL =>
  filter.edges
    ? sql`((${logs.recorded_at} >= ${p.shared_from} AND ${logs.recorded_at} < ${p.shared_before})
      OR (${logs.recorded_at} >= ${edgeOf(sql`'$[1]'`, p.others_from, p)}
        AND ${logs.recorded_at} < ${edgeOf(sql`'$[2]'`, p.others_before, p)}))`
    : sql`1`

export const statusesOf = ({ status }: FilterInScope) => (status ? [status] : LOG_STATUSES)
export const kindsOf = ({ kind }: FilterInScope) => (kind ? [kind] : LOG_KINDS)

export const literal = (value: LogStatus | LogKind): SQL => sql.raw(`'${value}'`)

/** All conditions of a filter, for counting. */
export const filterWhere = (filter: FilterInScope, p: Params<FilterParams>): SQL =>
  sql`${indexedWhere(filter, p, inBranches(p))}
    AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
    AND ${withinEdges(filter, p)}
    AND ${logs.status} IN (${sql.join(statusesOf(filter).map(literal), sql`, `)})
    AND ${logs.kind} IN (${sql.join(kindsOf(filter).map(literal), sql`, `)})`

const hasPeriod = ({ from, before }: FilterInScope): boolean =>
  from !== BEFORE_ALL_TIME || before !== AFTER_ALL_TIME

/**
 * The index of a count, named because SQLite's own choice depends on statistics, which may be
 * missing or old: the one whose leading columns filter, or without a filter the one that holds
 * every column that a count needs.
 */
export const countIndex = (filter: FilterInScope): string => {
  const { employee, branch, severalBranches, department } = shapeOf(filter)
  if (employee) return 'attendance_logs_employee'
  if (branch || severalBranches) return 'attendance_logs_branch_department'
  if (department) return 'attendance_logs_department'
  const isFiltered = filter.status || hasPeriod(filter)
  return isFiltered ? 'attendance_logs_all' : 'attendance_logs_branch_department'
}

interface ShapedQuery {
  filter: FilterInScope
  order?: string
}

/** Prepares a query once per shape: which fields filter, the status, the kind and the order. */
export const preparedPerShape = <Query extends ShapedQuery, Values, Out>(
  prepareFor: (query: Query) => (values: Values) => Statement<Out>,
) => {
  const prepared = new Map<string, (values: Values) => Statement<Out>>()
  return (query: Query, values: Values): Statement<Out> => {
    const { filter, order } = query
    const { status, kind } = filter
    const shape = [...Object.values(shapeOf(filter)), status, kind, hasPeriod(filter), order].join()
    const statement = prepared.get(shape) ?? prepareFor(query)
    prepared.set(shape, statement)
    return statement(values)
  }
}

export const filterParams = ({
  employee_id = '',
  department = '',
  branches,
  from,
  before,
  edges,
}: FilterInScope): FilterParams => ({
  employee_id,
  branch_office: branches?.[0] ?? '',
  branches: JSON.stringify(branches ?? []),
  department,
  from,
  before,
  shared_from: edges?.shared.from ?? '',
  shared_before: edges?.shared.before ?? '',
  others_from: edges?.others.from ?? '',
  others_before: edges?.others.before ?? '',
  edges: JSON.stringify(edges?.byBranch ?? []),
})
