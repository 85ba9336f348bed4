import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

/**
 * Rules that are valid from a day on: time zones of branches, longest shifts of people. Rows are
 * only added; of two rows for one day, the newer one counts.
 */

export type RuleList = 'branches' | 'employees'

interface Rules {
  table: string
  key: string
  column: string
  /** Selects the ids of the employees to whom the rule in `value` applies. */
  concerned: string
}

/** The widest day of any zone. */
const SINCE = `coalesce(date(value ->> '$.valid_from', '-1 day'), '')`

const RULES: Record<RuleList, Rules> = {
  branches: {
    table: 'branch_zones',
    key: 'branch_office',
    column: 'time_zone',
    concerned: `SELECT employee_id FROM employees WHERE branch_office = value ->> '$.branch_office'
      UNION SELECT employee_id FROM attendance_logs
      WHERE branch_office = value ->> '$.branch_office' AND recorded_at >= ${SINCE}`,
  },
  employees: {
    table: 'employee_shifts',
    key: 'employee_id',
    column: 'max_shift_hours',
    concerned: `SELECT value ->> '$.employee_id'`,
  },
}

/** A rule without a day has always been valid, which is stored as ''. */
const VALID_FROM = `coalesce(value ->> '$.valid_from', '')`

const newestText = ({ table, key, column }: Rules): string =>
  `(SELECT ${column} FROM ${table} WHERE ${key} = value ->> '$.${key}'
    AND valid_from = ${VALID_FROM} ORDER BY id DESC LIMIT 1)`

/** The first day that no active closing has paid to any of those employees. */
const paidBeforeText = ({ concerned }: Rules): string =>
  `(SELECT max(closing.before) FROM closing_people AS taken
    JOIN closings AS closing ON closing.id = taken.closing_id
    WHERE closing.completed_at IS NOT NULL AND closing.cancelled_at IS NULL
      AND taken.employee_id IN (${concerned}))`

const differsText = (rules: Rules): string =>
  `value ->> '$.${rules.column}' IS NOT NULL
    AND ${newestText(rules)} IS NOT value ->> '$.${rules.column}'`

/**
 * Whether a row of the file, as json_each's `value`, changes a rule, and whether it is a new one.
 */
export const ruleDiffers = (list: RuleList): string => differsText(RULES[list])
export const ruleIsNew = (list: RuleList): string => `${newestText(RULES[list])} IS NULL`

/** The rows that would change paid days, by index, with the first day that is not paid. */
export const findPaidRules = (db: D1, list: RuleList, rows: string) => {
  const rules = RULES[list]
  const text = `SELECT key, ${paidBeforeText(rules)} AS paid_before FROM json_each(?1)
    WHERE ${differsText(rules)} AND paid_before > ${VALID_FROM} ORDER BY key`
  return readRows<{ key: number; paid_before: string }>(db, text, rows)
}

const ofUnfinished = 'closing_id IN (SELECT id FROM closings WHERE completed_at IS NULL)'

/** Ends closings that are being written, since they may have read the old rules: each is a 409. */
const END_UNFINISHED = [
  `DELETE FROM closing_lines WHERE ${ofUnfinished}`,
  `DELETE FROM closing_people WHERE ${ofUnfinished}`,
  'DELETE FROM closings WHERE completed_at IS NULL',
]

/**
 * Adds the rules that differ from the newest ones; returns how many. It compares them with the paid
 * days again, since a closing may have been stored after `findPaidRules`.
 */
export const insertRules = async (db: D1, list: RuleList, rows: string): Promise<number> => {
  const rules = RULES[list]
  const newRules = `FROM json_each(?1)
    WHERE ${differsText(rules)} AND coalesce(${paidBeforeText(rules)}, '') <= ${VALID_FROM}`
  const insert = `INSERT INTO ${rules.table} (${rules.key}, valid_from, ${rules.column})
    SELECT value ->> '$.${rules.key}', ${VALID_FROM}, value ->> '$.${rules.column}' ${newRules}
    ORDER BY key`
  const ends = END_UNFINISHED.map((end) => `${end} AND EXISTS (SELECT 1 ${newRules})`)
  const results = await db.batch([...ends, insert].map((text) => db.prepare(text).bind(rows)))
  return results.at(-1)?.meta.changes ?? 0
}
