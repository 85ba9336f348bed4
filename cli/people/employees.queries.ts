import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

export const isBranchInUse = async (db: D1, branch: string): Promise<boolean> => {
  const text = 'SELECT employee_id FROM employees WHERE branch_office = ? LIMIT 1'
  return (await readRows(db, text, branch)).length > 0
}
