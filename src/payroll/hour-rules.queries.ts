import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { closing_people, closings, employees, isActiveClosing } from '../core/db/schema.ts'

/** The rules by which closings have counted their days. `hour-rules.ts` compares them. */

const paidRules = {
  rules: sql<string>`closing.rules`.as('rules'),
  before: sql<string>`max(closing.before)`.as('paid_before'),
}

/**
 * The distinct rules of active closings. Each has the latest `before` of the closings that have
 * these rules.
 */
export const selectPaidRules = prepare(() =>
  qb
    .select(paidRules)
    .from(sql`${closings} AS closing`)
    .where(isActiveClosing)
    .groupBy(sql`closing.rules`),
)

/** Like `selectPaidRules`, for the closings that paid any of the chosen people. */
export const selectPaidRulesOf = (isChosen: SQL) =>
  qb
    .select(paidRules)
    .from(sql`${closings} AS closing`)
    .where(
      sql`${isActiveClosing} AND EXISTS (SELECT 1 FROM ${closing_people} AS closed
        CROSS JOIN ${employees} ON ${employees.employee_id} = closed.employee_id
        WHERE closed.closing_id = closing.id AND ${isChosen})`,
    )
    .groupBy(sql`closing.rules`)

const selectRulesOfClosing = prepare((p: Params<{ id: number }>) =>
  selectPaidRulesOf(
    sql`closed.employee_id IN (SELECT employee_id FROM ${closing_people} WHERE closing_id = ${p.id})`,
  ),
)

/** The rules of all active closings. */
export const readHourRules = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches({ rules: selectPaidRules({}) })).rules

/** The rules of the active closings that paid any person of a closing. */
export const readRulesOfClosing = async (db: AuthorizedDb, id: number) =>
  (await db.batchOfAllBranches({ rules: selectRulesOfClosing({ id }) })).rules
