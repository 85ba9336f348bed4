import { type AnyColumn, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { changedBy, type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import { first, insertSelect, jsonFields, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { cancellationCount, newestClosingId, ownEmployeeId } from '../core/db/shared-expressions.ts'
import { clocks, waiting_punches } from '../core/tables/clocks.ts'
import { isOneOf } from '../core/tables/columns.ts'
import { employee_sources, intake_sources } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_lines, closing_people, closings, isActiveClosing } from '../core/tables/payroll.ts'
import { employees, payroll_groups } from '../core/tables/people.ts'
import { invitations, users } from '../core/tables/users.ts'
import { LOG_KINDS } from '../core/values/log-values.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { nextTokenVersion } from '../session/session.queries.ts'
import {
  comparable,
  hasAllWords,
  nameAndId,
  type SearchWords,
  wordsOf,
} from './employees.queries.ts'

const { version, ...recordFields } = getTableColumns(employees)

/** The stored fields of an employee, except the version. */
export type EmployeeRecord = Omit<typeof employees.$inferSelect, 'version'>

export const RECORD_FIELDS = Object.keys(recordFields) as (keyof EmployeeRecord)[]

/** Whether a tax id is a person's own. Many people without one may share a generic one. */
export const isOwnRfc = (rfc: string): boolean => rfc !== '' && !/^X[AE]XX010101000$/i.test(rfc)

const shownFields = {
  ...recordFields,
  version,
  user: { id: users.id, email: users.email, role: users.role, active: users.active },
}

/** The key by which people are sorted: the name without accents and letter case. */
const nameKey = comparable(sql`${employees.full_name}`)

interface EmployeeFilter {
  q?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  payroll_group?: string | undefined
  /**
   * Whether the last day is not set, is today in the installation's zone, or is later. Undefined for
   * all employees.
   */
  active?: boolean | undefined
}

/** The name key and the id of the last employee of a page. */
type EmployeePosition = readonly [name: string, employeeId: string]

const given = (column: string, value: unknown) =>
  sql`(${value} IS NULL OR ${sql.identifier('employees')}.${sql.identifier(column)} = ${value})`

interface ListValues extends SearchWords {
  branch_office: string | null
  department: string | null
  payroll_group: string | null
  active: number | null
  today: string
  after_name: string
  after_id: string
  limit: number
  scope: Scope
}

const selectPage = prepare((p: Params<ListValues>) =>
  qb
    .select({ ...shownFields, name_key: sql<string>`${nameKey}`.as('name_key') })
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      sql`${hasAllWords(nameAndId, p)} AND ${isInScope(employees.branch_office, p.scope)}
        AND ${given('branch_office', p.branch_office)} AND ${given('department', p.department)}
        AND ${given('payroll_group', p.payroll_group)}
        AND (${p.active} IS NULL OR (coalesce(${employees.ended_at}, ${p.today}) >= ${p.today}) = ${p.active})
        AND (${nameKey}, ${employees.employee_id}) > (${p.after_name}, ${p.after_id})`,
    )
    .orderBy(nameKey, employees.employee_id)
    .limit(p.limit),
)

/** A page of the employees of the caller's scope, in the order of their names. */
export const listEmployeeRecords = async (
  db: AuthorizedDb,
  { q = '', branch_office, department, payroll_group, active }: EmployeeFilter,
  { after = ['', ''], limit, now }: { after?: EmployeePosition; limit: number; now: Date },
) => {
  const filter = {
    ...wordsOf(q),
    branch_office: branch_office ?? null,
    department: department ?? null,
    payroll_group: payroll_group ?? null,
    active: active === undefined ? null : Number(active),
  }
  const [after_name, after_id] = after
  const values = { ...filter, after_name, after_id, limit }
  const { rows } = await db.batch((scope, zones) => {
    const today = companyDay(now, zones)
    return { rows: selectPage({ ...values, today, scope }) }
  })
  return rows
}

const selectRecord = prepare((p: Params<{ employee_id: string; scope: Scope }>) =>
  qb
    .select(shownFields)
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      sql`${employees.employee_id} = ${p.employee_id}
        AND ${isInScope(employees.branch_office, p.scope)}`,
    ),
)

/** An employee of the caller's scope. Undefined if the scope has no employee with this id. */
export const findEmployeeRecord = async (db: AuthorizedDb, employee_id: string) => {
  const { row } = await db.batch((scope) => ({ row: first(selectRecord({ employee_id, scope })) }))
  return row
}

const hasUnpaidLogs = sql<number>`EXISTS (SELECT 1 FROM ${logs} AS log
  WHERE log.employee_id = ${employees.employee_id} AND log.status <> 'rejected'
    AND log.recorded_at >= coalesce((SELECT max(closed.end_at) FROM ${closing_people} AS closed
      JOIN ${closings} AS closing ON closing.id = closed.closing_id
      WHERE closed.employee_id = ${employees.employee_id} AND ${isActiveClosing}), ''))`

