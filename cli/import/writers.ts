import { readCompany, saveCompany } from '../../src/company/company.queries.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { listPayrollGroups, putPayrollGroup } from '../../src/payroll/rules/groups.ts'
import { insertRules } from '../../src/payroll/rules/rules.queries.ts'
import { checkEmployees, writeEmployees } from '../../src/people/employee-records.ts'
import { openAsOperator } from '../core/operator.ts'
import { type ImportedEmployee, toWrites } from './employees.ts'
import type { ImportFile } from './file.ts'
import { compareHourRules, shiftsOfFile, zonesOfFile } from './hour-rules.ts'
import type { Comparison } from './queries.ts'

/** The writers of the lists that the functions of the API write, each with what it has compared. */

export const NONE: Comparison = { created: 0, changed: 0, kept: 0 }

export const sum = (a: Comparison, b: Comparison): Comparison => ({
  created: a.created + b.created,
  changed: a.changed + b.changed,
  kept: a.kept + b.kept,
})

export const countOf = (results: readonly (keyof Comparison)[]): Comparison => {
  const count = { ...NONE }
  for (const result of results) count[result]++
  return count
}

const RESULTS = { new: 'created', changed: 'changed', same: 'kept' } as const

/** Compares employees with the stored ones, and writes them by the functions of the API. */
export const writeEmployeeRows = async (
  db: D1,
  rows: readonly ImportedEmployee[],
  { dryRun, newGroups }: { dryRun: boolean; newGroups: readonly string[] },
): Promise<Comparison> => {
  const operator = await openAsOperator(db)
  const writes = await toWrites(db, rows)
  const placed = rows.map((row) => ({ place: '', row }))
  const shifts = shiftsOfFile({ company: [], employees: placed })
  const otherShifts = new Set(
    (await compareHourRules(db, 'shifts', shifts)).flatMap(({ rule, result }) =>
      result === 'kept' ? [] : rule.subject,
    ),
  )
  const now = new Date()
  const write = dryRun ? checkEmployees : writeEmployees
  const { results } = await write(operator, writes, { payRoles: [], newGroups, now })
  if (!dryRun && otherShifts.size > 0) {
    await insertRules(operator, 'shifts', shifts, now.toISOString())
  }
  return countOf(
    results.map(({ result, employee_id }) =>
      result === 'same' && otherShifts.has(employee_id) ? 'changed' : RESULTS[result],
    ),
  )
}

/** Compares zones of branches with the stored ones, and writes them by the function of the API. */
export const writeZoneRows = async (
  db: D1,
  rows: ImportFile['branches'],
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const zones = zonesOfFile({ company: [], branches: rows })
  const results = (await compareHourRules(db, 'zones', zones)).map(({ result }) => result)
  if (!dryRun && results.some((result) => result !== 'kept')) {
    await insertRules(await openAsOperator(db), 'zones', zones, new Date().toISOString())
  }
  return countOf(results)
}

/** Writes the company's name, zone and longest shift. */
export const writeCompany = async (
  db: D1,
  { company }: ImportFile,
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const [one] = company
  if (!one) return NONE
  const operator = await openAsOperator(db)
  const at = new Date().toISOString()
  const file = { company, branches: [], employees: [] }
  let hasChanged = false
  for (const [list, rules] of [
    ['zones', zonesOfFile(file)],
    ['shifts', shiftsOfFile(file)],
  ] as const) {
    const differs = (await compareHourRules(db, list, rules)).some(
      ({ result }) => result !== 'kept',
    )
    if (differs && !dryRun) await insertRules(operator, list, rules, at)
    hasChanged ||= differs
  }
  const stored = await readCompany(operator)
  const { name = stored?.name ?? '' } = one.row
  if (stored && name !== stored.name) {
    hasChanged = true
    if (!dryRun) await saveCompany(operator, { name, expected_version: stored.version, at })
  }
  return countOf([hasChanged ? 'changed' : 'kept'])
}

/** Compares payroll groups with the stored ones, and writes them by the function of the API. */
export const writeGroupRows = async (
  db: D1,
  rows: ImportFile['payroll_groups'][number]['row'][],
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const operator = await openAsOperator(db)
  const now = new Date()
  const stored = await listPayrollGroups(operator, undefined, now)
  const results: (keyof Comparison)[] = []
  for (const { payroll_group, calendar, pays_from } of rows) {
    const known = stored.find((group) => group.payroll_group === payroll_group)
    const write = { payroll_group, calendar, pays_from: pays_from ?? known?.pays_from ?? null }
    const isSame = known?.calendar === calendar && known.pays_from === write.pays_from
    results.push(known ? (isSame ? 'kept' : 'changed') : 'created')
    const expected_version = known?.version ?? 0
    if (!dryRun) await putPayrollGroup(operator, { ...write, expected_version }, now)
  }
  return countOf(results)
}
