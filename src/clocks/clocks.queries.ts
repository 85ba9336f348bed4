import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName, ownEmployeeId } from '../core/db/shared-expressions.ts'
import {
  changesOfFields,
  insertSourceChange,
  jsonBoolean,
} from '../core/db/source-changes.queries.ts'
import { clock_numbers, clocks, unknown_clocks, waiting_punches } from '../core/tables/clocks.ts'
import { intake_sources } from '../core/tables/intake.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { employeeIdKey, isUnknownEmployee } from '../people/employees.queries.ts'
import { insertClockAct, storedClock } from './clock-changes.queries.ts'
import { isUnknownClock } from './clock-in-scope.queries.ts'
import { insertNumbers, selectRowsOfNumber } from './numbers.queries.ts'
import { compareAgain, selectWaiting, type WaitReason } from './punches.queries.ts'
import { sourceOf } from './serial.ts'

/** The clocks as people see and change them. */

/** Until when a clock is known that has not sent anything: a day before its first day, for any zone. */
const startOf = (from_day: SQL): SQL => sql`date(${from_day}, '-1 day') || 'T00:00:00.000Z'`

export interface Caller {
  user_id: number
  scope: Scope
}

const nameOf = (id: SQLWrapper) =>
  sql<string | null>`(SELECT ${fullName} FROM ${users} WHERE ${users.id} = ${id})`

/** Whether the caller has added or moved the clock since somebody else confirmed it. */
export const isOwnClock = (p: Params<Caller>) =>
  sql`EXISTS (SELECT 1 FROM json_each(${clocks.unconfirmed}) WHERE value = ${p.user_id})`

/** The named numbers of the clock, and of all clocks, that nobody else has confirmed. */
export const unconfirmedNumbers = (p: Params<Caller>, serial: SQLWrapper) =>
  sql`${clock_numbers} AS row JOIN ${employees} AS e USING (employee_id)
    WHERE row.unconfirmed AND row.serial IN (${serial}, '')
      AND ${isInScope(sql`e.branch_office`, p.scope)}`

export const hasNumbersOfOthers = (p: Params<Caller>, serial: SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM ${unconfirmedNumbers(p, serial)} AND row.user_id <> ${p.user_id})`

/** Whether the caller has one of the roles that keep people. */
const keepsPeople = (p: Params<{ user_id: number; keeper_roles: string }>) =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${p.user_id}
    AND ${users.role} IN (SELECT value FROM json_each(${p.keeper_roles})))`

const clockFields = (p: Params<Caller>, mayKeep = sql`true`) => ({
  serial: sql<string>`${clocks.serial}`.as('serial'),
  label: sql<string | null>`${intake_sources.label}`.as('label'),
  branch_office: sql<string>`${clocks.branch_office}`.as('branch_office'),
  uses_keys: sql`${clocks.uses_keys}`.mapWith(Boolean).as('uses_keys'),
  from_day: sql<string>`${clocks.from_day}`.as('from_day'),
  retired: sql`${intake_sources.retired_at} IS NOT NULL`.mapWith(Boolean).as('retired'),
  version: sql<number>`${clocks.version}`.as('version'),
  last_seen_at: sql<string | null>`${clocks.called_at}`.as('last_seen_at'),
  // The one that somebody has said, or else the one from which it calls.
  address: sql<string | null>`iif(${clocks.own_address_by} IS NULL, ${clocks.address},
    ${clocks.own_address})`.as('address'),
  seconds_off: sql<number | null>`${clocks.seconds_off}`.as('seconds_off'),
  complete_until: sql<string | null>`${intake_sources.complete_until}`.as('complete_until'),
  // Since it was added, or its first day is an earlier one, it has not said that it has sent all.
  receiving: sql`(${intake_sources.retired_at} IS NULL
      AND ${intake_sources.complete_until} IS ${startOf(sql`${clocks.from_day}`)})`
    .mapWith(Boolean)
    .as('receiving'),
  added_by: nameOf(clocks.added_by).as('added_by'),
  confirmed_by: nameOf(clocks.confirmed_by).as('confirmed_by'),
  unconfirmed: sql`${clocks.unconfirmed} IS NOT NULL`.mapWith(Boolean).as('is_unconfirmed'),
  unconfirmed_numbers: sql<number>`(SELECT count(*)
    FROM ${unconfirmedNumbers(p, clocks.serial)})`.as('unconfirmed_numbers'),
  may_confirm: sql`(${mayKeep} AND NOT ${isOwnClock(p)}
    AND (${clocks.unconfirmed} IS NOT NULL OR ${hasNumbersOfOthers(p, clocks.serial)}))`
    .mapWith(Boolean)
    .as('may_confirm'),
})