/**
 * Whether a source has not sent all logs up to `expected_until`. Only active sources that report
 * `complete_until` and have sent logs of people in the employee's branch are checked.
 */
const hasClockBehind = (p: Params<{ expected_until: string }>) =>
  sql<number>`${employees.branch_office} IN (SELECT colleague.branch_office
    FROM ${intake_sources} AS clock JOIN ${employee_sources} AS es ON es.source = clock.source
    JOIN ${employees} AS colleague ON colleague.employee_id = es.employee_id
    WHERE clock.retired_at IS NULL AND clock.complete_until < ${p.expected_until})`

interface Written {
  /** A JSON array of `EmployeeRecord`. */
  rows: string
}

interface StoredValues extends Written {
  scope: Scope
  expected_until: string
}

/** The stored rows of the employees to write. Rows outside of the scope are included. */
const selectStored = prepare((p: Params<StoredValues>) =>
  qb
    .select({
      ...shownFields,
      visible: sql<number>`${isInScope(employees.branch_office, p.scope)}`.as('visible'),
      user_scope: sql<string | null>`${users.scope_branches}`.as('user_scope'),
      user_version: sql<number | null>`${users.version}`.as('user_version'),
      has_unpaid_logs: hasUnpaidLogs.as('has_unpaid_logs'),
      has_clock_behind: hasClockBehind(p).as('has_clock_behind'),
    })
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      sql`${employees.employee_id} IN (SELECT value ->> 'employee_id' FROM json_each(${p.rows}))`,
    ),
)

const selectCaller = prepare((p: Params<{ user_id: number }>) =>
  qb
    .select({ employee_id: users.employee_id, role: users.role })
    .from(users)
    .where(eq(users.id, p.user_id)),
)

const selectGroups = prepare(() => qb.select({ name: payroll_groups.name }).from(payroll_groups))

/** The numbers of punches that wait at clocks of the scope because nobody is known to have them. */
const selectWaitingNumbers = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      number: sql<string>`number`.as('number'),
      branch_office: sql<string>`branch_office`.as('branch_office'),
      count: sql<number>`count(*)`.as('count'),
    })
    .from(sql`${waiting_punches} JOIN ${clocks} USING (serial)`)
    .where(
      sql`dismissed_at IS NULL AND reason = 'number' AND ${isInScope(sql`branch_office`, p.scope)}`,
    )
    .groupBy(sql`number, branch_office`),
)

interface Compared extends Written {
  scope: Scope
}

/** The ids of the scope, if one of the written employees is new. */
const selectIdsForNew = prepare((p: Params<Compared>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      sql`(SELECT count(*) FROM json_each(${p.rows})
          WHERE value ->> 'employee_id' NOT IN (SELECT employee_id FROM ${employees})) > 0
        AND ${isInScope(employees.branch_office, p.scope)}`,
    ),
)

/** The other employees of the scope who have an RFC of a written one, one for each RFC. */
const selectRfcOwners = prepare((p: Params<Compared & { rfcs: string }>) =>
  qb
    .select({
      rfc: employees.rfc,
      employee_id: sql<string>`min(${employees.employee_id})`.as('rfc_owner'),
    })
    .from(employees)
    .where(
      sql`${employees.rfc} IN (SELECT value FROM json_each(${p.rfcs}))
        AND ${employees.employee_id}
          NOT IN (SELECT value ->> 'employee_id' FROM json_each(${p.rows}))
        AND ${isInScope(employees.branch_office, p.scope)}`,
    )
    .groupBy(employees.rfc),
)

/** The combinations of branch and department within the scope. */
const selectPlaces = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .selectDistinct({
      branch_office: employees.branch_office,
      department: employees.department,
    })
    .from(employees)
    .where(isInScope(employees.branch_office, p.scope)),
)

/** Changes with each completed or cancelled closing. */
const closingsState = sql<string>`${newestClosingId} || ' ' || ${cancellationCount}`

const selectClosingsState = prepare(() =>
  qb.select({ state: closingsState.as('closings_state') }).from(sql`(SELECT 1)`),
)

/**
 * The last day after each new last day that active closings have paid. Only employees whose last
 * day changes are checked.
 */
