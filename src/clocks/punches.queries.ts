import { sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { insertSelect, type Params, prepare, qb, type Statements } from '../core/db/query.ts'
import { raiseIf } from '../core/db/rules.ts'
import {
  clock_numbers,
  clocks,
  elsewhere_punches,
  other_network_logs,
  waiting_punches,
} from '../core/tables/clocks.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import type { LogKind, WAIT_REASONS } from '../core/values/log-values.ts'
import { insertAssignedLogs, logOfSecond } from '../intake/intake.queries.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import { ELSEWHERE_ARRIVED_MAX, ELSEWHERE_DAY_MAX, PERSON_DAY_MAX } from './adms/fate.ts'
import { insertNumbers, type Owner } from './numbers.queries.ts'
import { sourceOf } from './serial.ts'

/** Stores the punches of clocks: as logs if it is known whose they are, or else as waiting. */

export type WaitReason = (typeof WAIT_REASONS)[number]

export interface Punch {
  number: string
  local_at: string
  kind: LogKind
  recorded_at: string | null
  /** Undefined if nobody is known to have the number. */
  owner: Owner | undefined
  /** Null if the punch becomes a log. */
  reason: WaitReason | null
  /** 1 if it waits because its person has too many on that day. */
  over_bound: number
  /** The local day. '' if its time cannot be that of a log. */
  day: string
}

/** The number is part of it, because people share a clock. The kind is not: keys are pressed wrong. */
const sourceIdOf = ({ number, local_at }: Pick<Punch, 'number' | 'local_at'>): string =>
  `${number} ${local_at}`

interface PunchParams {
  serial: string
  source: string
  user_id: number | null
  other_network: number
  /**
   * A JSON list of `[number, local_at, kind, recorded_at, reason, employee_id, source_id, over_bound,
   * day]`.
   */
  punches: string
  at: string
}

const toJson = (punches: readonly Punch[]): string =>
  JSON.stringify(
    punches.map((punch) => [
      punch.number,
      punch.local_at,
      punch.kind,
      punch.recorded_at,
      punch.reason,
      punch.owner?.employee_id ?? null,
      sourceIdOf(punch),
      punch.over_bound,
      punch.day,
    ]),
  )

const given = (p: Params<PunchParams>) => sql`(SELECT value ->> 0 AS number,
    value ->> 1 AS local_at, value ->> 2 AS kind, value ->> 3 AS recorded_at, value ->> 4 AS reason,
    value ->> 5 AS employee_id, value ->> 6 AS source_id, value ->> 7 AS over_bound,
    value ->> 8 AS day
  FROM json_each(${p.punches}) LIMIT -1) AS punch`

/** Whether the punch is a log: by its own id, or as the same second of the same employee. */
const isLog = (p: Params<PunchParams>) => sql`(EXISTS (SELECT 1 FROM ${logs}
    WHERE ${logs.source} = ${p.source} AND ${logs.source_id} = punch.source_id)
  OR (punch.reason IS NULL
    AND ${logOfSecond(sql`punch.employee_id`, sql`punch.kind`, sql`punch.recorded_at`)} IS NOT NULL))`

/** Whatever has not become a log waits, so that no punch is lost. */
const insertWaiting = prepare((p: Params<PunchParams>) =>
  insertSelect(
    waiting_punches,
    {
      serial: p.serial,
      number: sql`punch.number`,
      local_at: sql`punch.local_at`,
      kind: sql`punch.kind`,
      recorded_at: sql`punch.recorded_at`,
      reason: sql`coalesce(punch.reason, 'number')`,
      arrived_at: p.at,
      user_id: p.user_id,
      other_network: p.other_network,
      over_bound: sql`punch.over_bound`,
      dismissed_at: null,
      dismissed_by: null,
      dismissed_reason: null,
    },
    sql`FROM ${given(p)} WHERE NOT ${isLog(p)} GROUP BY punch.number, punch.local_at`,
  )
    .onConflictDoNothing()
    .returning({ number: waiting_punches.number }),
)

const deleteTaken = prepare((p: Params<PunchParams>) =>
  qb.delete(waiting_punches).where(sql`serial = ${p.serial} AND dismissed_at IS NULL
    AND (number, local_at) IN (SELECT punch.number, punch.local_at FROM ${given(p)}
      WHERE ${isLog(p)})`),
)

const arrivedOn = (p: Params<PunchParams>) => sql`substr(${p.at}, 1, 10)`

const insertElsewhere = prepare((p: Params<PunchParams>) =>
  insertSelect(
    elsewhere_punches,
    {
      serial: p.serial,
      day: sql`punch.day`,
      number: sql`punch.number`,
      local_at: sql`punch.local_at`,
      arrived_on: arrivedOn(p),
    },
    sql`FROM ${given(p)} WHERE true`,
  ).onConflictDoNothing(),
)

/** The stored punches of the days and the given ones. */
const withGiven = (p: Params<PunchParams>) => sql`(SELECT day, number, local_at
    FROM ${elsewhere_punches} WHERE serial = ${p.serial}
      AND day IN (SELECT punch.day FROM ${given(p)})
  UNION SELECT punch.day, punch.number, punch.local_at FROM ${given(p)})`

/**
 * Calls at the same time may each have found room. It stands before the punches are stored, because
 * storing them takes many times as long.
 */
const requireBounds = prepare((p: Params<PunchParams>) =>
  raiseIf([
    sql`(SELECT count(*) FROM ${elsewhere_punches} WHERE serial = ${p.serial}
        AND arrived_on = ${arrivedOn(p)}) + json_array_length(${p.punches})
      > ${sql.raw(String(ELSEWHERE_ARRIVED_MAX))}
    OR EXISTS (SELECT 1 FROM ${withGiven(p)}
      GROUP BY day HAVING count(*) > ${sql.raw(String(ELSEWHERE_DAY_MAX))})
    OR EXISTS (SELECT 1 FROM ${withGiven(p)}
      GROUP BY day, number HAVING count(*) > ${sql.raw(String(PERSON_DAY_MAX))})`,
    'CLOCK_BUSY',
  ]),
)

export interface Arrival {
  serial: string
  /** The user who uploaded the punches. Null if the clock sent them. */
  user_id: number | null
  /** 1 if they came from another address while the clock also called from its own. */
  other_network: number
  /** Whether they came from another address than the clock's own. */
  isElsewhere: boolean
  at: string
}

/** Marks the logs that this transaction has made of punches from another address. */
const insertOtherNetwork = prepare((p: Params<PunchParams>) =>
  insertSelect(
    other_network_logs,
    { log_id: sql`id` },
    sql`FROM ${logs} WHERE ${p.other_network} AND ${logs.source} = ${p.source}
      AND ${logs.created_at} = ${p.at}
      AND ${logs.source_id} IN (SELECT punch.source_id FROM ${given(p)})
      AND id NOT IN (SELECT log_id FROM ${other_network_logs})`,
  ),
)

type KnownPunch = Pick<Punch, 'number' | 'local_at' | 'day' | 'kind' | 'recorded_at' | 'owner'>

interface Known {
  serial: string
  source: string
  /** A JSON list of `[day, number, local_at, employee_id, kind, recorded_at]`. */
  known: string
}

/** A punch is also stored if the log of its person and second came with another number. */
const storedAs = (p: Params<Known>) => sql`(SELECT value ->> 0 AS day, value ->> 1 AS number,
    value ->> 2 AS local_at FROM json_each(${p.known})
  UNION ALL SELECT value ->> 0, substr(source_id, 1, length(source_id) - 20), substr(source_id, -19)
    FROM json_each(${p.known}) JOIN ${logs} ON source = ${p.source}
      AND ${logs.id} = ${logOfSecond(sql`(value ->> 3)`, sql`(value ->> 4)`, sql`(value ->> 5)`)})`

/** Punches that had no possible time when they arrived are stored without a day. */
const deleteElsewhere = prepare((p: Params<Known>) =>
  qb.delete(elsewhere_punches).where(sql`serial = ${p.serial} AND (day, number, local_at) IN (
    SELECT day.value, known.number, known.local_at FROM ${storedAs(p)} AS known
      JOIN json_each(json_array(known.day, '')) AS day)`),
)

/**
 * Stored punches that the clock itself sends are its own, whoever has sent them before: they take no
 * room from others, and are not rejected with what came from elsewhere. Their logs stay marked.
 */
export const saveFromItsOwn = async (
  db: BatchDb,
  serial: string,
  punches: readonly KnownPunch[],
): Promise<void> => {
  if (punches.length === 0) return
  const known = JSON.stringify(
    punches.map(({ day, number, local_at, kind, recorded_at, owner }) => [
      ...[day, number, local_at, owner?.employee_id ?? null, kind, recorded_at],
    ]),
  )
  await db.batchOfAllBranches({
    deleted: deleteElsewhere({ serial, source: sourceOf(serial), known }),
  })
}

/**
 * Makes the next call of a clock compare its waiting punches with people and numbers. Their owner may
 * have been added while they arrived.
 */
export const compareAgain = prepare((p: Params<{ serial: string }>) =>
  qb.update(clocks).set({ compared_change: -1 }).where(sql`${p.serial} IN (${clocks.serial}, '')`),
)

const ownersOf = (punches: readonly Punch[]): string =>
  JSON.stringify([
    ...new Map(
      punches
        .filter(({ owner, reason }) => owner?.is_found && reason === null)
        .map(({ number, owner }) => [number, [number, owner?.employee_id]]),
    ).values(),
  ])

const logsOf = (punches: readonly Punch[]) =>
  punches.flatMap((punch) => {
    const { kind, recorded_at, owner, reason } = punch
    return reason === null && owner && recorded_at !== null
      ? { source_id: sourceIdOf(punch), employee_id: owner.employee_id, kind, recorded_at }
      : []
  })

/**
 * Stores punches in one transaction: as logs, or as waiting. Punches that are stored already stay as
 * they are. Returns how many became logs and how many wait that did not before.
 * @param before statements that run first, in the same transaction
 * @throws DomainError CLOCK_BUSY if other calls from elsewhere have taken the room, or the code that
 * a statement of `before` raises; nothing is stored then
 */
export const savePunches = async (
  db: BatchDb,
  punches: readonly Punch[],
  { serial, user_id, other_network, isElsewhere, at }: Arrival,
  before: Statements = {},
) => {
  const source = sourceOf(serial)
  const values = { serial, source, user_id, other_network, punches: toJson(punches), at }
  const found = { serial, owners: ownersOf(punches), valid_from: '', user_id: null, at }
  const results = await db.batchOfAllBranches({
    ...before,
    ...(isElsewhere && { bounds: requireBounds(values) }),
    numbers: insertNumbers(found),
    ...insertAssignedLogs({ source, logs: logsOf(punches), user_id, at }),
    otherNetwork: insertOtherNetwork(values),
    waiting: insertWaiting(values),
    taken: deleteTaken(values),
    ...(isElsewhere && { elsewhere: insertElsewhere(values) }),
    ...(punches.some(({ reason }) => reason === 'number') && { again: compareAgain({ serial }) }),
  })
  return { created: results.created.length, waiting: results.waiting.length }
}

interface WaitingOf {
  /** '' for all clocks. */
  serial: string
  /** A JSON list. */
  numbers: string
  /** Punches from after this moment are still in the future. */
  latest: string
}

/** The waiting punches that can become logs. Those without a moment cannot. */
export const selectWaiting = prepare((p: Params<WaitingOf>) =>
  qb
    .select({
      serial: waiting_punches.serial,
      number: waiting_punches.number,
      local_at: waiting_punches.local_at,
      kind: waiting_punches.kind,
      recorded_at: waiting_punches.recorded_at,
      reason: waiting_punches.reason,
      over_bound: waiting_punches.over_bound,
      user_id: waiting_punches.user_id,
      other_network: waiting_punches.other_network,
      uploader_employee_id: sql<string | null>`(SELECT employee_id FROM ${users}
        WHERE id = user_id)`.as('uploader_employee_id'),
    })
    .from(waiting_punches)
    .where(sql`number IN (SELECT value FROM json_each(${p.numbers})) AND ${p.serial} IN (serial, '')
      AND dismissed_at IS NULL AND recorded_at <= ${p.latest}`)
    .orderBy(sql`serial, number, local_at`),
)

export const listWaiting = async (db: BatchDb, values: WaitingOf) =>
  (await db.batchOfAllBranches({ punches: selectWaiting(values) })).punches

const setReason = prepare((p: Params<{ serial: string; reason: WaitReason; punches: string }>) =>
  qb
    .update(waiting_punches)
    .set({ reason: p.reason })
    .where(sql`serial = ${p.serial} AND dismissed_at IS NULL AND (number, local_at) IN (
      SELECT value ->> 0, value ->> 1 FROM json_each(${p.punches}))`),
)

/** Saves why punches wait now, if that has changed since they arrived. */
export const saveReason = async (
  db: BatchDb,
  serial: string,
  {
    reason,
    punches,
  }: {
    reason: WaitReason
    punches: readonly Pick<Punch, 'number' | 'local_at'>[]
  },
): Promise<void> => {
  if (punches.length === 0) return
  const ids = JSON.stringify(punches.map(({ number, local_at }) => [number, local_at]))
  await db.batchOfAllBranches({ reason: setReason({ serial, reason, punches: ids }) })
}

/** Whether the number may have an owner now: by a row, or by an id like it. */
const mayHaveOwner = sql`(EXISTS (SELECT 1 FROM ${clock_numbers} AS row
    WHERE row.number = waiting.number AND row.serial IN (waiting.serial, ''))
  OR ${employeeIdKey(sql`waiting.number`)} IN (
    SELECT ${employeeIdKey(sql`employee_id`)} FROM ${employees}))`

const selectNumbers = prepare((p: Params<{ serial: string }>) =>
  qb
    .select({ number: sql<string>`number`.as('number') })
    .from(
      sql`(SELECT DISTINCT serial, number FROM ${waiting_punches}
        WHERE serial = ${p.serial} AND dismissed_at IS NULL
          AND reason IN ('number', 'branch') LIMIT -1) AS waiting`,
    )
    .where(mayHaveOwner),
)

/** The numbers of waiting punches that may have an owner now. */
export const listWaitingNumbers = async (db: BatchDb, serial: string): Promise<string[]> => {
  const { numbers } = await db.batchOfAllBranches({ numbers: selectNumbers({ serial }) })
  return numbers.map(({ number }) => number)
}
