import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  changedBy,
  type PeopleChange,
  recordChanges,
} from '../../core/db/people-changes.queries.ts'
import { firstOrFail, matches, type Params, prepare, qb } from '../../core/db/query.ts'
import { raiseIf } from '../../core/db/raise.ts'
import { closing_people, closings, isActiveClosing } from '../../core/tables/payroll.ts'
import { employees, payroll_groups } from '../../core/tables/people.ts'
import { companyDay } from '../../core/values/time-zone.ts'

/**
 * The `before` of the last active closing of the whole group, or of everybody, that took somebody of
 * the group. Closings of one person do not count.
 */
const paidBeforeOf = (group: SQL) => sql<string | null>`(SELECT closing.before
  FROM ${closings} AS closing
  WHERE ${isActiveClosing} AND closing.employee_id IS NULL
    AND coalesce(closing.payroll_group, ${group}) = ${group}
    AND EXISTS (SELECT 1 FROM ${closing_people} AS closed
      WHERE closed.closing_id = closing.id AND closed.payroll_group = ${group})
  ORDER BY closing.before DESC LIMIT 1)`

interface GroupsParams {
  /** The name of one group. Null for all groups. */
  name: string | null
  today: string
}

const selectGroups = prepare((p: Params<GroupsParams>) =>
  qb
    .select({
      payroll_group: sql<string>`${payroll_groups.name}`.as('group_name'),
      people: sql<number>`(SELECT count(*) FROM ${employees}
        WHERE ${employees.payroll_group} = ${payroll_groups.name}
          AND coalesce(${employees.ended_at}, ${p.today}) >= ${p.today})`.as('people'),
      calendar: payroll_groups.calendar,
      pays_from: payroll_groups.pays_from,
      version: payroll_groups.version,
      paid_before: paidBeforeOf(sql`${payroll_groups.name}`).as('paid_before'),
    })
    .from(payroll_groups)
    .where(matches(payroll_groups.name, p.name))
    .orderBy(payroll_groups.name),
)

/** The groups by name, with the number of people who have not left. `name` is null for all groups. */
export const readGroups = async (db: AuthorizedDb, name: string | null, now: Date) => {
  const { groups } = await db.batch((_scope, zones) => ({
    groups: selectGroups({ name, today: companyDay(now, zones) }),
  }))
  return groups
}

export type StoredGroup = Awaited<ReturnType<typeof readGroups>>[number]

interface Write {
  payroll_group: string
  calendar: string
  pays_from: string | null
  /** The version that was read. 0 if there was no such group. */
  expected_version: number
}

const requireUnchanged = prepare((p: Params<Write>) =>
  raiseIf([
    sql`coalesce((SELECT version FROM ${payroll_groups} WHERE name = ${p.payroll_group}), 0)
      <> ${p.expected_version}`,
    'GROUP_MOVED',
  ]),
)

const upsertGroup = prepare((p: Params<Write>) =>
  qb
    .insert(payroll_groups)
    .values({ name: p.payroll_group, calendar: p.calendar, pays_from: p.pays_from })
    .onConflictDoUpdate({
      target: payroll_groups.name,
      set: {
        calendar: sql`excluded.calendar`,
        pays_from: sql`excluded.pays_from`,
        version: sql`${payroll_groups.version} + 1`,
      },
    }),
)

/**
 * Writes a group and the record of its change. Returns the group as it is stored.
 * @throws DomainError GROUP_MOVED if the group has changed since it was read
 */
export const saveGroup = async (
  db: AuthorizedDb,
  write: Write,
  { change, at, today }: { change: PeopleChange; at: string; today: string },
): Promise<StoredGroup> => {
  const { saved } = await db.batchOfAllBranches({
    check: requireUnchanged(write),
    group: upsertGroup(write),
    change: recordChanges([change], at, changedBy(db)),
    saved: firstOrFail(selectGroups({ name: write.payroll_group, today })),
  })
  return saved
}
