import type { D1 } from '../../src/core/db/query.ts'
import { EmployeesError, type EmployeeWrite } from '../../src/people/employee-faults.ts'
import { checkEmployees } from '../../src/people/employee-records.ts'
import { openAsOperator } from '../core/operator.ts'
import { type ImportFile, rowsOf } from './file.ts'
import { findEmployees } from './queries.ts'

export const groupsOf = (file: ImportFile): string[] =>
  rowsOf(file.payroll_groups).map(({ payroll_group }) => payroll_group)

export type ImportedEmployee = ImportFile['employees'][number]['row']

/**
 * Returns the rows in the form of the API. If a row lacks the group or the last day, it gets the
 * stored value, if there is one.
 */
export const toWrites = async (
  db: D1,
  rows: readonly ImportedEmployee[],
): Promise<EmployeeWrite[]> => {
  const ids = rows.map(({ employee_id }) => employee_id)
  const found = await findEmployees(db, JSON.stringify(ids))
  const stored = new Map(found.map((row) => [row.employee_id, row]))
  return rows.map((row) => {
    const { payroll_group = '', ended_at = null, version = 0 } = stored.get(row.employee_id) ?? {}
    return {
      ...row,
      payroll_group: row.payroll_group ?? payroll_group,
      ended_at: row.ended_at === undefined ? ended_at : row.ended_at,
      expected_version: version,
      deactivate_user: false,
    }
  })
}

/**
 * Returns the faults that the API's check of employees finds. `key` is the index of the row. A
 * repeated employee is not among them, since `parseImport` reports that. `newGroups` are the groups
 * of the file.
 */
export const findFaults = async (
  db: D1,
  rows: readonly ImportedEmployee[],
  newGroups: readonly string[],
) => {
  const writes = await toWrites(db, rows)
  const options = { payRoles: [], newGroups, now: new Date() }
  try {
    await checkEmployees(await openAsOperator(db), writes, options)
    return []
  } catch (error) {
    if (!(error instanceof EmployeesError)) throw error
    return error.faults
      .filter(({ code }) => code !== 'REPEATED_EMPLOYEE')
      .map((fault) => ({ key: fault.position, fault }))
  }
}
