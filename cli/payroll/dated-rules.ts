import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

/**
 * Rules that are valid from a given day: the time zone of a branch, the longest shift of a person.
 * Rows are never changed. If two rows have the same day, the newer one is used.
 */

export type RuleSubject = 'branches' | 'employees'

interface Rules {
  table: string
  key: string
  column: string
  /** Selects the ids of the employees to whom the rule in `value` applies. */
  concerned: string
}

/** The day before a rule's first day. A local day may begin 14 hours before the same day of UTC. */
const DAY_BEFORE = `coalesce(date(value ->> '$.valid_from', '-1 day'), '')`

const RULES: Record<RuleSubject, Rules> = {
  branches: {
    table: 'branch_zones',
    key: 'branch_office',
    column: 'time_zone',
    concerned: `SELECT employee_id FROM employees WHERE branch_office = value ->> '$.branch_office'
      UNION SELECT employee_id FROM attendance_logs
      WHERE branch_office = value ->> '$.branch_office' AND recorded_at >= ${DAY_BEFORE}`,
  },
  employees: {
    table: 'employee_shifts',
    key: 'employee_id',
    column: 'max_shift_hours',
    concerned: `SELECT value ->> '$.employee_id'`,
  },
}

/** A rule without a day is valid from the beginning, which is stored as ''. */
const VALID_FROM = `coalesce(value ->> '$.valid_from', '')`

const newestText = ({ table, key, column }: Rules): string =>
  `(SELECT ${column} FROM ${table} WHERE ${key} = value ->> '$.${key}'
    AND valid_from = ${VALID_FROM} ORDER BY id DESC LIMIT 1)`

/** Selects the first day that no active closing has paid to any of the employees. */
const paidBeforeText = ({ concerned }: Rules): string =>
  `(SELECT max(closing.before) FROM closing_people AS taken
    JOIN closings AS closing ON closing.id = taken.closing_id
    WHERE closing.completed_at IS NOT NULL AND closing.cancelled_at IS NULL
      AND taken.employee_id IN (${concerned}))`

const differsText = (rules: Rules): string =>
  `value ->> '$.${rules.column}' IS NOT NULL
    AND ${newestText(rules)} IS NOT value ->> '$.${rules.column}'`

/**
 * SQL conditions on a row of the file, which is the `value` of json_each. The first one tests
 * whether the row adds or changes a rule. The second one tests whether the rule is new.
 */
export const ruleDiffers = (list: RuleSubject): string => differsText(RULES[list])
export const ruleIsNew = (list: RuleSubject): string => `${newestText(RULES[list])} IS NULL`

/**
 * Finds rows that would change paid days. `key` is the index of a row, and `paid_before` the first
 * day that is not paid.
 */
export const findPaidRules = (db: D1, list: RuleSubject, rows: string) => {
  const rules = RULES[list]
  const text = `SELECT key, ${paidBeforeText(rules)} AS paid_before FROM json_each(?1)
    WHERE ${differsText(rules)} AND paid_before > ${VALID_FROM} ORDER BY key`
  return readRows<{ key: number; paid_before: string }>(db, text, rows)
}

const OF_UNFINISHED_CLOSINGS = 'closing_id IN (SELECT id FROM closings WHERE completed_at IS NULL)'

/** Deletes unfinished closings, which may have read the old rules. Their requests fail with 409. */
const DELETE_UNFINISHED = [
  `DELETE FROM closing_lines WHERE ${OF_UNFINISHED_CLOSINGS}`,
  `DELETE FROM closing_people WHERE ${OF_UNFINISHED_CLOSINGS}`,
  'DELETE FROM closings WHERE completed_at IS NULL',
]

/**
 * Adds the rules that differ from the stored ones, and returns the number of added rules. Skips
 * rules that would change paid days, since a closing may have been stored after `findPaidRules`.
 */
export const insertRules = async (db: D1, list: RuleSubject, rows: string): Promise<number> => {
  const rules = RULES[list]
  const newRules = `FROM json_each(?1)
    WHERE ${differsText(rules)} AND coalesce(${paidBeforeText(rules)}, '') <= ${VALID_FROM}`
  const insert = `INSERT INTO ${rules.table} (${rules.key}, valid_from, ${rules.column})
    SELECT value ->> '$.${rules.key}', ${VALID_FROM}, value ->> '$.${rules.column}' ${newRules}
    ORDER BY key RETURNING id`
  const ends = DELETE_UNFINISHED.map((end) => `${end} AND EXISTS (SELECT 1 ${newRules})`)
  const results = await db.batch([...ends, insert].map((text) => db.prepare(text).bind(rows)))
  // D1's number of changes would also count the events that a trigger adds.
  return results.at(-1)?.results.length ?? 0
}
