import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import type { Dated } from '../../core/values/dated.ts'
import { addDays, later, zonesFrom } from '../../core/values/time-zone.ts'
import { getEmployee } from '../../people/employee-records.ts'
import { type Amendments, readComparedDays } from '../hours/compared-days.ts'
import { listEmployeesOfPeriod } from '../hours/people-of-period.queries.ts'
import { readToday } from '../hours/period.ts'
import type { PersonDays } from '../hours/person-days.ts'
import { toWorkDays } from '../hours/work-days.ts'
import {
  compareRule,
  type HourRule,
  insertRule,
  isBranchInUse,
  type RuleList,
  type StoredRules,
} from './rules.queries.ts'

/** A day whose hours a new rule changes. The seconds are null if no pair counts. */
interface ChangedDay {
  employee_id: string
  day: string
  before_seconds: number | null
  after_seconds: number | null
}

/** The days whose hours a rule changes, and those whose hours it changes if pending logs count. */
interface Changes {
  changed_pairs: ChangedDay[]
  /** The other days, with the seconds of pending logs too. */
  changed_pending_pairs: ChangedDay[]
}

/** The seconds of a day. Each is null if no pair counts. */
interface DaySeconds {
  day: string
  approved: number | null
  withPending: number | null
}

interface Days {
  from: string
  to: string
}

/** The most days whose hours are compared before and after a new rule. */
const COMPARED_DAYS = 31

/** The seconds of a person's days. */
const secondsOfDays = (
  { days, logs, dayOptions }: PersonDays,
  { from, to }: Days,
): DaySeconds[] => {
  const ifApproved = toWorkDays(logs, { ...dayOptions, countPending: true })
  const withPending = new Map(ifApproved.map((one) => [one.day, one.worked_seconds]))
  return days
    .filter(({ day }) => day >= from && day <= to)
    .map(({ day, worked_seconds: approved }) => ({
      ...{ day, approved, withPending: withPending.get(day) ?? null },
    }))
}

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

const NO_CHANGES: Changes = { changed_pairs: [], changed_pending_pairs: [] }

/** The days of the last `COMPARED_DAYS` whose hours the rule changes, by person and day. */
const changedDays = async (
  db: AuthorizedDb,
  list: RuleList,
  rule: HourRule,
  { stored, now }: { stored: StoredRules; now: Date },
): Promise<Changes> => {
  const { subject, valid_from } = rule
  const today = await readToday(db, now)
  const days = { from: later(addDays(today, 1 - COMPARED_DAYS), valid_from), to: today }
  const idsOf = async () => {
    if (list === 'shifts' && subject !== null) return [subject]
    const period = {
      from: addDays(days.from, -1),
      before: addDays(days.to, 2),
      onPayroll: undefined,
    }
    const place = subject === null ? {} : { branch_office: subject }
    return listEmployeesOfPeriod(db, place, period)
  }
  if (days.from > days.to) return NO_CHANGES
  const people = (await idsOf()).map((employee_id) => ({ employee_id, firstDay: days.from }))
  const compared = await readComparedDays(
    db,
    people,
    { before: addDays(days.to, 1), countPending: false },
    amendmentsOf(list, rule, stored.zones),
    (one) => secondsOfDays(one, days),
  )
  const changedBy =
    (name: 'approved' | 'withPending') =>
    ({ person, day, before, after }: (typeof compared)[number]): ChangedDay[] => {
      const before_seconds = before?.[name] ?? null
      const after_seconds = after?.[name] ?? null
      const { employee_id } = person
      return before_seconds === after_seconds
        ? []
        : [{ employee_id, day, before_seconds, after_seconds }]
    }
  const ofApproved = changedBy('approved')
  return {
    changed_pairs: compared.flatMap(ofApproved),
    changed_pending_pairs: compared
      .filter((one) => ofApproved(one).length === 0)
      .flatMap(changedBy('withPending')),
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
  const changes = differs ? await changedDays(db, list, rule, { stored, now }) : NO_CHANGES
  if (!differs || dryRun) return { ...stored, ...changes }
  const inserted = await insertRule(db, list, rule, now.toISOString())
  // A closing may have paid the days meanwhile.
  requireUnpaid(inserted.compared, rule)
  return { zones: inserted.zones, shifts: inserted.shifts, ...changes }
}
