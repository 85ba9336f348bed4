import { branchesOf } from '../core/db/scope.ts'
import { afterSpreadsheet } from '../core/values/csv.ts'
import { isInvisible } from '../core/values/text.ts'
import { localDay, type Zones } from '../core/values/time-zone.ts'
import type { EmployeeRecord } from './employee-records.queries.ts'
import { idKey } from './employees.queries.ts'
import { isOwnRfc } from './rfc.ts'
import type { StoredForWrite } from './stored-for-write.queries.ts'

/** Warnings about what the writer should check again. They do not prevent the write. */

/** The texts of the API, in Spanish. */
const TEXTS = {
  ID_NEAR: (id: string) => `Se parece al número ${id}.`,
  PUNCHES_WAIT: (count: string) =>
    `${count === '1' ? 'Espera 1 checada' : `Esperan ${count} checadas`} de ese número en un reloj de su sucursal: serán suyas.`,
  RFC_SHARED: (id: string) => `También lo tiene ${id}.`,
  BRANCH_BLANK: () =>
    'Sin sucursal: solo lo ve quien ve todas, y un reloj de una sucursal no sabe que sus checadas son suyas.',
  BRANCH_UNUSED: () => 'Nadie más está en esta sucursal.',
  DEPARTMENT_UNUSED: () => 'Nadie más está en este departamento.',
  CLOCK_BEHIND: () => 'Un reloj no ha enviado todo: lo que llegue tendrá la sucursal nueva.',
  SCOPE_STAYS: (branches: string) => `Su usuario sigue viendo: ${branches}.`,
  NAME_BLANK: () => 'El nombre está en blanco.',
  ENDED_BEFORE_START: () => 'El último día es anterior a la fecha de ingreso.',
  DAY_TOO_OLD: (day: string) => `¿De verdad el año ${day.slice(0, 4)}?`,
  DAYS_BEFORE_START: (days: string) =>
    `${days === '1' ? 'Queda 1 día' : `Quedan ${days} días`} con checadas aprobadas antes del nuevo primer día, que ningún cierre pagaría: ciérralos antes, o deja el día como estaba.`,
  UNPAID_DAYS: () =>
    'Tiene días sin pagar: se pagarán con el grupo nuevo, desde el primer día de ese grupo.',
} as const satisfies Record<string, (value: string) => string>

export type WarningCode = keyof typeof TEXTS

export const WARNING_CODES = Object.keys(TEXTS) as WarningCode[]

export interface Warning {
  field: keyof EmployeeRecord
  code: WarningCode
  /** The value in the text, or the value of the field if the text has none. */
  value: string
}

const byField = <Shown>(warnings: readonly Warning[], show: (warning: Warning) => Shown) =>
  Object.fromEntries(
    [...Map.groupBy(warnings, ({ field }) => field)].map(([field, ofField]) => [
      field,
      ofField.map(show),
    ]),
  )

/** Warnings as an answer has them: the texts by field, and their codes and values in the same order. */
export const shownWarnings = (warnings: readonly Warning[]) => ({
  warnings: byField(warnings, ({ code, value }) => TEXTS[code](value)),
  warning_codes: byField(warnings, ({ code, value }) => ({ code, value })),
})

const PLACES = [
  ['branch_office', 'BRANCH_UNUSED'],
  ['department', 'DEPARTMENT_UNUSED'],
] as const satisfies readonly (readonly [keyof EmployeeRecord, WarningCode])[]

type Stored = StoredForWrite['stored'][number]

/** A first or last day of work before this day is probably a typing error. */
const FIRST_DAY = '1900-01-01'

/** Warnings about the record alone. */
const ownWarnings = (record: EmployeeRecord, stored: Stored | undefined): Warning[] => {
  const warnings: Warning[] = []
  const { full_name, started_at, ended_at } = record
  const isChanged = (field: 'full_name' | 'started_at' | 'ended_at') =>
    record[field] !== stored?.[field]
  if (isInvisible(full_name) && isChanged('full_name')) {
    warnings.push({ field: 'full_name', code: 'NAME_BLANK', value: full_name })
  }
  for (const field of ['started_at', 'ended_at'] as const) {
    const day = record[field]
    if (day !== null && day < FIRST_DAY && isChanged(field)) {
      warnings.push({ field, code: 'DAY_TOO_OLD', value: day })
    }
  }
  const isReversed = ended_at !== null && ended_at < started_at
  if (isReversed && (isChanged('started_at') || isChanged('ended_at'))) {
    warnings.push({ field: 'ended_at', code: 'ENDED_BEFORE_START', value: ended_at })
  }
  return warnings
}

