import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import type { Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { clock_numbers, waiting_punches } from '../core/tables/clocks.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import { insertClockAct } from './clock-changes.queries.ts'
import { isUnknownClock } from './clock-in-scope.queries.ts'

/** Dismisses punches that wait, such as those of somebody who is not an employee. */

interface Dismissal {
  serial: string
  /** Null for all numbers. */
  number: string | null
  /** Only punches that wait for this reason. Null for any reason. */
  wait_reason: string | null
  reason: string
  at: string
}

type DismissParams = Pick<Dismissal, 'serial' | 'number' | 'wait_reason'> & { user_id: number }

/** Nobody dismisses their own punches: those of a number that is theirs, or that is like their id. */
const isOwnPunch = (p: Params<DismissParams>) => sql`(
  ${employeeIdKey('number')} IS ${employeeIdKey(ownEmployeeId(p))}
  OR EXISTS (SELECT 1 FROM ${clock_numbers} AS row WHERE row.number = ${waiting_punches}.number
    AND row.serial IN (${p.serial}, '') AND row.employee_id = ${ownEmployeeId(p)}))`

const isDismissible = (p: Params<DismissParams>) =>
  sql`serial = ${p.serial} AND dismissed_at IS NULL
    AND (${p.number} IS NULL OR number = ${p.number})
    AND (${p.wait_reason} IS NULL OR iif(over_bound, 'over_bound', reason) = ${p.wait_reason}) AND NOT ${isOwnPunch(p)}`

const requireWaiting = prepare((p: Params<DismissParams & { scope: Scope }>) =>
  raiseIf(
    [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
    [
      sql`NOT EXISTS (SELECT 1 FROM ${waiting_punches} WHERE ${isDismissible(p)})`,
      'NOTHING_WAITING',
    ],
  ),
)

const insertDismissal = prepare((p: Params<Dismissal & { user_id: number }>) =>
  insertClockAct(p, {
    dismissed_punches: [
      null,
      sql`(SELECT count(*) FROM ${waiting_punches} WHERE ${isDismissible(p)})`,
    ],
  }),
)

const updateDismissed = prepare((p: Params<Dismissal & { user_id: number }>) =>
  qb
    .update(waiting_punches)
    .set({ dismissed_at: p.at, dismissed_by: p.user_id, dismissed_reason: p.reason })
    .where(isDismissible(p))
    .returning({ number: waiting_punches.number }),
)

/**
 * Dismisses waiting punches of a clock, and returns how many they were.
 * @throws DomainError CLOCK_NOT_FOUND or NOTHING_WAITING
 */
export const dismissWaiting = async (db: AuthorizedDb, dismissal: Dismissal): Promise<number> => {
  const values = { ...dismissal, user_id: db.claims.userId }
  const { dismissed } = await db.batch((scope) => ({
    check: requireWaiting({ ...values, scope }),
    change: insertDismissal(values),
    dismissed: updateDismissed(values),
  }))
  return dismissed.length
}
