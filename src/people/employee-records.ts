import type { AuthorizedDb } from '../core/db/authorization.ts'
import { OPERATOR } from '../core/db/caller.queries.ts'
import { changeOf, changesOf, type FieldChange } from '../core/db/people-changes.queries.ts'
import { branchesOf } from '../core/db/scope.ts'
import { DomainError } from '../core/errors.ts'
import { localDay } from '../core/values/time-zone.ts'
import { removeEmployee } from './delete-employee.queries.ts'
import {
  byId,
  type Context,
  type EmployeeWrite,
  recordOf,
  requireNoFaults,
} from './employee-faults.ts'
import { findEmployeeRecord, RECORD_FIELDS } from './employee-records.queries.ts'
import { retryWhileMoved } from './retry-while-moved.ts'
import { saveEmployees } from './save-employees.queries.ts'
import { readForWrite } from './stored-for-write.queries.ts'
import { type Warning, warningFinder } from './warnings.ts'

interface WriteResult {
  employee_id: string
  result: 'new' | 'changed' | 'same'
  /** The fields that differ from the stored ones. Empty for a new employee. */
  fields: string[]
  version: number
  /** What the writer should check again. Warnings do not prevent the write. */
  warnings: readonly Warning[]
}

const FIELDS = RECORD_FIELDS.filter((field) => field !== 'employee_id')

interface WriteOptions {
  now: Date
  /** The roles that close and pay. */
  payRoles: readonly string[]
  /** Payroll groups that the caller adds before the employees are written. */
  newGroups?: readonly string[]
}

/**
 * Reads what is stored, and returns each write with its changes and warnings.
 * @throws DomainError MACHINE_DEACTIVATES, so that no machine decides who may sign in
 * @throws EmployeesError as `requireNoFaults` does
 */
const checkWrites = async (
  db: AuthorizedDb,
  writes: readonly EmployeeWrite[],
  { now, payRoles, newGroups = [] }: WriteOptions,
) => {
  if (db.claims.machine && writes.some((write) => write.deactivate_user)) {
    throw new DomainError('MACHINE_DEACTIVATES')
  }
  const read = await readForWrite(db, writes, now)
  const zones = db.zones()
  const context: Context = {
    read,
    branches: branchesOf(db.scope()),
    groups: new Set([...read.groups.map(({ name }) => name), ...newGroups]),
    paysAll:
      db.claims.userId === OPERATOR.userId ||
      (db.scope() === null && payRoles.includes(read.caller?.role ?? '')),
    todayIn: (branch) => localDay(now.toISOString(), branch, zones),
  }
  const storedById = byId(read)
  requireNoFaults(writes, context)
  const findWarnings = warningFinder(read, writes, { scope: context.branches, zones })
  const checked = writes.map((write) => {
    const stored = storedById.get(write.employee_id)
    const record = recordOf(write, stored)
    const changes = changesOf(FIELDS, record, stored)
    return { write, record, stored, changes, warnings: findWarnings(record, stored) }
  })
  return { read, checked }
}

type CheckedWrites = Awaited<ReturnType<typeof checkWrites>>
type Checked = CheckedWrites['checked'][number]

const toResult = ({ record, stored, changes, warnings }: Checked): WriteResult => ({
  employee_id: record.employee_id,
  result: !stored ? 'new' : changes.length > 0 ? 'changed' : 'same',
  fields: stored ? changes.map(({ field }) => field) : [],
  version: stored ? stored.version + Number(changes.length > 0) : 1,
  warnings,
})

/**
 * Returns what a write would do, without writing.
 * @throws EmployeesError as `writeEmployees` does
 */
export const checkEmployees = async (
  db: AuthorizedDb,
  writes: readonly EmployeeWrite[],
  options: WriteOptions,
) => ({ results: (await checkWrites(db, writes, options)).checked.map(toResult) })

const leavingUserOf = ({ write, stored }: Checked): number[] =>
  write.deactivate_user && stored?.user?.active ? [stored.user.id] : []

/** Whether a row only writes a last day, or nothing. A full database has room for that. */
const onlyEnds = ({ stored, changes }: Checked): boolean =>
  stored !== undefined &&
  changes.every(({ field, after }) => field === 'ended_at' && after !== null)

const DEACTIVATED: readonly FieldChange[] = [{ field: 'active', before: 1, after: 0 }]

/** Writes the checked rows, unless the stored rows have changed since the check. */
const save = async (db: AuthorizedDb, { read, checked }: CheckedWrites, now: Date) => {
  const written = checked.filter(({ changes }) => changes.length > 0)
  const leaving = checked.flatMap(leavingUserOf)
  const employee = await saveEmployees(db, {
    rows: written.map(({ record }) => record),
    expected: checked.map(({ record: { employee_id }, stored }) => ({
      employee_id,
      version: stored?.version ?? 0,
      user_id: stored?.user?.id ?? null,
      user_version: stored?.user_version ?? 0,
    })),
    closings_state: read.closings.state,
    leaving,
    changes: [
      ...written.map(({ record, changes }) => changeOf('employee', record.employee_id, changes)),
      ...leaving.map((id) => changeOf('user', id, DEACTIVATED)),
    ],
    at: now.toISOString(),
  })
  if (!employee) throw new DomainError('EMPLOYEE_NOT_FOUND')
  return { results: checked.map(toResult), employee }
}

/**
 * Writes employees, all or nothing, with a record of each change. A row without a difference is not
 * written. Also returns the first employee as it is stored.
 * @param isFull whether the database is almost full
 * @throws EmployeesError with the faults of the rows; nothing is written then
 * @throws DomainError DATABASE_FULL if it is full and a row does more than end somebody
 */
export const writeEmployees = (
  db: AuthorizedDb,
  writes: readonly EmployeeWrite[],
  { isFull = false, ...options }: WriteOptions & { isFull?: boolean },
) =>
  retryWhileMoved(
    () => checkWrites(db, writes, options),
    async (writesToSave) => {
      if (isFull && !writesToSave.checked.every(onlyEnds)) throw new DomainError('DATABASE_FULL')
      return save(db, writesToSave, options.now)
    },
  )

/** @throws DomainError EMPLOYEE_NOT_FOUND */
export const getEmployee = async (db: AuthorizedDb, employeeId: string) => {
  const record = await findEmployeeRecord(db, employeeId)
  if (!record) throw new DomainError('EMPLOYEE_NOT_FOUND')
  return record
}

/**
 * Deletes an employee that was added by mistake.
 * @throws DomainError EMPLOYEE_NOT_FOUND, OWN_EMPLOYEE, EMPLOYEE_MOVED, or EMPLOYEE_IN_USE if
 * anything refers to the employee
 */
export const deleteEmployee = async (db: AuthorizedDb, employeeId: string, now: Date) => {
  const { version, ...record } = await getEmployee(db, employeeId)
  const changes = FIELDS.map((field) => ({ field, before: record[field], after: null }))
  const change = changeOf('employee', employeeId, changes)
  const at = now.toISOString()
  await removeEmployee(db, { employee_id: employeeId, version }, { changes: [change], at })
}