/** Warnings about a change of the branch or the group. */
const movingWarnings = (
  record: EmployeeRecord,
  stored: Stored,
  scope: readonly string[] | null,
): Warning[] => {
  const warnings: Warning[] = []
  const { branch_office, payroll_group } = record
  if (branch_office !== stored.branch_office) {
    if (stored.has_clock_behind) {
      warnings.push({ field: 'branch_office', code: 'CLOCK_BEHIND', value: branch_office })
    }
    const seen = branchesOf(stored.user_scope)?.filter((branch) => scope?.includes(branch) ?? true)
    const branches = seen?.join(', ')
    if (branches) warnings.push({ field: 'branch_office', code: 'SCOPE_STAYS', value: branches })
  }
  if (payroll_group !== stored.payroll_group && stored.has_unpaid_logs) {
    warnings.push({ field: 'payroll_group', code: 'UNPAID_DAYS', value: payroll_group })
  }
  return warnings
}

const plainId = (id: string): string => id.normalize('NFKC').toLowerCase().replace(/\s/g, '')

/**
 * Ids that differ only by letter case, blanks, width, leading zeros and what a spreadsheet makes of
 * them (`5.10` and `5.1`) have the same key.
 */
const nearKey = (id: string): string => afterSpreadsheet(plainId(id)).replace(/^0+/, '')

/** The number of local days with logs from the stored first day to the new one. */
const leftOutDays = (
  { from, until, logs }: StoredForWrite['leftOut'][number],
  zones: Zones,
): number => {
  const days = logs.map(([moment, branch]) => localDay(moment, branch, zones))
  return new Set(days.filter((day) => day >= from && day < until)).size
}

/**
 * Returns a function that compares a record with the employees whom the writer may see, and with
 * the written employees. A branch or department counts as unused if no stored employee has it.
 * @param scope the branches that the writer sees; null for all
 */
export const warningFinder = (
  {
    ids,
    rfcOwners,
    places,
    waitingNumbers,
    leftOut,
  }: Pick<StoredForWrite, 'ids' | 'rfcOwners' | 'places' | 'waitingNumbers' | 'leftOut'>,
  written: readonly Pick<EmployeeRecord, 'employee_id' | 'rfc'>[],
  { scope, zones }: { scope: readonly string[] | null; zones: Zones },
) => {
  const allIds = new Set([...ids, ...written].map(({ employee_id }) => employee_id))
  const idsByKey = Map.groupBy(allIds, nearKey)
  const idsByRfc = Map.groupBy([...rfcOwners, ...written], ({ rfc }) => rfc)
  const usedAt = new Map(
    PLACES.map(([field]) => [field, new Set(places.map((place) => place[field]))]),
  )
  const waitingByKey = Map.groupBy(waitingNumbers, ({ number }) => idKey(number))
  const leftOutById = new Map(leftOut.map((one) => [one.employee_id, leftOutDays(one, zones)]))
  return (record: EmployeeRecord, stored: Stored | undefined): Warning[] => {
    const { employee_id, rfc } = record
    const warnings: Warning[] = []
    const unpaid = leftOutById.get(employee_id) ?? 0
    if (unpaid > 0) {
      const field = record.started_at === stored?.started_at ? 'paid_from' : 'started_at'
      warnings.push({ field, code: 'DAYS_BEFORE_START', value: String(unpaid) })
    }
    const waiting = (waitingByKey.get(idKey(employee_id)) ?? []).filter(
      ({ branch_office }) => branch_office === record.branch_office,
    )
    const count = waiting.reduce((sum, ofNumber) => sum + ofNumber.count, 0)
    if (!stored && count > 0) {
      warnings.push({ field: 'employee_id', code: 'PUNCHES_WAIT', value: String(count) })
    }
    const near = idsByKey.get(nearKey(employee_id))?.find((id) => id !== employee_id)
    if (!stored && near !== undefined) {
      warnings.push({ field: 'employee_id', code: 'ID_NEAR', value: near })
    }
    const same = idsByRfc.get(rfc)?.find((one) => one.employee_id !== employee_id)
    if (isOwnRfc(rfc) && rfc !== stored?.rfc && same) {
      warnings.push({ field: 'rfc', code: 'RFC_SHARED', value: same.employee_id })
    }
    if (record.branch_office === '' && stored?.branch_office !== '') {
      warnings.push({ field: 'branch_office', code: 'BRANCH_BLANK', value: '' })
    }
    for (const [field, code] of PLACES) {
      const value = record[field]
      const isChanged = value !== '' && value !== stored?.[field]
      if (isChanged && !usedAt.get(field)?.has(value)) warnings.push({ field, code, value })
    }
    warnings.push(...ownWarnings(record, stored))
    return stored ? [...warnings, ...movingWarnings(record, stored, scope)] : warnings
  }
}
