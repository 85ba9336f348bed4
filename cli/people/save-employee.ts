import type { AuthorizedDb } from '../../src/core/db/authorization.ts'
import type { EmployeeRecord } from '../../src/people/employee-records.queries.ts'
import { checkEmployees, getEmployee, writeEmployees } from '../../src/people/employee-records.ts'
import type { WarningCode } from '../../src/people/employee-warnings.ts'
import type { Target } from '../core/database.ts'
import { confirmOrFail } from '../core/program.ts'

/** The English texts of the service's warnings, for operators. */
const WARNINGS: Record<WarningCode, (value: string) => string> = {
  ID_NEAR: (id) => `The id looks like ${id}.`,
  RFC_SHARED: (id) => `${id} has the same RFC.`,
  BRANCH_UNUSED: (branch) => `No other employee is in the branch ${branch}.`,
  DEPARTMENT_UNUSED: (department) => `No other employee is in the department ${department}.`,
  GROUP_UNUSED: (group) => `No other employee is in the group ${group}.`,
  CLOCK_BEHIND: () => 'A clock has not sent everything: what arrives gets the new branch.',
  SCOPE_STAYS: (branches) => `The linked user goes on seeing ${branches}.`,
  NAME_BLANK: () => 'The name is blank.',
  ENDED_BEFORE_START: () => 'The last day is before the first.',
  DAY_TOO_OLD: (day) => `${day} is before 1900.`,
  UNPAID_DAYS: () => 'There are unpaid days, which will be paid with the new group.',
}

export const getRecord = async (db: AuthorizedDb, employeeId: string) => {
  const { version, user: _, ...record } = await getEmployee(db, employeeId)
  return { version, record }
}

interface Question {
  /** What is about to be done, such as `Add E-9`. */
  act: string
  /** Reasons to ask that only the command knows. */
  reasons?: readonly string[]
  options: Target & { yes?: boolean }
}

/**
 * Writes an employee by the rules of the API. Asks first if there are warnings or `reasons`.
 * @param version the version that was read; 0 for a new employee
 */
export const saveEmployee = async (
  db: AuthorizedDb,
  record: EmployeeRecord,
  version: number,
  { act, reasons = [], options }: Question,
): Promise<void> => {
  const writes = [{ ...record, expected_version: version, deactivate_user: false }]
  const now = new Date()
  const { results } = await checkEmployees(db, writes, { now })
  const warnings = results.flatMap((result) => result.warnings)
  const texts = [...reasons, ...warnings.map(({ code, value }) => WARNINGS[code](value))]
  if (texts.length > 0) await confirmOrFail([...texts, act].join(' '), options)
  await writeEmployees(db, writes, { now })
}