const withSource = sql`${clocks} JOIN ${intake_sources}
  ON ${intake_sources.source} = 'clock ' || lower(${clocks.serial})`

const selectClocks = prepare((p: Params<Caller & { keeper_roles: string }>) =>
  qb
    .select(clockFields(p, keepsPeople(p)))
    .from(withSource)
    .where(isInScope(clocks.branch_office, p.scope))
    .orderBy(sql`${clocks.serial}`),
)

export const selectClock = prepare((p: Params<Caller & { serial: string }>) =>
  qb
    .select(clockFields(p))
    .from(withSource)
    .where(sql`${clocks.serial} = ${p.serial} AND ${isInScope(clocks.branch_office, p.scope)}`),
)

/** The most unknown clocks that are shown. */
const UNKNOWN_SHOWN = 200

const selectUnknown = prepare(
  (p: Params<{ scope: Scope; user_id: number; keeper_roles: string }>) =>
    qb
      .select()
      .from(unknown_clocks)
      .where(sql`${p.scope} IS NULL AND ${keepsPeople(p)}`)
      // Each address has its newest one shown before any has its second.
      .orderBy(
        sql`row_number() OVER (PARTITION BY address ORDER BY last_at DESC, serial), last_at DESC, serial`,
      )
      .limit(UNKNOWN_SHOWN),
)

/** The most groups of waiting punches that are shown of each clock. */
const GROUPS_SHOWN = 100

/** Why a punch waits, as somebody may choose it. */
const chosenReason = sql`iif(over_bound, 'over_bound', reason)`

const waitingGroups = (p: Params<{ scope: Scope }>) => sql`(SELECT serial, number,
    reason, over_bound,
    count(*) AS count, min(coalesce(recorded_at, arrived_at)) AS first_at,
    max(coalesce(recorded_at, arrived_at)) AS last_at,
    row_number() OVER (PARTITION BY serial ORDER BY count(*) DESC, number, reason, over_bound) AS position
  FROM ${waiting_punches} WHERE dismissed_at IS NULL AND serial IN (
    SELECT serial FROM ${clocks} WHERE ${isInScope(sql`branch_office`, p.scope)})
  GROUP BY serial, number, reason, over_bound)`

const selectWaitingGroups = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      serial: sql<string>`serial`.as('serial'),
      number: sql<string>`number`.as('number'),
      reason: sql<WaitReason>`reason`.as('reason'),
      over_bound: sql`over_bound`.mapWith(Boolean).as('over_bound'),
      count: sql<number>`count`.as('count'),
      first_at: sql<string>`first_at`.as('first_at'),
      last_at: sql<string>`last_at`.as('last_at'),
    })
    .from(waitingGroups(p))
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
    .select({ employee_id: sql<string | null>`${ownEmployeeId(p)}`.as('employee_id') })
    .from(sql`(SELECT 1)`),
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

export interface ClockWrite {
  serial: string
  label: string | null
  branch_office: string
  uses_keys: boolean
  from_day: string
  retired: boolean
  /** The version that was read. 0 for a new clock. */
  expected_version: number
  /** Whether a new clock may be one that has not called. */
  has_not_called: boolean
  at: string
}

