import { type SQL, sql } from 'drizzle-orm'
import { selectCompany } from '../../company/company.queries.ts'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { changedBy } from '../../core/db/people-changes.queries.ts'
import { first, insertSelect, type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind, isBranchUsed } from '../../core/db/shared-expressions.ts'
import { zoneRules } from '../../core/db/zones.ts'
import { branch_zones } from '../../core/tables/company.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import {
  closing_people,
  closings,
  employee_shifts,
  isActiveClosing,
} from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'

/**
 * The rules by which hours are counted: the zones of branches and of the company, and the longest
 * shifts of people and of everybody. A rule is valid from its day on, and is never changed. If two
 * rules have the same day, the newer one is used.
 */

/** A rule of `zones` is of a branch or of the company, a rule of `shifts` of a person or everybody. */
export type RuleList = 'zones' | 'shifts'

export interface HourRule {
  /** The branch or the employee id. Null for the company or for everybody. */
  subject: string | null
  /** The first local day. '' if the rule is valid on all days. */
  valid_from: string
  /** The time zone, or the hours. */
  value: string | number
}

/** The given rules, from a JSON array of `HourRule`. `position` is the index of each. */
const given = (p: Params<{ rules: string }>) => sql`(SELECT key AS position,
    value ->> '$.subject' AS subject, value ->> '$.valid_from' AS valid_from, value ->> '$.value' AS value
  FROM json_each(${p.rules})) AS rule`

const STORED = {
  zones: {
    table: branch_zones,
    subject: branch_zones.branch_office,
    value: branch_zones.time_zone,
  },
  shifts: {
    table: employee_shifts,
    subject: employee_shifts.employee_id,
    value: employee_shifts.max_shift_hours,
  },
} as const

/** The stored value of a given rule's subject and day. Null if there is none. */
const storedValue = (list: RuleList) => {
  const { table, subject, value } = STORED[list]
  return sql`(SELECT ${value} FROM ${table}
    WHERE ${subject} IS rule.subject AND ${table}.valid_from = rule.valid_from
    ORDER BY ${table}.id DESC LIMIT 1)`
}

/** The latest `before` of the active closings. Only closings of people whom the rule concerns count. */
const latestPaid = (isConcerned: SQL) => sql`(SELECT max(closing.before)
  FROM ${closing_people} AS closed JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE ${isActiveClosing} AND ${isConcerned})`

/** Who works in the branch, or has worked there since the day before the rule's first day. */
const ofBranch = sql`closed.employee_id IN (
  SELECT employee_id FROM ${employees} WHERE branch_office = rule.subject
  UNION SELECT employee_id FROM ${logs} WHERE branch_office = rule.subject AND ${hasAnyStatusAndKind}
    AND recorded_at >= coalesce(date(rule.valid_from, '-1 day'), ''))`

const hasNoOwnShift = sql`NOT EXISTS (SELECT 1 FROM ${employee_shifts} AS own
  WHERE own.employee_id = closed.employee_id AND own.valid_from <= rule.valid_from)`

/** The first day that no active closing has paid to anybody to whom the rule applies. */
const PAID_BEFORE: Record<RuleList, SQL> = {
  zones: sql`iif(rule.subject IS NULL, ${latestPaid(sql`true`)}, ${latestPaid(ofBranch)})`,
  shifts: sql`iif(rule.subject IS NULL, ${latestPaid(hasNoOwnShift)},
    ${latestPaid(sql`closed.employee_id = rule.subject`)})`,
}

const comparisonOf = (list: RuleList) =>
  prepare((p: Params<{ rules: string }>) =>
    qb
      .select({
        position: sql<number>`position`.as('position'),
        isNew: sql`${storedValue(list)} IS NULL`.mapWith(Boolean).as('is_new'),
        differs: sql`${storedValue(list)} IS NOT rule.value`.mapWith(Boolean).as('differs'),
        paid_before: sql<string | null>`${PAID_BEFORE[list]}`.as('paid_before'),
      })
      .from(given(p))
      .orderBy(sql`position`),
  )

const selectComparison = { zones: comparisonOf('zones'), shifts: comparisonOf('shifts') }

/**
 * Compares rules with the stored ones, and says from which day each may hold: not from a day that
 * an active closing has paid to anybody to whom the rule applies.
 */
export const compareRules = async (
  db: AuthorizedDb,
  list: RuleList,
  rules: readonly HourRule[],
) => {
  const values = { rules: JSON.stringify(rules) }
  return (await db.batchOfAllBranches({ rules: selectComparison[list](values) })).rules
}

