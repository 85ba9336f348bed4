import { eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import { clocks, intake_sources, unknown_clocks, waiting_punches } from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { insertNumbers } from './numbers.queries.ts'
import { sourceOf } from './serial.ts'

/** The clocks as people see and change them. */

const clockFields = {
  serial: sql<string>`${clocks.serial}`.as('serial'),
  label: sql<string | null>`${intake_sources.label}`.as('label'),
  branch_office: sql<string>`${clocks.branch_office}`.as('branch_office'),
  uses_keys: sql`${clocks.uses_keys}`.mapWith(Boolean).as('uses_keys'),
  from_day: sql<string>`${clocks.from_day}`.as('from_day'),
  retired: sql`${intake_sources.retired_at} IS NOT NULL`.mapWith(Boolean).as('retired'),
  version: sql<number>`${clocks.version}`.as('version'),
  last_seen_at: sql<string | null>`${clocks.called_at}`.as('last_seen_at'),
  address: sql<string | null>`${clocks.address}`.as('address'),
  seconds_off: sql<number | null>`${clocks.seconds_off}`.as('seconds_off'),
}

const withSource = sql`${clocks} JOIN ${intake_sources}
  ON ${intake_sources.source} = 'clock ' || lower(${clocks.serial})`

const selectClocks = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(clockFields)
    .from(withSource)
    .where(isInScope(clocks.branch_office, p.scope))
    .orderBy(sql`${clocks.serial}`),
)

const selectClock = prepare((p: Params<{ serial: string; scope: Scope }>) =>
  qb
    .select(clockFields)
    .from(withSource)
    .where(sql`${clocks.serial} = ${p.serial} AND ${isInScope(clocks.branch_office, p.scope)}`),
)

const selectUnknown = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select()
    .from(unknown_clocks)
    .where(sql`${p.scope} IS NULL`)
    .orderBy(sql`last_at DESC, serial`),
)

/** The most groups of waiting punches that are shown. */
const GROUPS_SHOWN = 500

const selectWaitingGroups = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      serial: waiting_punches.serial,
      number: waiting_punches.number,
      reason: waiting_punches.reason,
      count: sql<number>`count(*)`.as('count'),
      first_at: sql<string>`min(coalesce(recorded_at, arrived_at))`.as('first_at'),
      last_at: sql<string>`max(coalesce(recorded_at, arrived_at))`.as('last_at'),
    })
    .from(waiting_punches)
    .where(
      sql`dismissed_at IS NULL AND EXISTS (SELECT 1 FROM ${clocks}
        WHERE ${clocks}.serial = ${waiting_punches}.serial
          AND ${isInScope(sql`${clocks}.branch_office`, p.scope)})`,
    )
    .groupBy(sql`serial, number, reason`)
    .orderBy(sql`serial, count(*) DESC, number, reason`)
    .limit(GROUPS_SHOWN),
)

/**
 * The clocks of the caller's scope with the punches that wait, and, for a caller without a scope,
 * the clocks that nobody has added.
 */
export const listClocks = async (db: AuthorizedDb) =>
  db.batch((scope) => ({
    clocks: selectClocks({ scope }),
    unknown: selectUnknown({ scope }),
    waiting: selectWaitingGroups({ scope }),
  }))

/** Undefined if there is no such clock in the caller's scope. */
export const getClock = async (db: AuthorizedDb, serial: string) => {
  const { clock } = await db.batch((scope) => ({ clock: first(selectClock({ serial, scope })) }))
  return clock
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
  at: string
}

const storedVersion = (p: Params<WriteParams>): SQL =>
  sql`coalesce((SELECT version FROM ${clocks} WHERE serial = ${p.serial}), 0)`

const hasCalled = (p: Params<WriteParams>): SQL =>
  sql`EXISTS (SELECT 1 FROM ${unknown_clocks} WHERE serial = ${p.serial})`

const requireWritable = prepare((p: Params<WriteParams>) =>
  raiseIf(
    [sql`${p.expected_version} > 0 AND ${storedVersion(p)} = 0`, 'CLOCK_NOT_FOUND'],
    [sql`${storedVersion(p)} <> ${p.expected_version}`, 'CLOCK_MOVED'],
    [
      sql`${p.expected_version} = 0 AND NOT ${p.has_not_called} AND NOT ${hasCalled(p)}`,
      'CLOCK_NEVER_CALLED',
    ],
  ),
)

const upsertClock = prepare((p: Params<WriteParams>) =>
  qb
    .insert(clocks)
    .values({
      serial: p.serial,
      branch_office: p.branch_office,
      uses_keys: p.uses_keys,
      from_day: p.from_day,
    })
    .onConflictDoUpdate({
      target: clocks.serial,
      set: {
        branch_office: sql`excluded.branch_office`,
        uses_keys: sql`excluded.uses_keys`,
        from_day: sql`excluded.from_day`,
        version: sql`${clocks.version} + 1`,
      },
    }),
)