const selectPaidAfterEnd = prepare((p: Params<Written>) =>
  qb
    .select({
      employee_id: sql<string>`employee_id`.as('paid_employee'),
      day: sql<string>`max(day)`.as('paid_day'),
      // SQLite takes this column from the row with `max(day)`.
      closing_id: sql<number>`closing_id`.as('paid_by'),
    })
    .from(
      sql`(SELECT line.employee_id, line.day, max(line.closing_id) AS closing_id
        FROM json_each(${p.rows}) AS written
        JOIN ${employees} AS e ON e.employee_id = written.value ->> 'employee_id'
          AND e.ended_at IS NOT written.value ->> 'ended_at'
        JOIN ${closing_lines} AS line ON line.employee_id = e.employee_id
          AND line.day > written.value ->> 'ended_at'
        JOIN ${closings} AS closing ON closing.id = line.closing_id
        WHERE ${isActiveClosing}
        GROUP BY line.employee_id, line.day HAVING sum(line.difference_seconds) > 0)`,
    )
    .groupBy(sql`employee_id`),
)

/** The first day by the rule: `paid_from`, or the later of the group's first day and the first day of work. */
const ruleDay = (paid_from: SQL, group: SQL, started_at: SQL) => sql`coalesce(${paid_from},
  max(coalesce((SELECT pays_from FROM ${payroll_groups} WHERE name = ${group}), ''), ${started_at}))`

const written = (field: keyof EmployeeRecord) => sql.raw(`written.value ->> '${field}'`)

/** A write without `paid_from` keeps the stored day. */
const writtenPaidFrom = sql`iif(json_type(written.value, '$.paid_from') IS NULL, e.paid_from,
  ${written('paid_from')})`

/**
 * The approved logs of days that a new `started_at` or `paid_from` would leave unpaid: from the stored
 * first day to the new one, if no active closing keeps them payable. SQLite has no days of zones, so a
 * day more is read on each side.
 */
const selectLeftOut = prepare((p: Params<Written>) =>
  qb
    .select({
      employee_id: sql<string>`person`.as('left_out_person'),
      from: sql<string>`from_day`.as('from_day'),
      until: sql<string>`until_day`.as('until_day'),
      logs: sql<[recorded_at: string, branch_office: string][]>`(
        SELECT json_group_array(json_array(recorded_at, branch_office))
        FROM ${logs} INDEXED BY attendance_logs_employee WHERE employee_id = person
          AND status = 'approved' AND ${isOneOf(logs.kind, LOG_KINDS)}
          AND recorded_at >= date(from_day, '-1 day')
          AND recorded_at < date(until_day, '+1 day'))`
        .mapWith(JSON.parse)
        .as('left_out_logs'),
    })
    .from(
      sql`(SELECT e.employee_id AS person,
          ${ruleDay(sql`e.paid_from`, sql`e.payroll_group`, sql`e.started_at`)} AS from_day,
          min(${ruleDay(writtenPaidFrom, written('payroll_group'), written('started_at'))},
            coalesce((SELECT min(closed.from_day) FROM ${closing_people} AS closed
              JOIN ${closings} AS closing ON closing.id = closed.closing_id
              WHERE closed.employee_id = e.employee_id AND ${isActiveClosing}), '9999')) AS until_day
        FROM json_each(${p.rows}) AS written
        JOIN ${employees} AS e ON e.employee_id = ${written('employee_id')}
        WHERE e.started_at <> ${written('started_at')} OR e.paid_from IS NOT ${writtenPaidFrom})`,
    )
    .where(sql`from_day < until_day`),
)

/** A clock is behind if it has not sent all logs up to an hour ago. */
const CLOCK_DELAY_MS = 3_600_000

/**
 * Reads what the rules and warnings of employees need: the stored rows of the employees to write,
 * the caller, the groups, the last paid day after each new last day, and what resembles the written
 * values.
 */
export const readForWrite = async (
  db: AuthorizedDb,
  written: readonly Pick<EmployeeRecord, 'employee_id' | 'rfc' | 'ended_at'>[],
  now: Date,
) => {
  const rows = JSON.stringify(written)
  const rfcs = JSON.stringify(written.map(({ rfc }) => rfc).filter(isOwnRfc))
  const expected_until = new Date(now.getTime() - CLOCK_DELAY_MS).toISOString()
  return db.batch((scope) => ({
    stored: selectStored({ rows, expected_until, scope }),
    caller: first(selectCaller({ user_id: db.claims.userId })),
    groups: selectGroups({}),
    closings: first(selectClosingsState({})),
    paidAfterEnd: selectPaidAfterEnd({ rows }),
    leftOut: selectLeftOut({ rows }),
    ids: selectIdsForNew({ rows, scope }),
    rfcOwners: selectRfcOwners({ rows, rfcs, scope }),
    places: selectPlaces({ scope }),
    waitingNumbers: selectWaitingNumbers({ scope }),
  }))
}

export type StoredForWrite = Awaited<ReturnType<typeof readForWrite>>

interface Expected {
  /** A JSON array of `ExpectedPerson`. */
  people: string
  closings_state: string
}

/** An employee and the linked user as they were read. The version is 0 for who does not exist. */
export interface ExpectedPerson {
  employee_id: string
  version: number
  user_id: number | null
  user_version: number
}