interface WriteParams {
  serial: string
  source: string
  label: string | null
  branch_office: string
  uses_keys: number
  from_day: string
  retired_at: string | null
  expected_version: number
  has_not_called: number
  user_id: number
  at: string
}

const storedVersion = (p: Params<WriteParams>): SQL =>
  sql`coalesce((SELECT version FROM ${clocks} WHERE serial = ${p.serial}), 0)`

const hasCalled = (p: Params<WriteParams>): SQL =>
  sql`EXISTS (SELECT 1 FROM ${unknown_clocks} WHERE serial = ${p.serial})`

const requireWritable = prepare((p: Params<WriteParams>) =>
  raiseIf(
    [sql`${p.expected_version} > 0 AND ${storedVersion(p)} = 0`, 'CLOCK_NOT_FOUND'],
    [sql`${p.expected_version} = 0 AND ${storedVersion(p)} > 0`, 'CLOCK_EXISTS'],
    [sql`${storedVersion(p)} <> ${p.expected_version}`, 'CLOCK_MOVED'],
    [
      sql`${p.expected_version} = 0 AND NOT ${p.has_not_called} AND NOT ${hasCalled(p)}`,
      'CLOCK_NEVER_CALLED',
    ],
  ),
)

const storedSource = (column: SQLWrapper, p: Params<WriteParams>) =>
  sql`(SELECT ${column} FROM ${intake_sources} WHERE ${intake_sources.source} = ${p.source})`

const insertClockChange = prepare((p: Params<WriteParams>) =>
  insertSourceChange(p, {
    subject: 'clock',
    source: sql`${p.source}`,
    branch: sql`${p.branch_office}`,
    changes: changesOfFields([
      { field: 'label', before: storedSource(intake_sources.label, p), after: sql`${p.label}` },
      {
        field: 'branch_office',
        before: storedClock(clocks.branch_office, p),
        after: sql`${p.branch_office}`,
      },
      {
        field: 'uses_keys',
        before: jsonBoolean(storedClock(clocks.uses_keys, p)),
        after: jsonBoolean(sql`${p.uses_keys}`),
      },
      { field: 'from_day', before: storedClock(clocks.from_day, p), after: sql`${p.from_day}` },
      {
        field: 'retired',
        before: jsonBoolean(storedSource(sql`${intake_sources.retired_at} IS NOT NULL`, p)),
        after: jsonBoolean(sql`${p.retired_at} IS NOT NULL`),
      },
    ]),
  }),
)

const isMoved = sql`excluded.branch_office <> ${clocks.branch_office}`

const upsertClock = prepare((p: Params<WriteParams>) =>
  qb
    .insert(clocks)
    .values({
      serial: p.serial,
      branch_office: p.branch_office,
      uses_keys: p.uses_keys,
      from_day: p.from_day,
      added_by: p.user_id,
      unconfirmed: sql`json_array(${p.user_id})`,
    })
    .onConflictDoUpdate({
      target: clocks.serial,
      set: {
        // In another branch its punches have another time and are of other people.
        confirmed_by: sql`iif(${isMoved}, NULL, ${clocks.confirmed_by})`,
        unconfirmed: sql`iif(${isMoved} AND ${p.user_id} NOT IN (
            SELECT value FROM json_each(${clocks.unconfirmed})),
          json_insert(coalesce(${clocks.unconfirmed}, '[]'), '$[#]', ${p.user_id}),
          ${clocks.unconfirmed})`,
        branch_office: sql`excluded.branch_office`,
        uses_keys: sql`excluded.uses_keys`,
        from_day: sql`excluded.from_day`,
        // The clock sends earlier days again, and is known until then no more than from the new day on.
        resend: sql`${clocks.resend} OR excluded.from_day < ${clocks.from_day}`,
        // The waiting punches may be of people of the new branch.
        compared_change: sql`-1`,
        version: sql`${clocks.version} + 1`,
      },
    }),
)

