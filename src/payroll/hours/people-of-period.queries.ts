import { and, eq, gte, isNull, or, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { first, matches, type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import { employees } from '../../core/tables/people.ts'
import {
  type FilterInScope,
  type FilterParams,
  filterParams,
  filterWhere,
  indexForFilter,
  preparedPerShape,
  withinScope,
} from '../../logs/filter.queries.ts'

const employeesOfLogs = preparedPerShape(({ filter }: { filter: FilterInScope }) =>
  prepare((p: Params<FilterParams>) =>
    qb
      .selectDistinct({ employee_id: sql<string>`${logs.employee_id}` })
      .from(sql`${logs} INDEXED BY ${sql.identifier(indexForFilter(filter))}`)
      .where(filterWhere(filter, p)),
  ),
)

/** The filter of hours. An undefined field does not filter. */
export interface PeopleFilter {
  employee_id?: string | undefined
  department?: string | undefined
  branch_office?: string | undefined
  /** The employee's current group. */
  payroll_group?: string | undefined
}

interface OnPayroll extends Record<keyof PeopleFilter, string | null> {
  scope: Scope
  /** Skips people who left before this day. */
  since: string | null
}

const employeesOnPayroll = prepare((p: Params<OnPayroll>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      and(
        isInScope(employees.branch_office, p.scope),
        matches(employees.employee_id, p.employee_id),
        matches(employees.branch_office, p.branch_office),
        matches(employees.department, p.department),
        matches(employees.payroll_group, p.payroll_group),
        or(isNull(p.since), isNull(employees.ended_at), gte(employees.ended_at, p.since)),
      ),
    ),
)

/**
 * The ids of employees who may have a row in a period. The branch and department of their logs
 * count, so that someone who moved is found. With the day `onPayroll`, employees without logs who
 * had not left before that day are included.
 */
export const listEmployeesOfPeriod = async (
  db: AuthorizedDb,
  filter: PeopleFilter,
  { from, before, onPayroll }: { from: string; before: string; onPayroll: string | undefined },
): Promise<string[]> => {
  const { employee_id = null, payroll_group = null, ...place } = filter
  const { department = null, branch_office = null } = place
  const people = { employee_id, department, branch_office, payroll_group }
  const lists = await db.batch((scope, zones) => {
    const ofLogs = { ...place, employee_id: filter.employee_id, from, to: before }
    const inScope = withinScope(ofLogs, scope, zones)
    const hasPlace = (inScope.branches ?? inScope.department) != null
    return {
      withLogs: hasPlace
        ? employeesOfLogs({ filter: inScope }, filterParams(inScope))
        : employeesOnPayroll({ ...people, scope, since: null }),
      onPayroll:
        onPayroll !== undefined && employeesOnPayroll({ ...people, scope, since: onPayroll }),
    }
  })
  const rows = [...lists.withLogs, ...(lists.onPayroll ?? [])]
  return [...new Set(rows.map((row) => row.employee_id))].sort()
}

const selectEmployeeOfLog = prepare((p: Params<{ id: number; scope: Scope }>) =>
  qb
    .select({ employee_id: logs.employee_id })
    .from(logs)
    .where(and(eq(logs.id, p.id), isInScope(logs.branch_office, p.scope))),
)

/** The employee of a log. Undefined if the caller may not see the log. */
export const findEmployeeOfLog = async (
  db: AuthorizedDb,
  id: number,
): Promise<string | undefined> => {
  const { log } = await db.batch((scope) => ({ log: first(selectEmployeeOfLog({ id, scope })) }))
  return log?.employee_id
}
