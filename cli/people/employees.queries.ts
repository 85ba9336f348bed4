import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

export const listEmployees = (db: D1) =>
  readRows(
    db,
    `SELECT employee_id, full_name, branch_office, department, payroll_group, started_at, ended_at
    FROM employees ORDER BY employee_id`,
  )

export const isBranchInUse = async (db: D1, branch: string): Promise<boolean> => {
  const text = 'SELECT employee_id FROM employees WHERE branch_office = ? LIMIT 1'
  return (await readRows(db, text, branch)).length > 0
}
