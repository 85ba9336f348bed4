import { eq, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { clocks, intake_sources, unknown_clocks } from '../core/db/schema.ts'
import { selectZoneRules } from '../core/db/zones.ts'
import { zonesFrom } from '../core/time-zone.ts'
import { upsertSource } from '../intake/intake.queries.ts'
import { sourceOf } from './serial.ts'

/** The calls of clocks: who calls, from which address, and whether it has sent everything. */

const selectCaller = prepare((p: Params<{ serial: string; source: string }>) =>
  qb
    .select({
      serial: clocks.serial,
      branch_office: clocks.branch_office,
      uses_keys: sql`${clocks.uses_keys}`.mapWith(Boolean).as('uses_keys'),
      from_day: clocks.from_day,
      stamp: clocks.stamp,
      punched_at: clocks.punched_at,
      address: clocks.address,
      called_at: clocks.called_at,
      retired: sql`${intake_sources.retired_at} IS NOT NULL`.mapWith(Boolean).as('retired'),
      complete_until: intake_sources.complete_until,
    })
    .from(clocks)
    .leftJoin(intake_sources, eq(intake_sources.source, p.source))
    .where(eq(clocks.serial, p.serial)),
)

const setPunchedAt = prepare((p: Params<{ serial: string; at: string }>) =>
  qb.update(clocks).set({ punched_at: p.at }).where(eq(clocks.serial, p.serial)),
)

/**
 * The clock with the zones of the branches. Undefined if nobody has added it.
 * @param punchesAt the moment of the call if it brings punches. It is stored even if the punches
 * cannot be, so that the clock does not seem to have sent everything.
 */
export const findClock = async (db: BatchDb, serial: string, punchesAt: string | undefined) => {
  const { clock, rules } = await db.batchOfAllBranches({
    clock: first(selectCaller({ serial, source: sourceOf(serial) })),
    rules: selectZoneRules({}),
    ...(punchesAt !== undefined && { punched: setPunchedAt({ serial, at: punchesAt }) }),
  })
  return clock && { ...clock, zones: zonesFrom(rules) }
}

export type CallingClock = NonNullable<Awaited<ReturnType<typeof findClock>>>

interface Call {
  serial: string
  address: string
  at: string
}

const setCall = prepare((p: Params<Call>) =>
  qb.update(clocks).set({ address: p.address, called_at: p.at }).where(eq(clocks.serial, p.serial)),
)

/** @param completeUntil null if the clock may have more to send */
export const saveCall = async (
  db: BatchDb,
  call: Call,
  completeUntil: string | null,
): Promise<void> => {
  const source = sourceOf(call.serial)
  await db.batchOfAllBranches({
    call: setCall(call),
    source: upsertSource({ source, complete_until: completeUntil, at: call.at }),
  })
}

interface UnknownCall extends Call {
  /** A later call is stored only if the last stored one is from before this moment. */
  seldom: string
  /** The start of the UTC day. */
  today: string
  /** Clocks that have not called since are forgotten. */
  oldest: string
}

/** The maximum number of new unknown clocks a day. */
const UNKNOWN_PER_DAY = 200

const upsertUnknown = prepare((p: Params<UnknownCall>) =>
  qb
    .insert(unknown_clocks)
    .select(
      sql`SELECT ${p.serial}, ${p.at}, ${p.at}, ${p.address} WHERE
        EXISTS (SELECT 1 FROM ${unknown_clocks} WHERE serial = ${p.serial})
        OR ${sql.raw(String(UNKNOWN_PER_DAY))} >
          (SELECT count(*) FROM ${unknown_clocks} WHERE first_at >= ${p.today})`,
    )
    .onConflictDoUpdate({
      target: unknown_clocks.serial,
      set: { last_at: sql`excluded.last_at`, address: sql`excluded.address` },
      setWhere: sql`${unknown_clocks.last_at} < ${p.seldom}`,
    }),
)

const deleteOldUnknown = prepare((p: Params<{ oldest: string }>) =>
  qb.delete(unknown_clocks).where(sql`${unknown_clocks.last_at} < ${p.oldest}`),
)

/** Remembers the call of a clock that nobody has added. */
export const saveUnknownCall = async (db: BatchDb, call: UnknownCall): Promise<void> => {
  await db.batchOfAllBranches({
    old: deleteOldUnknown({ oldest: call.oldest }),
    call: upsertUnknown(call),
  })
}

const selectUnknownCall = prepare((p: Params<{ serial: string }>) =>
  qb
    .select({ last_at: unknown_clocks.last_at })
    .from(unknown_clocks)
    .where(eq(unknown_clocks.serial, p.serial)),
)

/** When a clock that nobody has added last called, as far as it is stored. */
export const lastUnknownCall = async (db: BatchDb, serial: string): Promise<string | undefined> =>
  (await db.batchOfAllBranches({ call: first(selectUnknownCall({ serial })) })).call?.last_at
