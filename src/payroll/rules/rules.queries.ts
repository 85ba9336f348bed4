import { sql } from 'drizzle-orm'
import { selectCompany } from '../../company/company.queries.ts'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { changedBy } from '../../core/db/people-changes.queries.ts'
import {
  type Expression,
  expression,
  fieldsOf,
  first,
  firstOrFail,
  insertSelect,
  type Params,
  prepare,
  qb,
} from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind, isBranchUsed } from '../../core/db/shared-expressions.ts'
import { columns, flag, number, orNull, text } from '../../core/db/text-query.ts'
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

/** Who works in the branch of `rule`, or has worked there since the day before its first day. */
const worksInBranch = sql`closed.employee_id IN (
  SELECT employee_id FROM ${employees} WHERE branch_office = rule.subject
  UNION SELECT employee_id FROM ${logs} WHERE branch_office = rule.subject AND ${hasAnyStatusAndKind}
    AND recorded_at >= coalesce(date(rule.valid_from, '-1 day'), ''))`

const hasNoOwnShift = sql`NOT EXISTS (SELECT 1 FROM ${employee_shifts} AS own
  WHERE own.employee_id = closed.employee_id AND own.valid_from <= rule.valid_from)`

/** For each list, its columns, and the person `closed` to whom a rule for all or for one applies. */
const LISTS = {
  zones: {
    stored: sql`time_zone FROM ${branch_zones} WHERE branch_office IS rule.subject`,
    ofAll: 'true',
    ofOne: worksInBranch,
  },
  shifts: {
    stored: sql`max_shift_hours FROM ${employee_shifts} WHERE employee_id IS rule.subject`,
    ofAll: hasNoOwnShift,
    ofOne: 'closed.employee_id = rule.subject',
  },
} as const

/** The latest `before` of the active closings that paid somebody to whom the rule applies. */
const latestPaid = (applies: Expression) => sql`(SELECT max(closing.before)
  FROM ${closing_people} AS closed JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE ${isActiveClosing} AND ${expression(applies)})`

/**
 * The given rules, from a JSON array of `HourRule`, as `rule`. `position` is the index of each. The
 * stored value is null if there is none of the subject and day. `paid_before` is the first day that no
 * active closing has paid to anybody to whom the rule applies.
 */
const given = (list: RuleList, p: Params<{ rules: string }>) => {
  const { stored: fromStored, ofAll, ofOne } = LISTS[list]
  return sql`(SELECT *,
      (SELECT ${fromStored} AND valid_from = rule.valid_from ORDER BY id DESC LIMIT 1) AS stored_value,
      iif(subject IS NULL, ${latestPaid(ofAll)}, ${latestPaid(ofOne)}) AS paid_before
    FROM (SELECT key AS position, value ->> '$.subject' AS subject,
      value ->> '$.valid_from' AS valid_from, value ->> '$.value' AS value
      FROM json_each(${p.rules})) AS rule) AS rule`
}

const comparisonOf = (list: RuleList) =>
  prepare((p: Params<{ rules: string }>) =>
    qb
      .select(columns({ position: number, isNew: flag, differs: flag, paid_before: orNull(text) }))
      .from(
        sql`(SELECT position, stored_value IS NULL AS isNew, stored_value IS NOT value AS differs,
          paid_before FROM ${given(list, p)})`,
      )
      .orderBy(({ position }) => position),
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

interface NewRules {
  rules: string
  user_id: number | null
  at: string
}

const { subject, value } = fieldsOf('rule', 'subject', 'value')

/** The columns that both tables have. */
const commonColumns = (p: Params<NewRules>) => ({
  id: null,
  ...fieldsOf('rule', 'valid_from'),
  user_id: p.user_id,
  created_at: p.at,
})

/** The given rules that differ from the stored ones and change no paid day. */
const storable = (list: RuleList, p: Params<NewRules>) => sql`FROM ${given(list, p)}
  WHERE stored_value IS NOT value AND coalesce(paid_before, '') <= valid_from ORDER BY position`

const insertInto = {
  zones: prepare((p: Params<NewRules>) =>
    insertSelect(
      branch_zones,
      { ...commonColumns(p), branch_office: subject, time_zone: value },
      storable('zones', p),
    ).returning({ id: branch_zones.id }),
  ),
  shifts: prepare((p: Params<NewRules>) =>
    insertSelect(
      employee_shifts,
      { ...commonColumns(p), employee_id: subject, max_shift_hours: value },
      storable('shifts', p),
    ).returning({ id: employee_shifts.id }),
  ),
}

const selectZones = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(columns({ branch_office: orNull(text), time_zone: text, valid_from: orNull(text) }))
    .from(
      sql`(SELECT branch_office, time_zone, nullif(valid_from, '') AS valid_from FROM (${zoneRules})
        WHERE branch_office IS NULL OR ${isInScope('branch_office', p.scope)})`,
    )
    .orderBy(({ branch_office, valid_from }) => [branch_office, valid_from]),
)