/** Whether an employee, or the user who is linked to the employee, has changed since they were read. */
export const haveMoved = (people: SQL) => sql`EXISTS (SELECT 1 FROM json_each(${people}) AS expected
  LEFT JOIN ${employees} AS e ON e.employee_id = expected.value ->> 'employee_id'
  LEFT JOIN ${users} AS u ON u.employee_id = e.employee_id
  WHERE coalesce(e.version, 0) <> expected.value ->> 'version'
    OR u.id IS NOT expected.value ->> 'user_id'
    OR coalesce(u.version, 0) <> expected.value ->> 'user_version')`

/** The rules have been checked on what was read. It must still be so. */
const requireUnchanged = prepare((p: Params<Expected>) =>
  raiseIf([
    sql`${haveMoved(p.people)}
      OR ${closingsState} <> ${p.closings_state}`,
    'EMPLOYEE_MOVED',
  ]),
)

const upsertEmployees = prepare((p: Params<Written>) =>
  insertSelect(
    employees,
    { ...jsonFields(recordFields), version: sql`1` },
    sql`FROM json_each(${p.rows}) WHERE true`,
  ).onConflictDoUpdate({
    target: employees.employee_id,
    set: Object.fromEntries(RECORD_FIELDS.map((name) => [name, sql.raw(`excluded."${name}"`)])),
  }),
)

const isLeaving = (user: AnyColumn, p: Params<{ leaving: string }>) =>
  sql`${user} IN (SELECT value FROM json_each(${p.leaving}))`

const deactivateUsers = prepare((p: Params<{ leaving: string }>) =>
  qb
    .update(users)
    .set({ active: 0, token_version: nextTokenVersion })
    .where(isLeaving(users.id, p)),
)

const deleteInvitations = prepare((p: Params<{ leaving: string }>) =>
  qb.delete(invitations).where(isLeaving(invitations.user_id, p)),
)

interface EmployeeWrites {
  /** The rows that are new or differ from the stored ones. */
  rows: readonly EmployeeRecord[]
  /** All checked employees, as they were read. */
  expected: readonly ExpectedPerson[]
  read: Pick<StoredForWrite, 'closings'>
  /** The ids of the users who are deactivated. */
  leaving: readonly number[]
  changes: readonly PeopleChange[]
  at: string
}

/**
 * Writes employees and the record of their changes, all or nothing. Returns the first employee as
 * it is stored.
 * @throws DomainError EMPLOYEE_MOVED if an employee, a linked user or the closings have changed since
 * they were read
 */
export const saveEmployees = async (
  db: AuthorizedDb,
  { changes, at, expected, read, ...writes }: EmployeeWrites,
) => {
  const values = { rows: JSON.stringify(writes.rows), leaving: JSON.stringify(writes.leaving) }
  // The rows have only changed employees, so the id is taken from the expected ones.
  const employee_id = expected[0]?.employee_id ?? ''
  const { employee } = await db.batch((scope) => ({
    check: requireUnchanged({
      people: JSON.stringify(expected),
      closings_state: read.closings?.state ?? '',
    }),
    employees: upsertEmployees(values),
    users: deactivateUsers(values),
    invitations: deleteInvitations(values),
    changes: recordChanges(changes, at, changedBy(db)),
    employee: first(selectRecord({ employee_id, scope })),
  }))
  return employee
}

const requireDeletable = prepare(
  (p: Params<{ employee_id: string; version: number; scope: Scope; user_id: number }>) =>
    raiseIf(
      [
        sql`NOT EXISTS (SELECT 1 FROM ${employees} WHERE employee_id = ${p.employee_id}
              AND version = ${p.version} AND ${isInScope(employees.branch_office, p.scope)})`,
        'EMPLOYEE_MOVED',
      ],
      [sql`${p.employee_id} IS ${ownEmployeeId(p)}`, 'OWN_EMPLOYEE'],
    ),
)

const deleteRow = prepare((p: Params<{ employee_id: string }>) =>
  qb.delete(employees).where(eq(employees.employee_id, p.employee_id)),
)

/**
 * @throws DomainError EMPLOYEE_MOVED, OWN_EMPLOYEE, or EMPLOYEE_IN_USE if events name the employee
 * @throws Error about a foreign key if other rows refer to the employee
 */
export const removeEmployee = async (
  db: AuthorizedDb,
  { employee_id, version }: { employee_id: string; version: number },
  { changes, at }: { changes: readonly PeopleChange[]; at: string },
): Promise<void> => {
  const user_id = db.claims.userId
  await db.batch((scope) => ({
    check: requireDeletable({ employee_id, version, scope, user_id }),
    employee: deleteRow({ employee_id }),
    changes: recordChanges(changes, at, changedBy(db)),
  }))
}
