import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { jsonBoolean } from '../core/db/source-changes.queries.ts'
import { clock_numbers, clocks } from '../core/tables/clocks.ts'
import { insertClockAct, storedClock } from './clock-changes.queries.ts'
import { isUnknownClock } from './clock-in-scope.queries.ts'
import {
  type Caller,
  hasNumbersOfOthers,
  isOwnClock,
  selectClock,
  unconfirmedNumbers,
} from './clocks.queries.ts'

/** Somebody else than who added or moved a clock, or named its numbers, confirms it. */

interface Confirmation extends Caller {
  serial: string
  at: string
}

/** Nobody confirms what they did. If others have named numbers, these can still be confirmed. */
const requireConfirmable = prepare((p: Params<Confirmation>) =>
  raiseIf(
    [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
    [
      sql`EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.serial} = ${p.serial} AND (${isOwnClock(p)}
        OR (${clocks.unconfirmed} IS NULL AND NOT ${hasNumbersOfOthers(p, p.serial)}
          AND EXISTS (SELECT 1 FROM ${unconfirmedNumbers(p, p.serial)}))))`,
      'OWN_CLOCK',
    ],
  ),
)

const insertConfirmation = prepare((p: Params<Confirmation>) =>
  insertClockAct(p, {
    confirmed: [jsonBoolean(storedClock('unconfirmed IS NULL', p)), sql`json('true')`],
    confirmed_numbers: [
      null,
      sql`(SELECT nullif(count(*), 0) FROM ${unconfirmedNumbers(p, p.serial)} AND row.user_id <> ${p.user_id})`,
    ],
  }),
)

const setConfirmed = prepare((p: Params<Confirmation>) =>
  qb
    .update(clocks)
    .set({ confirmed_by: p.user_id, unconfirmed: null })
    .where(and(eq(clocks.serial, p.serial), isNotNull(clocks.unconfirmed))),
)

const setNumbersConfirmed = prepare((p: Params<Confirmation>) =>
  qb
    .update(clock_numbers)
    .set({ unconfirmed: 0 })
    .where(
      sql`id IN (SELECT row.id FROM ${unconfirmedNumbers(p, p.serial)}
        AND row.user_id <> ${p.user_id})`,
    ),
)

/**
 * Confirms a clock, and whose its numbers are, as far as others have named them for people of the
 * caller's scope. Confirming again changes nothing.
 * @throws DomainError CLOCK_NOT_FOUND, or OWN_CLOCK for who added or moved the clock
 */
export const confirmClock = async (db: AuthorizedDb, serial: string, at: string) => {
  const user_id = db.claims.userId
  const { clock } = await db.batch((scope) => {
    const values = { serial, user_id, at, scope }
    return {
      check: requireConfirmable(values),
      change: insertConfirmation(values),
      confirmed: setConfirmed(values),
      numbers: setNumbersConfirmed(values),
      clock: firstOrFail(selectClock({ serial, user_id, scope })),
    }
  })
  return clock
}
