import { and, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, type Params, prepare, qb, valuesOf } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName, ownEmployeeId } from '../core/db/shared-expressions.ts'
import { columns, flag, number, orNull, text, word } from '../core/db/text-query.ts'
import { clock_numbers, clocks, unknown_clocks, waiting_punches } from '../core/tables/clocks.ts'
import { intake_sources } from '../core/tables/intake.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import type { WaitReason } from '../core/values/log-values.ts'

/** The clocks as people see them. */

/** Until when a clock is known that has not sent anything: a day before its first day, for any zone. */
export const startOf = (from_day: SQLWrapper) =>
  sql`date(${from_day}, '-1 day') || 'T00:00:00.000Z'`

export interface Caller {
  user_id: number
  scope: Scope
}

/** Whether the caller has added or moved the clock since somebody else confirmed it. */
export const isOwnClock = (p: Params<Caller>) =>
  sql`EXISTS (SELECT 1 FROM json_each(${clocks.unconfirmed}) WHERE value = ${p.user_id})`

/** The named numbers of the clock, and of all clocks, that nobody else has confirmed. */
export const unconfirmedNumbers = (p: Params<Caller>, serial: SQLWrapper) =>
  sql`${clock_numbers} AS row JOIN ${employees} AS e USING (employee_id)
    WHERE row.unconfirmed AND row.serial IN (${serial}, '')
      AND ${isInScope('e.branch_office', p.scope)}`

export const hasNumbersOfOthers = (p: Params<Caller>, serial: SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM ${unconfirmedNumbers(p, serial)} AND row.user_id <> ${p.user_id})`

/** Whether the caller has one of the roles that keep people. */
const keepsPeople = (p: Params<{ user_id: number; keeper_roles: string }>) =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${p.user_id}
    AND ${users.role} IN ${valuesOf(p.keeper_roles)})`

const clockFields = columns({
  serial: text,
  label: orNull(text),
  branch_office: text,
  uses_keys: flag,
  from_day: text,
  retired: flag,
  version: number,
  last_seen_at: orNull(text),
  address: orNull(text),
  seconds_off: orNull(number),
  complete_until: orNull(text),
  receiving: flag,
  added_by: orNull(text),
  confirmed_by: orNull(text),
  unconfirmed: flag,
  unconfirmed_numbers: number,
  may_confirm: flag,
})

/**
 * Of addresses, the one that somebody has said, or else the one from which it calls. A clock is
 * `receiving` if it has not said that it has sent all since it was added, or its first day is an
 * earlier one.
 */
const clocksInScope = (p: Params<Caller>, mayKeep = sql`true`) => sql`(
  SELECT ${clocks.serial}, source.label, ${clocks.branch_office}, ${clocks.uses_keys},
    ${clocks.from_day}, source.retired_at IS NOT NULL AS retired, ${clocks.version},
    ${clocks.called_at} AS last_seen_at,
    iif(${clocks.own_address_by} IS NULL, ${clocks.address}, ${clocks.own_address}) AS address,
    ${clocks.seconds_off}, source.complete_until,
    source.retired_at IS NULL AND source.complete_until IS ${startOf(clocks.from_day)} AS receiving,
    (SELECT ${fullName} FROM ${users} WHERE ${users.id} = ${clocks.added_by}) AS added_by,
    (SELECT ${fullName} FROM ${users} WHERE ${users.id} = ${clocks.confirmed_by}) AS confirmed_by,
    ${clocks.unconfirmed} IS NOT NULL AS unconfirmed,
    (SELECT count(*) FROM ${unconfirmedNumbers(p, clocks.serial)}) AS unconfirmed_numbers,
    ${mayKeep} AND NOT ${isOwnClock(p)}
      AND (${clocks.unconfirmed} IS NOT NULL OR ${hasNumbersOfOthers(p, clocks.serial)}) AS may_confirm
  FROM ${clocks} JOIN ${intake_sources} AS source
    ON source.source = 'clock ' || lower(${clocks.serial})
  WHERE ${isInScope(clocks.branch_office, p.scope)})`

const selectClocks = prepare((p: Params<Caller & { keeper_roles: string }>) =>
  qb
    .select(clockFields)
    .from(clocksInScope(p, keepsPeople(p)))
    .orderBy(({ serial }) => serial),
)

export const selectClock = prepare((p: Params<Caller & { serial: string }>) =>
  qb
    .select(clockFields)
    .from(clocksInScope(p))
    .where(({ serial }) => eq(serial, p.serial)),
)

/** The most unknown clocks that are shown. */
const UNKNOWN_SHOWN = 200

const selectUnknown = prepare(
  (p: Params<{ scope: Scope; user_id: number; keeper_roles: string }>) =>
    qb
      .select()
      .from(unknown_clocks)
      .where(and(isNull(p.scope), keepsPeople(p)))
      // Each address has its newest one shown before any has its second.
      .orderBy(
        sql`row_number() OVER (PARTITION BY address ORDER BY last_at DESC, serial), last_at DESC, serial`,
      )
      .limit(UNKNOWN_SHOWN),
)

const waitingGroup = columns({
  serial: text,
  number: text,
  reason: word<WaitReason>(),
  over_bound: flag,
  count: number,
  first_at: text,
  last_at: text,
})

/** The most groups of waiting punches that are shown of each clock. */
const GROUPS_SHOWN = 100

const selectWaitingGroups = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(waitingGroup)
    .from(
      sql`(SELECT serial, number, reason, over_bound, count(*) AS count,
          min(coalesce(recorded_at, arrived_at)) AS first_at,
          max(coalesce(recorded_at, arrived_at)) AS last_at,
          row_number() OVER (PARTITION BY serial
            ORDER BY count(*) DESC, number, reason, over_bound) AS position
        FROM ${waiting_punches} WHERE dismissed_at IS NULL AND serial IN (
          SELECT serial FROM ${clocks} WHERE ${isInScope('branch_office', p.scope)})
        GROUP BY serial, number, reason, over_bound)`,
    )
    .where(sql`position <= ${sql.raw(String(GROUPS_SHOWN))}`)
    .orderBy(sql`serial, position`),
)

/**
 * The clocks of the caller's scope with the punches that wait, and, for a caller without a scope
 * who keeps people, the clocks that nobody has added.
 */
export const listClocks = async (db: AuthorizedDb, keeperRoles: readonly string[]) =>
  db.batch((scope) => {
    const caller = { scope, user_id: db.claims.userId, keeper_roles: JSON.stringify(keeperRoles) }
    return {
      clocks: selectClocks(caller),
      unknown: selectUnknown(caller),
      waiting: selectWaitingGroups({ scope }),
    }
  })

/** Undefined if there is no such clock in the caller's scope. */
export const getClock = async (db: AuthorizedDb, serial: string) => {
  const user_id = db.claims.userId
  const { clock } = await db.batch((scope) => ({
    clock: first(selectClock({ serial, user_id, scope })),
  }))
  return clock
}

const selectOwnEmployee = prepare((p: Params<{ user_id: number }>) =>
  qb
    .select(columns({ employee_id: orNull(text) }))
    .from(sql`(SELECT ${ownEmployeeId(p)} AS employee_id)`),
)

/** The clock, if it is in the caller's scope, and the caller's own employee. */
export const readForUpload = async (db: AuthorizedDb, serial: string) => {
  const user_id = db.claims.userId
  const { clock, own } = await db.batch((scope) => ({
    clock: first(selectClock({ serial, user_id, scope })),
    own: first(selectOwnEmployee({ user_id })),
  }))
  return { clock, employee_id: own?.employee_id ?? null }
}
