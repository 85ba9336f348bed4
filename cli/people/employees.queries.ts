import { eq, sql } from 'drizzle-orm'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { employees } from '../../src/core/db/schema.ts'

const selectBranch = prepare((p: Params<{ branch: string }>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(eq(employees.branch_office, p.branch))
    .limit(1),
)

/** Whether any employee is in a branch. */
export const branchExists = async (db: D1, branch: string): Promise<boolean> =>
  (await execute(db, selectBranch({ branch }))).length > 0

const selectEmployees = prepare(() =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      branch_office: employees.branch_office,
      department: employees.department,
      payroll_group: employees.payroll_group,
      started_at: employees.started_at,
      ended_at: employees.ended_at,
    })
    .from(employees)
    .orderBy(employees.employee_id),
)

const selectEmployee = prepare((p: Params<{ employee_id: string }>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(eq(employees.employee_id, p.employee_id)),
)

interface Move {
  employee_id: string
  branch_office: string | null
  department: string | null
  payroll_group: string | null
}

const move = prepare((p: Params<Move>) =>
  qb
    .update(employees)
    .set({
      branch_office: sql`coalesce(${p.branch_office}, ${employees.branch_office})`,
      department: sql`coalesce(${p.department}, ${employees.department})`,
      payroll_group: sql`coalesce(${p.payroll_group}, ${employees.payroll_group})`,
    })
    .where(eq(employees.employee_id, p.employee_id))
    .returning({ employee_id: employees.employee_id }),
)

const leave = prepare((p: Params<{ employee_id: string; day: string }>) =>
  qb
    .update(employees)
    .set({ ended_at: p.day })
    .where(eq(employees.employee_id, p.employee_id))
    .returning({ employee_id: employees.employee_id }),
)

export const listEmployees = (db: D1) => execute(db, selectEmployees({}))

export const employeeExists = async (db: D1, employeeId: string): Promise<boolean> =>
  (await execute(db, selectEmployee({ employee_id: employeeId }))).length > 0

/** Changes what is given; returns whether the employee exists. */
export const moveEmployee = async (
  db: D1,
  employeeId: string,
  to: { branch?: string; department?: string; group?: string },
): Promise<boolean> => {
  const values = {
    employee_id: employeeId,
    branch_office: to.branch ?? null,
    department: to.department ?? null,
    payroll_group: to.group ?? null,
  }
  return (await execute(db, move(values))).length > 0
}

/** Records the last day; returns whether the employee exists. */
export const leaveEmployee = async (db: D1, employeeId: string, day: string): Promise<boolean> =>
  (await execute(db, leave({ employee_id: employeeId, day }))).length > 0
