import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Params, type Statement, valuesOf } from '../core/db/query.ts'
import { branchesOf, type Scope } from '../core/db/scope.ts'
import { isOneOf } from '../core/tables/columns.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { LOG_KINDS, LOG_STATUSES, type LogKind, type LogStatus } from '../core/values/log-values.ts'
import {
  AFTER_ALL_TIME,
  BEFORE_ALL_TIME,
  periodIn,
  requireSomeMoment,
  type StoredPeriod,
} from '../core/values/period.ts'
import type { Zones } from '../core/values/time-zone.ts'

/**
 * Filters for queries on logs. They are limited to the caller's scope. A day is a local day in the
 * zone of each log's branch.
 */

/** A filter for logs. Undefined fields match every log. */
export interface LogFilter {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  /** The first day, in the zone of each log's branch, or the first instant. */
  from?: string | undefined
  /** The last day or instant, which is included. */
  to?: string | undefined
}

/** A filter within the caller's scope. Its period consists of stored moments instead of days. */
export interface FilterInScope extends StoredPeriod {
  status?: LogStatus | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  department?: string | undefined
  /** The branches to read. Null for all. */
  branches: readonly string[] | null
  /** The periods of single branches. Undefined if the period is the same in all of them. */
  branchPeriods: BranchPeriods | undefined
}

interface BranchPeriods {
  /**
   * The part of the period that all branches share. Logs in this part match whatever their branch.
   */
  shared: StoredPeriod
  /** The period of branches without a zone of their own. */
  others: StoredPeriod
  byBranch: readonly (readonly [branch: string, from: string, before: string])[]
}

/** The commands refuse a zone for a branch without a name, so '' stands for the default zone. */
const NO_BRANCH = ''

const smallest = (texts: readonly string[]) => texts.toSorted()[0] ?? BEFORE_ALL_TIME
const greatest = (texts: readonly string[]) => texts.toSorted().at(-1) ?? AFTER_ALL_TIME

/**
 * The period that covers the periods of all these branches. If the branches have different periods,
 * `branchPeriods` has the period of each.
 * @throws DomainError PERIOD_REVERSED
 */
const periodsOf = (
  filter: LogFilter,
  branches: readonly string[] | null,
  zones: Zones,
): StoredPeriod & Pick<FilterInScope, 'branchPeriods'> => {
  const others = periodIn(filter, NO_BRANCH, zones)
  const named = branches?.length === 1 ? branches : zones.branches
  const byBranch = named.map((branch) => ({ branch, ...periodIn(filter, branch, zones) }))
  const periods = branches?.length === 1 ? byBranch : [others, ...byBranch]
  requireSomeMoment(filter, periods)
  const [froms, befores] = [periods.map(({ from }) => from), periods.map(({ before }) => before)]
  const widest = { from: smallest(froms), before: greatest(befores) }
  const shared = { from: greatest(froms), before: smallest(befores) }
  if (shared.from === widest.from && shared.before === widest.before) {
    return { ...widest, branchPeriods: undefined }
  }
  const entries = byBranch.map(({ branch, from, before }) => [branch, from, before] as const)
  return { ...widest, branchPeriods: { shared, others, byBranch: entries } }
}

/** A period that contains no moment, so that no log matches. */
const NO_MOMENT = { from: AFTER_ALL_TIME, before: BEFORE_ALL_TIME, branchPeriods: undefined }

/**
 * Restricts a filter to the caller's scope. A branch outside the scope matches nothing.
 * @throws DomainError PERIOD_REVERSED
 */
export const withinScope = (
  { branch_office, from, to, ...fields }: LogFilter,
  scope: Scope,
  zones: Zones,
): FilterInScope => {
  const branches = branch_office === undefined ? branchesOf(scope) : [branch_office]
  const isOutside =
    branch_office !== undefined && !(branchesOf(scope)?.includes(branch_office) ?? true)
  return isOutside
    ? { ...fields, branches, ...NO_MOMENT }
    : { ...fields, branches, ...periodsOf({ from, to }, branches, zones) }
}

