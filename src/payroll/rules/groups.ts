import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { changeOf, changesOf } from '../../core/db/people-changes.queries.ts'
import { DomainError } from '../../core/errors.ts'
import { hasHiddenCharacter } from '../../core/values/text.ts'
import { addDays, companyDay, later } from '../../core/values/time-zone.ts'
import { type Calendar, type PayPeriod, parseCalendar, periodOf } from './calendar.ts'
import { readGroups, type StoredGroup, saveGroup } from './groups.queries.ts'

/** The payroll groups, each with the next period that is to be closed. */

type PayrollGroup = StoredGroup & { next: PayPeriod }

/**
 * The first period that is not paid. It begins on the first day that is to be paid, which may be
 * within a period of the calendar. While that day is not known, it is the last period that is over.
 */
const nextPeriod = (
  { pays_from, paid_before }: StoredGroup,
  calendar: Calendar,
  today: string,
): PayPeriod => {
  if (pays_from === null && paid_before === null) {
    return periodOf(calendar, addDays(periodOf(calendar, today).from, -1))
  }
  const from = later(pays_from ?? '', paid_before)
  return { ...periodOf(calendar, from), from }
}

const toPayrollGroup = (group: StoredGroup, today: string, day?: string): PayrollGroup => {
  const calendar = parseCalendar(group.calendar)
  if (!calendar) throw new Error(`The group ${group.payroll_group} has an invalid calendar.`)
  const next = day === undefined ? nextPeriod(group, calendar, today) : periodOf(calendar, day)
  return { ...group, next }
}

/** The payroll groups. If `day` is given, `next` is the period that contains this day. */
export const listPayrollGroups = async (
  db: AuthorizedDb,
  day: string | undefined,
  now: Date,
): Promise<PayrollGroup[]> => {
  const groups = await readGroups(db, null, now)
  const today = companyDay(now, db.zones())
  return groups.map((group) => toPayrollGroup(group, today, day))
}

/**
 * The names of the groups whose period of a closing's last day is not over yet. A day is over at
 * midnight, so that a closing on the period's last day is early, too. Without a group, these are all
 * groups with people.
 */
export const listRunningGroups = async (
  db: AuthorizedDb,
  { before, payroll_group }: { before: string; payroll_group: string | null },
  now: Date,
): Promise<string[]> => {
  const groups = await listPayrollGroups(db, addDays(before, -1), now)
  const today = companyDay(now, db.zones())
  return groups
    .filter((group) =>
      payroll_group === null ? group.people > 0 : group.payroll_group === payroll_group,
    )
    .filter(({ next }) => next.before > today)
    .map((group) => group.payroll_group)
}

/** Whether a group may have this name. */
export const isGroupName = (name: string): boolean =>
  name === name.trim() &&
  name === name.normalize('NFC') &&
  !hasHiddenCharacter(name) &&
  name !== '__proto__'

interface GroupWrite {
  payroll_group: string
  calendar: string
  pays_from: string | null
  /** The version that the writer has seen. 0 if the group must not exist yet. */
  expected_version: number
}

const FIELDS = ['calendar', 'pays_from'] as const

/**
 * Adds or changes a group, with a record of the change. Returns the group as it is stored.
 * @throws DomainError UNKNOWN_PAYROLL_GROUP; GROUP_MOVED with the stored group; PAYS_FROM_STAYS if the write would remove
 * the first day that the service pays the group
 */
export const putPayrollGroup = async (
  db: AuthorizedDb,
  write: GroupWrite,
  now: Date,
): Promise<PayrollGroup> => {
  const name = write.payroll_group
  const [stored] = await readGroups(db, name, now)
  const today = companyDay(now, db.zones())
  if (!stored && write.expected_version > 0)
    throw new DomainError('UNKNOWN_PAYROLL_GROUP', { payroll_group: name })
  if (stored && stored.version !== write.expected_version) {
    const error = new DomainError('GROUP_MOVED')
    error.current = toPayrollGroup(stored, today)
    throw error
  }
  if (stored && stored.pays_from !== null && write.pays_from === null) {
    throw new DomainError('PAYS_FROM_STAYS')
  }
  const changes = changesOf(FIELDS, write, stored)
  if (stored && changes.length === 0) return toPayrollGroup(stored, today)
  const change = changeOf('payroll_group', name, changes)
  const saved = await saveGroup(db, write, { change, at: now.toISOString(), today })
  return toPayrollGroup(saved, today)
}
