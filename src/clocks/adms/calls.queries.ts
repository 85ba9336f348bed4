import { eq, lt, sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { fieldsOf, first, type Params, prepare, qb } from '../../core/db/query.ts'
import { columns, flag, number, orNull, text, write } from '../../core/db/text-query.ts'
import { selectZoneRules } from '../../core/db/zones.ts'
import { clocks, elsewhere_punches, unknown_clocks } from '../../core/tables/clocks.ts'
import { intake_sources } from '../../core/tables/intake.ts'
import { people_changes } from '../../core/tables/users.ts'
import { zonesFrom } from '../../core/values/time-zone.ts'
import { sourceOf } from '../serial.ts'

/** The calls of clocks: who calls, from which address, and whether it has sent everything. */

interface Call {
  serial: string
  address: string
  at: string
}

const callingClock = columns({
  serial: text,
  branch_office: text,
  uses_keys: flag,
  from_day: text,
  stamp: orNull(text),
  resend: flag,
  receiving_since: orNull(text),
  address: orNull(text),
  own_address: orNull(text),
  own_address_by: orNull(number),
  called_at: orNull(text),
  sent_from: orNull(text),
  seconds_off: orNull(number),
  compared_change: number,
  retired: flag,
  arrived: number,
  newest_change: number,
})

const selectClock = prepare((p: Params<{ serial: string; source: string; today: string }>) =>
  qb.select(callingClock).from(
    sql`(SELECT clock.*, source.retired_at IS NOT NULL AS retired,
        (SELECT count(*) FROM ${elsewhere_punches} AS stored
          WHERE stored.serial = ${p.serial} AND stored.arrived_on = ${p.today}) AS arrived,
        coalesce((SELECT max(id) FROM ${people_changes}), 0) AS newest_change
      FROM ${clocks} AS clock LEFT JOIN ${intake_sources} AS source ON source.source = ${p.source}
      WHERE clock.serial = ${p.serial})`,
  ),
)

interface Receiving extends Call {
  /** A clock that has not called since this moment may have a new address. */
  connected_since: string
}

/** Only of a call that `elsewhereOf` does not mark: another one says nothing about the clock. */
const setReceiving = prepare((p: Params<Receiving>) =>
  qb
    .update(clocks)
    .set({ receiving_since: p.at })
    .where(sql`${clocks.serial} = ${p.serial} AND (coalesce(own_address, ${p.address}) = ${p.address}
      OR (own_address_by IS NULL AND (coalesce(address, ${p.address}) = ${p.address}
        OR coalesce(called_at, '') < ${p.connected_since})))`),
)

/**
 * Begins a call: reads the clock with the zones of the branches, and how many punches from elsewhere
 * have arrived today. Undefined if nobody has added it.
 * @param receiving the call if it brings punches. Its moment is stored even if the punches cannot be,
 * so that the clock does not seem to have sent everything.
 */
export const beginCall = async (
  db: BatchDb,
  serial: string,
  today: string,
  receiving: Omit<Receiving, 'serial'> | undefined,
) => {
  const { clock, rules } = await db.batchOfAllBranches({
    clock: first(selectClock({ serial, source: sourceOf(serial), today })),
    rules: selectZoneRules({}),
    receiving: receiving && setReceiving({ serial, ...receiving }),
  })
  return clock && { ...clock, zones: zonesFrom(rules) }
}

export type CallingClock = NonNullable<Awaited<ReturnType<typeof beginCall>>>

interface SavedCall extends Call {
  /** As it was read with the clock. Another value means that the punches must be compared again. */
  compared_change: number
  newest_change: number
  told_to_resend: number
}

const setCall = prepare((p: Params<SavedCall>) =>
  write(sql`UPDATE ${clocks} SET address = ${p.address}, called_at = ${p.at},
      own_address = coalesce(own_address, ${p.address}),
      compared_change = iif(compared_change = ${p.compared_change}, ${p.newest_change}, compared_change),
      resend = iif(${p.told_to_resend}, 0, resend)
    WHERE serial = ${p.serial}`),
)

interface Seen {
  source: string
  /** Null if the clock may have more to send. */
  complete_until: string | null
  at: string
}

/** Unlike the intake of other sources, a call does not end a clock's retirement. */
const setSeen = prepare((p: Params<Seen>) =>
  write(sql`UPDATE ${intake_sources} SET last_seen_at = ${p.at}, complete_until =
      nullif(max(coalesce(complete_until, ''), coalesce(${p.complete_until}, '')), '')
    WHERE source = ${p.source}`),
)

/** Saves a call, and that waiting punches have been compared with the people of `newest_change`. */
export const saveCall = async (
  db: BatchDb,
  { complete_until, ...call }: SavedCall & Pick<Seen, 'complete_until'>,
): Promise<void> => {
  const source = sourceOf(call.serial)
  await db.batchOfAllBranches({
    call: setCall(call),
    source: setSeen({ source, complete_until, at: call.at }),
  })
}

interface Received extends Call {
  /** When the call began. */
  began: string
  stamp: string | null
  /** 1 if the call brought punches from its first day on. */
  has_punches: number
  /** Null if it was not measured. */
  seconds_off: number | null
}

/** If other punches have begun to arrive meanwhile, they are not stored yet. */
const setReceived = prepare((p: Params<Received>) =>
  write(sql`UPDATE ${clocks} SET stamp = iif(resend, NULL, coalesce(${p.stamp}, stamp)),
      address = ${p.address}, own_address = coalesce(own_address, ${p.address}), called_at = ${p.at},
      sent_from = iif(${p.has_punches}, ${p.address}, sent_from),
      receiving_since = nullif(receiving_since, ${p.began}),
      seconds_off = coalesce(${p.seconds_off}, seconds_off)
    WHERE serial = ${p.serial}`),
)

/** Saves that all punches of a call have been stored. */
export const saveReceived = async (db: BatchDb, received: Received): Promise<void> => {
  const { serial, at } = received
  await db.batchOfAllBranches({
    received: setReceived(received),
    source: setSeen({ source: sourceOf(serial), complete_until: null, at }),
  })
}

interface UnknownCall extends Call {
  /** A later call is stored only if the last stored one is from before this moment. */
  seldom: string
  /** Clocks that have not called since are forgotten. */
  oldest: string
}

const upsertUnknown = prepare((p: Params<UnknownCall>) =>
  qb
    .insert(unknown_clocks)
    .values({ serial: p.serial, first_at: p.at, last_at: p.at, address: p.address })
    .onConflictDoUpdate({
      target: unknown_clocks.serial,
      set: fieldsOf('excluded', 'last_at', 'address'),
      setWhere: lt(unknown_clocks.last_at, p.seldom),
    }),
)

/** The most unknown clocks that are kept, of one address and of all. */
const UNKNOWN_PER_ADDRESS = 20
const UNKNOWN_MAX = 1_000

/**
 * Forgets the unknown clocks beyond the bounds: those that have called once first, and then those
 * that have not called for longest. The one that calls now is kept, so that a genuine clock appears
 * with its next call, however many others have been invented.
 */
const deleteBeyond = prepare((p: Params<UnknownCall>) =>
  qb.delete(unknown_clocks).where(sql`serial <> ${p.serial} AND serial IN (
    SELECT serial FROM (
      SELECT serial,
        row_number() OVER (PARTITION BY address ORDER BY last_at > first_at DESC, last_at DESC, serial)
          AS of_address,
        row_number() OVER (ORDER BY last_at > first_at DESC, last_at DESC, serial) AS of_all
      FROM ${unknown_clocks})
    WHERE of_address > ${sql.raw(String(UNKNOWN_PER_ADDRESS))}
      OR of_all > ${sql.raw(String(UNKNOWN_MAX))})`),
)

const deleteOldUnknown = prepare((p: Params<{ oldest: string }>) =>
  qb.delete(unknown_clocks).where(lt(unknown_clocks.last_at, p.oldest)),
)

/** Remembers the call of a clock that nobody has added. */
export const saveUnknownCall = async (db: BatchDb, call: UnknownCall): Promise<void> => {
  await db.batchOfAllBranches({
    old: deleteOldUnknown({ oldest: call.oldest }),
    call: upsertUnknown(call),
    beyond: deleteBeyond(call),
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
