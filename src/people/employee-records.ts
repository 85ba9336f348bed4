import type { AuthorizedDb } from '../core/db/authorization.ts'
import { OPERATOR } from '../core/db/caller.queries.ts'
import { changeOf, changesOf, type FieldChange } from '../core/db/people-changes.queries.ts'
import { branchesOf } from '../core/db/scope.ts'
import { DomainError, ERRORS, type ErrorCode, messageOf } from '../core/errors.ts'
import { codePoints, hasHiddenCharacter } from '../core/values/text.ts'
import { localDay } from '../core/values/time-zone.ts'
import {
  type EmployeeRecord,
  findEmployeeRecord,
  RECORD_FIELDS,
  readForWrite,
  removeEmployee,
  type StoredForWrite,
  saveEmployees,
} from './employee-records.queries.ts'
import { retryWhileMoved } from './retry-while-moved.ts'
import { type Warning, warningFinder } from './warnings.ts'

export interface EmployeeWrite extends Omit<EmployeeRecord, 'paid_from'> {
  /** Undefined keeps the stored day. */
  paid_from?: string | null | undefined
  /** The version that the writer has seen; 0 if the employee must not exist yet. */
  expected_version: number
  /** Whether to deactivate the user of an employee who has left. */
  deactivate_user: boolean
}

interface WriteResult {
  employee_id: string
  result: 'new' | 'changed' | 'same'
  /** The fields that differ from the stored ones. Empty for a new employee. */
  fields: string[]
  version: number
  /** What the writer should check again. Warnings do not prevent the write. */
  warnings: readonly Warning[]
}

type Stored = StoredForWrite['stored'][number]

const shownOf = ({
  visible,
  user_scope,
  user_version,
  has_unpaid_logs,
  has_clock_behind,
  ...shown
}: Stored) => shown

/** An error about some of the written employees. The routes make its `fieldErrors`. */
export class EmployeesError extends DomainError {
  override name = 'EmployeesError'
  /** The faults in the order of the rows. */
  readonly faults: readonly Fault[]
  constructor(code: FaultCode, faults: readonly Fault[], current?: object) {
    super({ code, details: faults.find((fault) => fault.code === code)?.details })
    this.faults = faults
    if (current) this.current = current
    if (faults[0]) this.text = faults[0].text
  }
}

interface Fault {
  position: number
  field: string
  code: FaultCode
  text: string
  /** The values in the text. */
  details?: object
}

/** The codes of faults. If there are several faults, the error has the first code of this list. */
const FAULT_CODES = [
  'OWN_EMPLOYEE',
  'REPEATED_EMPLOYEE',
  'NEW_EMPLOYEE_ID',
  'BRANCH_OUT_OF_SCOPE',
  'UNKNOWN_PAYROLL_GROUP',
  'PAID_FROM_NOT_YOURS',
  'USER_NOT_DEACTIVATED',
  'EMPLOYEE_ID_TAKEN',
  'EMPLOYEE_MOVED',
  'PAID_AFTER_END',
] as const satisfies readonly ErrorCode[]

type FaultCode = (typeof FAULT_CODES)[number]

const ID_MAX = 50

const NOT_STORED = 'No existe un empleado con ese número: para darlo de alta, la versión es 0.'

/** Ids that cannot be a part of a URL's path, or a key of a JSON object. */
const UNUSABLE_IDS = new Set(['.', '..', '__proto__'])

/**
 * Whether a new employee may have this id. Ids that are stored already need not meet these rules.
 */
const isNewId = (id: string): boolean =>
  id !== '' &&
  id === id.normalize('NFC') &&
  id === id.trim() &&
  !hasHiddenCharacter(id) &&
  codePoints(id) <= ID_MAX &&
  !UNUSABLE_IDS.has(id)

const recordOf = (
  { expected_version: _, deactivate_user: __, paid_from, ...record }: EmployeeWrite,
  stored: Stored | undefined,
): EmployeeRecord => ({
  ...record,
  paid_from: paid_from === undefined ? (stored?.paid_from ?? null) : paid_from,
})

const FIELDS = RECORD_FIELDS.filter((field) => field !== 'employee_id')

