import type { D1 } from '../../src/core/db/query.ts'
import { changeRows, readRows } from '../core/rows.ts'

export const listEmployees = (db: D1) =>
  readRows(
    db,
    `SELECT employee_id, full_name, branch_office, department, payroll_group, started_at, ended_at
    FROM employees ORDER BY employee_id`,
  )

/** Whether any employee is in a branch. */
export const branchExists = async (db: D1, branch: string): Promise<boolean> => {
  const text = 'SELECT employee_id FROM employees WHERE branch_office = ? LIMIT 1'
  return (await readRows(db, text, branch)).length > 0
}

export const employeeExists = async (db: D1, employeeId: string): Promise<boolean> => {
  const text = 'SELECT employee_id FROM employees WHERE employee_id = ?'
  return (await readRows(db, text, employeeId)).length > 0
}

/** Changes only the given values. Returns whether the employee exists. */
export const moveEmployee = async (
  db: D1,
  employeeId: string,
  to: { branch?: string; department?: string; group?: string },
): Promise<boolean> => {
  const text = `UPDATE employees SET branch_office = coalesce(?2, branch_office),
      department = coalesce(?3, department), payroll_group = coalesce(?4, payroll_group)
    WHERE employee_id = ?1 RETURNING employee_id`
  const values = [to.branch ?? null, to.department ?? null, to.group ?? null]
  return (await changeRows(db, text, employeeId, ...values)) > 0
}

/** Stores the last day. Returns whether the employee exists. */
export const leaveEmployee = async (db: D1, employeeId: string, day: string): Promise<boolean> => {
  const text = 'UPDATE employees SET ended_at = ?2 WHERE employee_id = ?1 RETURNING employee_id'
  return (await changeRows(db, text, employeeId, day)) > 0
}