/** Rules that differ from the stored ones and change no paid day. */
const storable = (list: RuleList) => sql`${storedValue(list)} IS NOT rule.value
  AND coalesce(${PAID_BEFORE[list]}, '') <= rule.valid_from`

interface NewRules {
  rules: string
  user_id: number | null
  at: string
}

/** The columns that both tables have. */
const commonColumns = (p: Params<NewRules>) => ({
  id: null,
  valid_from: sql`rule.valid_from`,
  user_id: p.user_id,
  created_at: p.at,
})

const insertZones = prepare((p: Params<NewRules>) =>
  insertSelect(
    branch_zones,
    {
      ...commonColumns(p),
      branch_office: sql`rule.subject`,
      time_zone: sql`rule.value`,
    },
    sql`FROM ${given(p)} WHERE ${storable('zones')} ORDER BY position`,
  ).returning({ id: branch_zones.id }),
)

const insertShifts = prepare((p: Params<NewRules>) =>
  insertSelect(
    employee_shifts,
    {
      ...commonColumns(p),
      employee_id: sql`rule.subject`,
      max_shift_hours: sql`rule.value`,
    },
    sql`FROM ${given(p)} WHERE ${storable('shifts')} ORDER BY position`,
  ).returning({ id: employee_shifts.id }),
)

const selectZones = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      branch_office: sql<string | null>`branch_office`.as('branch_office'),
      time_zone: sql<string>`time_zone`.as('time_zone'),
      valid_from: sql<string | null>`nullif(valid_from, '')`.as('valid_from_day'),
    })
    .from(sql`(${zoneRules})`)
    .where(sql`branch_office IS NULL OR ${isInScope(sql`branch_office`, p.scope)}`)
    .orderBy(sql`branch_office, valid_from`),
)

const selectShifts = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      employee_id: sql<string | null>`shift.employee_id`.as('employee_id'),
      full_name: sql<string | null>`${employees.full_name}`.as('full_name'),
      max_shift_hours: sql<number>`max_shift_hours`.as('max_shift_hours'),
      valid_from: sql<string | null>`nullif(valid_from, '')`.as('valid_from_day'),
    })
    .from(
      // SQLite takes the other columns from the row of max().
      sql`(SELECT employee_id, valid_from, max_shift_hours, max(id) FROM ${employee_shifts}
        GROUP BY employee_id, valid_from) AS shift`,
    )
    .leftJoin(employees, sql`${employees.employee_id} = shift.employee_id`)
    .where(sql`shift.employee_id IS NULL OR ${isInScope(employees.branch_office, p.scope)}`)
    .orderBy(sql`shift.employee_id, valid_from`),
)

/** All rules of hours, for a caller without a scope. */
const selectAllRules = () => ({
  zones: selectZones({ scope: null }),
  shifts: selectShifts({ scope: null }),
})

/** Compares one rule as `compareRules` does, and reads all rules. */
export const compareRule = async (db: AuthorizedDb, list: RuleList, rule: HourRule) =>
  db.batchOfAllBranches({
    compared: first(selectComparison[list]({ rules: JSON.stringify([rule]) })),
    ...selectAllRules(),
  })

export type StoredRules = Pick<Awaited<ReturnType<typeof compareRule>>, 'zones' | 'shifts'>

/**
 * Adds the rules that differ from the stored ones and change no paid day. Returns how many were
 * added, and all rules.
 */
export const insertRules = async (
  db: AuthorizedDb,
  list: RuleList,
  rules: readonly HourRule[],
  at: string,
) => {
  const values = { rules: JSON.stringify(rules), user_id: changedBy(db), at }
  const { added, zones, shifts } = await db.batchOfAllBranches({
    added: list === 'zones' ? insertZones(values) : insertShifts(values),
    ...selectAllRules(),
  })
  return { count: added.length, zones, shifts }
}

/** The company's name and the rules of hours within the caller's scope. */
export const readCompanyRules = async (db: AuthorizedDb) =>
  db.batch((scope) => ({
    company: first(selectCompany({})),
    zones: selectZones({ scope }),
    shifts: selectShifts({ scope }),
  }))

const selectBranchUse = prepare((p: Params<{ branch_office: string }>) =>
  qb
    .select({
      used: isBranchUsed(p.branch_office).mapWith(Boolean).as('used'),
    })
    .from(sql`(SELECT 1)`),
)

export const isBranchInUse = async (db: AuthorizedDb, branch_office: string): Promise<boolean> =>
  (await db.batchOfAllBranches({ use: first(selectBranchUse({ branch_office })) })).use?.used ??
  false