const selectShifts = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(
      columns({
        employee_id: orNull(text),
        full_name: orNull(text),
        max_shift_hours: number,
        valid_from: orNull(text),
      }),
    )
    .from(
      // SQLite takes the other columns from the row of max().
      sql`(SELECT shift.employee_id, full_name, max_shift_hours, nullif(valid_from, '') AS valid_from
        FROM (SELECT employee_id, valid_from, max_shift_hours, max(id) FROM ${employee_shifts}
          GROUP BY employee_id, valid_from) AS shift
        LEFT JOIN ${employees} AS e ON e.employee_id = shift.employee_id
        WHERE shift.employee_id IS NULL OR ${isInScope('e.branch_office', p.scope)})`,
    )
    .orderBy(({ employee_id, valid_from }) => [employee_id, valid_from]),
)

/** All rules of hours, for a caller without a scope. */
const selectAllRules = () => ({
  zones: selectZones({ scope: null }),
  shifts: selectShifts({ scope: null }),
})

/** Compares one rule as `compareRules` does, and reads all rules. */
export const compareRule = async (db: AuthorizedDb, list: RuleList, rule: HourRule) =>
  db.batchOfAllBranches({
    compared: firstOrFail(selectComparison[list]({ rules: JSON.stringify([rule]) })),
    ...selectAllRules(),
  })

export type StoredRules = Pick<Awaited<ReturnType<typeof compareRule>>, 'zones' | 'shifts'>

const insertionOf = (db: AuthorizedDb, list: RuleList, rules: readonly HourRule[], at: string) =>
  insertInto[list]({ rules: JSON.stringify(rules), user_id: changedBy(db), at })

/** Adds the rules that differ from the stored ones and change no paid day. */
export const insertRules = async (
  db: AuthorizedDb,
  list: RuleList,
  rules: readonly HourRule[],
  at: string,
): Promise<void> => {
  await db.batchOfAllBranches({ added: insertionOf(db, list, rules, at) })
}

/**
 * Adds one rule, unless it is stored or would change a paid day: that is what it was compared with
 * just before. Returns all rules too.
 */
export const insertRule = async (db: AuthorizedDb, list: RuleList, rule: HourRule, at: string) =>
  db.batchOfAllBranches({
    compared: firstOrFail(selectComparison[list]({ rules: JSON.stringify([rule]) })),
    added: insertionOf(db, list, [rule], at),
    ...selectAllRules(),
  })

/** The company's name and the rules of hours within the caller's scope. */
export const readCompanyRules = async (db: AuthorizedDb) =>
  db.batch((scope) => ({
    company: first(selectCompany({})),
    zones: selectZones({ scope }),
    shifts: selectShifts({ scope }),
  }))

const selectBranchUse = prepare((p: Params<{ branch_office: string }>) =>
  qb.select({ used: isBranchUsed(p.branch_office).mapWith(Boolean) }).from(sql`(SELECT 1)`),
)

export const isBranchInUse = async (db: AuthorizedDb, branch_office: string): Promise<boolean> =>
  (await db.batchOfAllBranches({ use: firstOrFail(selectBranchUse({ branch_office })) })).use.used
