import { desc, eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { branchesOf, isInScope, type Scope } from '../core/db/scope.ts'
import { fullName } from '../core/db/shared-expressions.ts'
import { employee_shifts } from '../core/tables/payroll.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { companyDay } from '../core/values/time-zone.ts'

const selectOwnUser = prepare((p: Params<{ user_id: number }>) =>
  qb
    .select({
      id: users.id,
      full_name: fullName.as('full_name'),
      employee_id: users.employee_id,
      role: users.role,
    })
    .from(users)
    .where(eq(users.id, p.user_id)),
)

/** The combinations of branch and payroll group that the employees within a scope have. */
const selectBranchesAndGroups = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .selectDistinct({
      branch_office: employees.branch_office,
      payroll_group: employees.payroll_group,
    })
    .from(employees)
    .where(isInScope(employees.branch_office, p.scope)),
)

const selectLongestShift = prepare((p: Params<{ today: string }>) =>
  qb
    .select({ max_shift_hours: employee_shifts.max_shift_hours })
    .from(employee_shifts)
    .where(
      sql`${employee_shifts.employee_id} IS NULL AND ${employee_shifts.valid_from} <= ${p.today}`,
    )
    .orderBy(desc(employee_shifts.valid_from), desc(employee_shifts.id))
    .limit(1),
)

/**
 * The caller, and the sorted branches and payroll groups of the employees that the caller sees. The
 * branches of the caller's scope are always included. `scope_branches` is null for users who see
 * all branches.
 */
export const getCaller = async (db: AuthorizedDb, now: Date) => {
  const { caller, pairs, shift } = await db.batch((scope, zones) => ({
    caller: firstOrFail(selectOwnUser({ user_id: db.claims.userId })),
    pairs: selectBranchesAndGroups({ scope }),
    shift: first(selectLongestShift({ today: companyDay(now, zones) })),
  }))
  const scope_branches = branchesOf(db.scope())
  const sortedDistinct = (names: string[]) => [...new Set(names)].sort()
  return {
    caller: { ...caller, scope_branches },
    branches: sortedDistinct([
      ...pairs.map(({ branch_office }) => branch_office),
      ...(scope_branches ?? []),
    ]),
    payrollGroups: sortedDistinct(pairs.map(({ payroll_group }) => payroll_group)),
    /** Everybody's longest shift today, in hours. */
    longestShift: shift?.max_shift_hours ?? 0,
  }
}