const lowersFirstDay = (p: Params<WriteParams>): SQL => sql`EXISTS (SELECT 1 FROM ${clocks}
  WHERE serial = ${p.serial} AND from_day > ${p.from_day})`

/** A clock that is retired already keeps its moment of retirement. */
const upsertSource = prepare((p: Params<WriteParams>) =>
  qb
    .insert(intake_sources)
    .values({
      source: p.source,
      // Earlier days are not kept, so that nothing of them is missing.
      complete_until: sql`iif(${p.has_not_called}, NULL, ${startOf(p.from_day)})`,
      last_seen_at: p.at,
      retired_at: p.retired_at,
      label: p.label,
    })
    .onConflictDoUpdate({
      target: intake_sources.source,
      set: {
        label: sql`excluded.label`,
        complete_until: sql`iif(${lowersFirstDay(p)}, min(${intake_sources.complete_until},
          ${startOf(p.from_day)}), ${intake_sources.complete_until})`,
        retired_at: sql`iif(excluded.retired_at IS NULL, NULL,
          coalesce(${intake_sources.retired_at}, excluded.retired_at))`,
      },
    }),
)

const deleteUnknown = prepare((p: Params<{ serial: string }>) =>
  qb.delete(unknown_clocks).where(eq(unknown_clocks.serial, p.serial)),
)

/** @throws DomainError CLOCK_NOT_FOUND, CLOCK_EXISTS, CLOCK_MOVED or CLOCK_NEVER_CALLED */
export const saveClock = async (db: AuthorizedDb, write: ClockWrite) => {
  const { serial, uses_keys, retired, has_not_called, ...rest } = write
  const values = {
    ...rest,
    serial,
    source: sourceOf(serial),
    uses_keys: Number(uses_keys),
    retired_at: retired ? write.at : null,
    has_not_called: Number(has_not_called),
    user_id: db.claims.userId,
  }
  const { clock } = await db.batch(() => ({
    check: requireWritable(values),
    change: insertClockChange(values),
    // It compares the first day with the one that is still stored.
    source: upsertSource(values),
    saved: upsertClock(values),
    known: deleteUnknown({ serial }),
    clock: firstOrFail(selectClock({ serial, user_id: values.user_id, scope: null })),
  }))
  return clock
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
      AND NOT ${isInScope(sql`e.branch_office`, p.scope)})`

const requireNameable = prepare(
  (p: Params<NamingParams & { number: string; employee_id: string; all_clocks: number }>) =>
    raiseIf(
      [sql`${p.all_clocks} AND ${p.scope} IS NOT NULL`, 'FORBIDDEN'],
      [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
      [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
      [sql`${p.employee_id} = ${ownEmployeeId(p)}`, 'OWN_NUMBER'],
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
const isOwn = (p: Params<DismissParams>) => sql`(
  ${employeeIdKey(sql`number`)} IS ${employeeIdKey(ownEmployeeId(p))}
  OR EXISTS (SELECT 1 FROM ${clock_numbers} AS row WHERE row.number = ${waiting_punches}.number
    AND row.serial IN (${p.serial}, '') AND row.employee_id = ${ownEmployeeId(p)}))`

const isDismissible = (p: Params<DismissParams>) =>
  sql`serial = ${p.serial} AND dismissed_at IS NULL
    AND (${p.number} IS NULL OR number = ${p.number})
    AND (${p.wait_reason} IS NULL OR ${chosenReason} = ${p.wait_reason}) AND NOT ${isOwn(p)}`

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
  insertClockAct(p, [
    {
      field: 'dismissed_punches',
      before: sql`NULL`,
      after: sql`(SELECT count(*) FROM ${waiting_punches} WHERE ${isDismissible(p)})`,
    },
  ]),
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