export interface FilterParams {
  employee_id: string
  branch_office: string
  /** The branches as a JSON list, if there is more than one. */
  branches: string
  department: string
  from: string
  before: string
  shared_from: string
  shared_before: string
  others_from: string
  others_before: string
  /** A JSON list of `[branch, from, before]` for each branch with a zone of its own. */
  branch_periods: string
}

/**
 * Which fields the filter uses, and whether its branches have different periods. Each combination
 * needs its own query.
 */
export const shapeOf = ({ employee_id, branches, department, branchPeriods }: FilterInScope) => ({
  employee: employee_id !== undefined,
  branch: branches?.length === 1,
  severalBranches: branches !== null && branches.length !== 1,
  department: department !== undefined,
  branchPeriods: branchPeriods !== undefined,
})

export const inBranches = (p: Params<FilterParams>): SQL => sql`IN ${valuesOf(p.branches)}`

/**
 * The conditions on the indexed fields. `isBranch` is the condition on the branch if there are
 * several branches.
 */
export const indexedWhere = (
  filter: FilterInScope,
  p: Params<FilterParams>,
  isBranch: SQL,
): SQL => {
  const shape = shapeOf(filter)
  const terms = and(
    shape.employee ? eq(logs.employee_id, p.employee_id) : undefined,
    shape.branch ? eq(logs.branch_office, p.branch_office) : undefined,
    shape.severalBranches ? sql`${logs.branch_office} ${isBranch}` : undefined,
    shape.department ? eq(logs.department, p.department) : undefined,
  )
  return terms ?? sql`1`
}

const boundOf = (index: '1' | '2', others: SQL, p: Params<FilterParams>): SQL => sql`coalesce(
  (SELECT value ->> ${sql.raw(index)} FROM json_each(${p.branch_periods})
    WHERE value ->> '$[0]' = ${logs.branch_office}),
  ${others})`

/**
 * Matches logs within the period of their own branch. The branch is checked only outside the shared
 * part of the periods.
 */
export const withinBranchPeriod = (filter: FilterInScope, p: Params<FilterParams>): SQL =>
  filter.branchPeriods
    ? sql`((${logs.recorded_at} >= ${p.shared_from} AND ${logs.recorded_at} < ${p.shared_before})
      OR (${logs.recorded_at} >= ${boundOf('1', p.others_from, p)}
        AND ${logs.recorded_at} < ${boundOf('2', p.others_before, p)}))`
    : sql`1`

export const statusesOf = ({ status }: FilterInScope) => (status ? [status] : LOG_STATUSES)
export const kindsOf = ({ kind }: FilterInScope) => (kind ? [kind] : LOG_KINDS)

/** All conditions of a filter, for statements that read all of its logs instead of a page. */
export const filterWhere = (filter: FilterInScope, p: Params<FilterParams>): SQL =>
  sql`${indexedWhere(filter, p, inBranches(p))}
    AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
    AND ${withinBranchPeriod(filter, p)}
    AND ${isOneOf(logs.status, statusesOf(filter))} AND ${isOneOf(logs.kind, kindsOf(filter))}`

const hasPeriod = ({ from, before }: FilterInScope): boolean =>
  from !== BEFORE_ALL_TIME || before !== AFTER_ALL_TIME

/**
 * The index for a statement that reads all logs of a filter. It begins with the employee, branch or
 * department of the filter, or else with the status if the filter has a status or period. For other
 * filters it is an index that has all columns that counting reads. Statements name the index,
 * because SQLite would choose by statistics that may be missing or old.
 */
export const indexForFilter = (filter: FilterInScope): string => {
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

/** Prepares one query for each combination of filtered fields, status, kind, period and order. */
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
  branchPeriods,
}: FilterInScope): FilterParams => ({
  employee_id,
  branch_office: branches?.[0] ?? '',
  branches: JSON.stringify(branches ?? []),
  department,
  from,
  before,
  shared_from: branchPeriods?.shared.from ?? '',
  shared_before: branchPeriods?.shared.before ?? '',
  others_from: branchPeriods?.others.from ?? '',
  others_before: branchPeriods?.others.before ?? '',
  branch_periods: JSON.stringify(branchPeriods?.byBranch ?? []),
})
