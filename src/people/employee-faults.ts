import { DomainError, ERRORS, type ErrorCode, messageOf } from '../core/errors.ts'
import { codePoints, hasHiddenCharacter } from '../core/values/text.ts'
import type { EmployeeRecord } from './employee-records.queries.ts'
import type { StoredForWrite } from './stored-for-write.queries.ts'

/** What may not be written, and which field of which row it is about. */

export interface EmployeeWrite extends Omit<EmployeeRecord, 'paid_from'> {
  /** Undefined keeps the stored day. */
  paid_from?: string | null | undefined
  /** The version that the writer has seen; 0 if the employee must not exist yet. */
  expected_version: number
  /** Whether to deactivate the user of an employee who has left. */
  deactivate_user: boolean
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

/** The record that a write leaves. */
export const recordOf = (
  { expected_version: _, deactivate_user: __, paid_from, ...record }: EmployeeWrite,
  stored: Stored | undefined,
): EmployeeRecord => ({
  ...record,
  paid_from: paid_from === undefined ? (stored?.paid_from ?? null) : paid_from,
})

export interface Context {
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

export const byId = ({ stored }: StoredForWrite): ReadonlyMap<string, Stored> =>
  new Map(stored.map((one) => [one.employee_id, one]))

/** The faults of all rows. An employee may be written once. */
const findFaults = (writes: readonly EmployeeWrite[], context: Context): Fault[] => {
  const storedById = byId(context.read)
  const seen = new Set<string>()
  return writes.flatMap((write, position) => {
    const found = faultsOf(write, storedById.get(write.employee_id), context)
    if (seen.has(write.employee_id)) {
      const code = 'REPEATED_EMPLOYEE'
      found.unshift({ field: 'employee_id', code, text: messageOf(code) })
    }
    seen.add(write.employee_id)
    return found.map((fault) => ({ ...fault, position }))
  })
}

/**
 * @throws EmployeesError if rows have faults. Its code is the first one of `FAULT_CODES` that
 * occurs. It contains only the faults whose codes have the same HTTP status
 */
export const requireNoFaults = (writes: readonly EmployeeWrite[], context: Context): void => {
  const faults = findFaults(writes, context)
  const code = FAULT_CODES.find((candidate) => faults.some((fault) => fault.code === candidate))
  if (!code) return
  const { read } = context
  const { status } = ERRORS[code]
  const reported = faults.filter((fault) => ERRORS[fault.code].status === status)
  const [stored] = read.stored
  const isShown = status === 409 && writes.length === 1 && stored?.visible && !isOwn(stored, read)
  throw new EmployeesError(code, reported, isShown ? shownOf(stored) : undefined)
}