/** A clock that is retired already keeps its moment of retirement. */
const upsertSource = prepare((p: Params<WriteParams>) =>
  qb
    .insert(intake_sources)
    .values({
      source: p.source,
      last_seen_at: p.at,
      retired_at: p.retired_at,
      label: p.label,
    })
    .onConflictDoUpdate({
      target: intake_sources.source,
      set: {
        label: sql`excluded.label`,
        retired_at: sql`iif(excluded.retired_at IS NULL, NULL,
          coalesce(${intake_sources.retired_at}, excluded.retired_at))`,
      },
    }),
)

const deleteUnknown = prepare((p: Params<{ serial: string }>) =>
  qb.delete(unknown_clocks).where(eq(unknown_clocks.serial, p.serial)),
)

/** @throws DomainError CLOCK_NOT_FOUND, CLOCK_MOVED or CLOCK_NEVER_CALLED */
export const saveClock = async (db: AuthorizedDb, write: ClockWrite) => {
  const { serial, uses_keys, retired, has_not_called, ...rest } = write
  const values = {
    ...rest,
    serial,
    source: sourceOf(serial),
    uses_keys: Number(uses_keys),
    retired_at: retired ? write.at : null,
    has_not_called: Number(has_not_called),
  }
  const { clock } = await db.batchOfAllBranches({
    check: requireWritable(values),
    saved: upsertClock(values),
    source: upsertSource(values),
    known: deleteUnknown({ serial }),
    clock: firstOrFail(selectClock({ serial, scope: null })),
  })
  return clock
}

export interface Naming {
  /** The clock at which the punches wait. */
  serial: string
  number: string
  employee_id: string
  /** Whether the number is the employee's on all clocks. */
  all_clocks: boolean
  /** The local day of today. */
  today: string
  at: string
}

type NamingParams = { serial: string; scope: Scope; user_id: number }

const isUnknownClock = (p: Params<Pick<NamingParams, 'serial' | 'scope'>>): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.serial} = ${p.serial}
    AND ${isInScope(clocks.branch_office, p.scope)})`

const requireNameable = prepare(
  (p: Params<NamingParams & { employee_id: string; all_clocks: number }>) =>
    raiseIf(
      [sql`${p.all_clocks} AND ${p.scope} IS NOT NULL`, 'FORBIDDEN'],
      [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
      [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
      [sql`${p.employee_id} = ${ownEmployeeId(p)}`, 'OWN_NUMBER'],
    ),
)

/**
 * The statements that save whose a number is. The first one throws FORBIDDEN, CLOCK_NOT_FOUND,
 * UNKNOWN_EMPLOYEE or OWN_NUMBER.
 */
export const nameNumberStatements = (naming: Naming, user_id: number, scope: Scope) => {
  const { serial, number, employee_id, today, at } = naming
  const all_clocks = Number(naming.all_clocks)
  const owners = JSON.stringify([[number, employee_id]])
  const of = naming.all_clocks ? '' : serial
  return {
    nameable: requireNameable({ serial, employee_id, all_clocks, scope, user_id }),
    named: insertNumbers({ serial: of, owners, today, user_id, at }),
  }
}

interface Dismissal {
  serial: string
  number: string
  reason: string
  at: string
}

const requireWaiting = prepare((p: Params<{ serial: string; number: string; scope: Scope }>) =>
  raiseIf(
    [isUnknownClock(p), 'CLOCK_NOT_FOUND'],
    [
      sql`NOT EXISTS (SELECT 1 FROM ${waiting_punches}
        WHERE serial = ${p.serial} AND number = ${p.number} AND dismissed_at IS NULL)`,
      'NOTHING_WAITING',
    ],
  ),
)

const updateDismissed = prepare((p: Params<Dismissal & { user_id: number }>) =>
  qb
    .update(waiting_punches)
    .set({ dismissed_at: p.at, dismissed_by: p.user_id, dismissed_reason: p.reason })
    .where(sql`serial = ${p.serial} AND number = ${p.number} AND dismissed_at IS NULL`)
    .returning({ number: waiting_punches.number }),
)

/**
 * Dismisses the waiting punches of a number, and returns how many they were.
 * @throws DomainError CLOCK_NOT_FOUND or NOTHING_WAITING
 */
export const dismissWaiting = async (db: AuthorizedDb, dismissal: Dismissal): Promise<number> => {
  const { serial, number } = dismissal
  const { dismissed } = await db.batch((scope) => ({
    check: requireWaiting({ serial, number, scope }),
    dismissed: updateDismissed({ ...dismissal, user_id: db.claims.userId }),
  }))
  return dismissed.length
}