interface Context {
  read: StoredForWrite
  branches: readonly string[] | null
  groups: ReadonlySet<string>
  /** Whether the caller closes and pays all branches, or is the operator. */
  paysAll: boolean
  todayIn: (branch: string) => string
}

const isOwn = ({ employee_id }: { employee_id: string }, { caller }: StoredForWrite): boolean =>
  caller?.employee_id === employee_id

/**
 * The faults of one row. If the row is the caller's own, outside of the scope, or has an id that a
 * new employee may not have, only that fault is reported.
 */
const faultsOf = (write: EmployeeWrite, stored: Stored | undefined, context: Context) => {
  const { employee_id, expected_version, branch_office, ended_at, deactivate_user } = write
  const found: Omit<Fault, 'position'>[] = []
  const add = (
    field: string,
    code: Exclude<FaultCode, 'PAID_AFTER_END' | 'UNKNOWN_PAYROLL_GROUP'>,
  ) => found.push({ field, code, text: messageOf(code) })
  if (isOwn(write, context.read)) add('employee_id', 'OWN_EMPLOYEE')
  else if (stored && !stored.visible) add('employee_id', 'EMPLOYEE_ID_TAKEN')
  else if (!stored && !isNewId(employee_id)) add('employee_id', 'NEW_EMPLOYEE_ID')
  if (found.length > 0) return found

  if (context.branches?.includes(branch_office) === false) {
    add('branch_office', 'BRANCH_OUT_OF_SCOPE')
  }
  if (!context.groups.has(write.payroll_group)) {
    const code = 'UNKNOWN_PAYROLL_GROUP'
    const details = { payroll_group: write.payroll_group }
    found.push({ field: 'payroll_group', code, text: messageOf(code, details), details })
  }
  const { paid_from } = recordOf(write, stored)
  if (paid_from !== (stored?.paid_from ?? null) && !context.paysAll) {
    add('paid_from', 'PAID_FROM_NOT_YOURS')
  }
  const hasEnded = ended_at !== null && ended_at < context.todayIn(branch_office)
  const canDeactivate = hasEnded && stored?.user?.role === 'employee'
  if (deactivate_user && !canDeactivate) add('deactivate_user', 'USER_NOT_DEACTIVATED')
  if (expected_version !== (stored?.version ?? 0)) {
    const text = stored ? messageOf('EMPLOYEE_MOVED') : NOT_STORED
    found.push({ field: 'expected_version', code: 'EMPLOYEE_MOVED', text })
  }
  const paid = context.read.paidAfterEnd.find((row) => row.employee_id === employee_id)
  if (paid) {
    const details = { closing_id: paid.closing_id, day: paid.day }
    const text = messageOf('PAID_AFTER_END', details)
    found.push({ field: 'ended_at', code: 'PAID_AFTER_END', text, details })
  }
  return found
}

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
 * @throws EmployeesError if rows have faults. Its code is the first one of `FAULT_CODES` that
 * occurs. It contains only the faults whose codes have the same HTTP status
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
  const storedById = new Map(read.stored.map((stored) => [stored.employee_id, stored]))
  const seen = new Set<string>()
  const faults = writes.flatMap((write, position): Fault[] => {
    const found = faultsOf(write, storedById.get(write.employee_id), context)
    if (seen.has(write.employee_id)) {
      const code = 'REPEATED_EMPLOYEE'
      found.unshift({ field: 'employee_id', code, text: messageOf(code) })
    }
    seen.add(write.employee_id)
    return found.map((fault) => ({ ...fault, position }))
  })
  const code = FAULT_CODES.find((candidate) => faults.some((fault) => fault.code === candidate))
  if (code) {
    const { status } = ERRORS[code]
    const reported = faults.filter((fault) => ERRORS[fault.code].status === status)
    const [stored] = read.stored
    const isShown = status === 409 && writes.length === 1 && stored?.visible && !isOwn(stored, read)
    throw new EmployeesError(code, reported, isShown ? shownOf(stored) : undefined)
  }
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
    read,
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
  try {
    const at = now.toISOString()
    await removeEmployee(db, { employee_id: employeeId, version }, { changes: [change], at })
  } catch (cause) {
    if (!/FOREIGN KEY/.test(String(cause))) throw cause
    throw new DomainError('EMPLOYEE_IN_USE', undefined, { cause })
  }
}
