import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import type { Dated } from '../../core/values/dated.ts'
import { zonesFrom } from '../../core/values/time-zone.ts'
import { getEmployee } from '../../people/employee-records.ts'
import { type Amendments, NO_CHANGES, readChanges } from '../hours/compared-days.ts'
import {
  compareRule,
  type HourRule,
  insertRule,
  isBranchInUse,
  type RuleList,
  type StoredRules,
} from './rules.queries.ts'

type DatedHours = Dated<number>

/** The rules with one more, which replaces a rule of the same day. */
const withRule = (rules: DatedHours, { valid_from, value }: HourRule): DatedHours =>
  [...rules.filter(([day]) => day !== valid_from), [valid_from, Number(value)] as const].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )

const amendmentsOf = (list: RuleList, rule: HourRule, zones: StoredRules['zones']): Amendments => {
  const { subject, valid_from, value } = rule
  if (list === 'shifts') {
    return {
      amend: (person) =>
        subject === null
          ? { ...person, company_shifts: withRule(person.company_shifts, rule) }
          : { ...person, shift_rules: withRule(person.shift_rules, rule) },
    }
  }
  const others = zones
    .map((zone) => ({ ...zone, valid_from: zone.valid_from ?? '' }))
    .filter((zone) => zone.branch_office !== subject || zone.valid_from !== valid_from)
  const added = { branch_office: subject, valid_from, time_zone: String(value) }
  return {
    zones: zonesFrom([...others, added].toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : 1))),
  }
}

/** @throws DomainError UNKNOWN_BRANCH, UNKNOWN_EMPLOYEE */
const requireSubject = async (
  db: AuthorizedDb,
  list: RuleList,
  subject: string | null,
): Promise<void> => {
  if (subject === null) return
  if (list === 'zones') {
    if (!(await isBranchInUse(db, subject))) throw new DomainError('UNKNOWN_BRANCH')
    return
  }
  await getEmployee(db, subject).catch((error) => {
    const isUnknown = error instanceof DomainError && error.code === 'EMPLOYEE_NOT_FOUND'
    throw isUnknown ? new DomainError('UNKNOWN_EMPLOYEE') : error
  })
}

/** @throws DomainError RULE_PAID with the first day from which the rule may hold */
const requireUnpaid = (
  { differs, paid_before }: { differs: boolean; paid_before: string | null },
  { valid_from }: HourRule,
): void => {
  if (differs && paid_before !== null && paid_before > valid_from) {
    throw new DomainError('RULE_PAID', { day: paid_before })
  }
}

/**
 * Adds a rule of hours, unless it is stored already. With `dryRun`, nothing is written. Returns the
 * rules, and the recent days whose hours the rule changes.
 * @throws DomainError UNKNOWN_BRANCH, UNKNOWN_EMPLOYEE, RULE_PAID
 */
export const addRule = async (
  db: AuthorizedDb,
  list: RuleList,
  { dryRun, ...rule }: HourRule & { dryRun: boolean },
  now: Date,
) => {
  await requireSubject(db, list, rule.subject)
  const { compared, ...stored } = await compareRule(db, list, rule)
  requireUnpaid(compared, rule)
  const { differs } = compared
  const { subject, valid_from } = rule
  const people = list === 'shifts' ? { employee_id: subject } : { branch_office: subject }
  const changes = differs
    ? await readChanges(db, { ...people, valid_from }, amendmentsOf(list, rule, stored.zones), now)
    : NO_CHANGES
  if (!differs || dryRun) return { ...stored, ...changes }
  const inserted = await insertRule(db, list, rule, now.toISOString())
  // A closing may have paid the days meanwhile.
  requireUnpaid(inserted.compared, rule)
  return { zones: inserted.zones, shifts: inserted.shifts, ...changes }
}
