import { eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { columns, flag, orNull, text } from '../core/db/text-query.ts'
import { clock_numbers } from '../core/tables/clocks.ts'
import { employees } from '../core/tables/people.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { isUnknownClock, requireClock } from './clock-in-scope.queries.ts'
import { selectRowsOfNumber } from './punches/facts.queries.ts'
import { compareAgain, insertNumbers } from './punches/punches.queries.ts'
import { selectWaiting } from './punches/waiting.queries.ts'

/** The numbers of clocks as people see and name them. */

const clockNumber = columns({
  number: text,
  all_clocks: flag,
  is_named: flag,
  valid_from: orNull(text),
  employee_id: text,
  full_name: text,
})

const selectClockNumbers = prepare((p: Params<{ serial: string; scope: Scope }>) =>
  qb
    .select(clockNumber)
    .from(
      sql`(SELECT row.number, row.serial = '' AS all_clocks, row.user_id IS NOT NULL AS is_named,
          nullif(row.valid_from, '') AS valid_from, e.employee_id, e.full_name
        FROM (SELECT *, row_number() OVER (PARTITION BY number
              ORDER BY user_id IS NULL, serial = '', id DESC) AS position
            FROM ${clock_numbers} WHERE serial IN (${p.serial}, '')) AS row
          JOIN ${employees} AS e USING (employee_id)
        WHERE position = 1 AND ${isInScope('e.branch_office', p.scope)})`,
    )
    .orderBy(({ number }) => number),
)

/**
 * The numbers of a clock with the people of the caller's scope who have them now.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const listNumbers = async (db: AuthorizedDb, serial: string) => {
  const { numbers } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    numbers: selectClockNumbers({ serial, scope }),
  }))
  return numbers
}

export interface Naming {
  /** The clock at which the punches wait. */
  serial: string
  number: string
  employee_id: string
  /** Whether the number is the employee's on all clocks. */
  all_clocks: boolean
  /** Whether only the punches that wait now are the employee's, and not the number. */
  only_these: boolean
  /** Only punches that wait for this reason. Null for any reason. */
  wait_reason: string | null
}

type NamingParams = { serial: string; scope: Scope; user_id: number }

/** Whether a user has named the number for somebody whom the caller does not see. */
const isOutOfScope = (p: Params<Pick<NamingParams, 'serial' | 'scope'> & { number: string }>) =>
  sql`EXISTS (SELECT 1 FROM ${clock_numbers} AS row JOIN ${employees} AS e USING (employee_id)
    WHERE row.id IN (SELECT max(id) FROM ${clock_numbers} WHERE number = ${p.number}
        AND serial IN (${p.serial}, '') AND user_id IS NOT NULL GROUP BY serial)
      AND NOT ${isInScope('e.branch_office', p.scope)})`

const requireNameable = prepare(
  (p: Params<NamingParams & { number: string; employee_id: string; all_clocks: number }>) =>
    raiseIf(
      [sql`${p.all_clocks} AND ${p.scope} IS NOT NULL`, 'FORBIDDEN'],
      [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
      [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
      [eq(p.employee_id, ownEmployeeId(p)), 'OWN_NUMBER'],
      [isOutOfScope(p), 'NUMBER_OUT_OF_SCOPE'],
    ),
)

const nameableParams = (
  { serial, number, employee_id, all_clocks }: Naming,
  user_id: number,
  scope: Scope,
) => ({ serial, number, employee_id, all_clocks: Number(all_clocks), user_id, scope })

/**
 * Reads the rows of a number, the newest first, and its waiting punches that are not in the future.
 * @throws DomainError FORBIDDEN, CLOCK_NOT_FOUND, UNKNOWN_EMPLOYEE, OWN_NUMBER or NUMBER_OUT_OF_SCOPE
 */
export const readNumber = async (db: AuthorizedDb, naming: Naming, latest: string) => {
  const { number } = naming
  const serial = naming.all_clocks ? '' : naming.serial
  return db.batch((scope) => ({
    nameable: requireNameable(nameableParams(naming, db.claims.userId, scope)),
    rows: selectRowsOfNumber({ number }),
    waiting: selectWaiting({ serial, numbers: JSON.stringify([number]), latest }),
  }))
}

/** The statements that save whose a number is, if it may still be named as it was read. */
export const nameNumberStatements = (
  db: AuthorizedDb,
  naming: Naming,
  { valid_from, at }: { valid_from: string; at: string },
) => {
  const { number, employee_id } = naming
  const user_id = db.claims.userId
  const owners = JSON.stringify([[number, employee_id]])
  const serial = naming.all_clocks ? '' : naming.serial
  const nameable = requireNameable(nameableParams(naming, user_id, db.scope()))
  if (naming.only_these) return { nameable }
  return {
    nameable,
    named: insertNumbers({ serial, owners, valid_from, user_id, at }),
    again: compareAgain({ serial }),
  }
}
