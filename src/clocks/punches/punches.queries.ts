import { isNotNull, sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import {
  fieldsOf,
  insertSelect,
  type Params,
  prepare,
  qb,
  type Statements,
} from '../../core/db/query.ts'
import {
  clock_numbers,
  clocks,
  other_network_logs,
  waiting_punches,
} from '../../core/tables/clocks.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import type { LogKind, WaitReason } from '../../core/values/log-values.ts'
import { assignedLogStatements, logOfSecond } from '../../intake/items.queries.ts'
import { sourceOf } from '../serial.ts'
import { elsewhereStatements } from './elsewhere.queries.ts'
import type { Owner } from './numbers.ts'

/** Stores the punches of clocks: as logs if it is known whose they are, or else as waiting. */

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

interface NewNumbers {
  /** '' for all clocks. */
  serial: string
  /** A JSON list of `[number, employee_id]`. */
  owners: string
  /** The first local day. '' for always. */
  valid_from: string
  user_id: number | null
  at: string
}

/** Adds the owners of numbers, unless the newest row of the same kind says the same. */
export const insertNumbers = prepare((p: Params<NewNumbers>) =>
  insertSelect(
    clock_numbers,
    {
      id: null,
      serial: p.serial,
      ...fieldsOf('given', 'number', 'employee_id'),
      valid_from: p.valid_from,
      user_id: p.user_id,
      created_at: p.at,
      unconfirmed: isNotNull(p.user_id),
    },
    sql`FROM (SELECT value ->> 0 AS number, value ->> 1 AS employee_id
        FROM json_each(${p.owners})) AS given
      WHERE (SELECT employee_id FROM ${clock_numbers} AS newest
        WHERE newest.number = given.number AND newest.serial = ${p.serial}
          AND (newest.user_id IS NULL) = (${p.user_id} IS NULL) ORDER BY newest.id DESC LIMIT 1)
        IS NOT given.employee_id`,
  ),
)

interface PunchParams {
  serial: string
  source: string
  user_id: number | null
  other_network: number
  /** A JSON list of `[number, local_at, kind, recorded_at, reason, employee_id, source_id, over_bound]`. */
  punches: string
  at: string
}

const toJson = (punches: readonly Punch[]): string =>
  JSON.stringify(
    punches.map((punch) => {
      const { number, local_at, kind, recorded_at, reason, owner, over_bound } = punch
      const employee_id = owner?.employee_id ?? null
      return [
        ...[number, local_at, kind, recorded_at, reason, employee_id],
        ...[sourceIdOf(punch), over_bound],
      ]
    }),
  )

/** The given punches as `punch`. With the LIMIT, SQLite parses the JSON once. */
const givenPunches = (p: Params<PunchParams>) => sql`(SELECT value ->> 0 AS number,
    value ->> 1 AS local_at, value ->> 2 AS kind, value ->> 3 AS recorded_at, value ->> 4 AS reason,
    value ->> 5 AS employee_id, value ->> 6 AS source_id, value ->> 7 AS over_bound
  FROM json_each(${p.punches}) LIMIT -1) AS punch`

/** Whether `punch` is a log: by its own id, or as the same second of the same employee. */
const isLog = (p: Params<PunchParams>) => sql`(EXISTS (SELECT 1 FROM ${logs}
    WHERE ${logs.source} = ${p.source} AND ${logs.source_id} = punch.source_id)
  OR (punch.reason IS NULL
    AND ${logOfSecond('punch.employee_id', 'punch.kind', 'punch.recorded_at')} IS NOT NULL))`

/** Whatever has not become a log waits, so that no punch is lost. */
const insertWaiting = prepare((p: Params<PunchParams>) =>
  insertSelect(
    waiting_punches,
    {
      serial: p.serial,
      ...fieldsOf('punch', 'number', 'local_at', 'kind', 'recorded_at', 'over_bound'),
      reason: sql`coalesce(punch.reason, 'number')`,
      arrived_at: p.at,
      user_id: p.user_id,
      other_network: p.other_network,
      dismissed_at: null,
      dismissed_by: null,
      dismissed_reason: null,
    },
    sql`FROM ${givenPunches(p)} WHERE NOT ${isLog(p)} GROUP BY punch.number, punch.local_at`,
  )
    .onConflictDoNothing()
    .returning({ number: waiting_punches.number }),
)

const deleteTaken = prepare((p: Params<PunchParams>) =>
  qb.delete(waiting_punches).where(sql`serial = ${p.serial} AND dismissed_at IS NULL
    AND (number, local_at) IN (SELECT punch.number, punch.local_at FROM ${givenPunches(p)}
      WHERE ${isLog(p)})`),
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
    { log_id: logs.id },
    sql`FROM ${logs} WHERE ${p.other_network} AND ${logs.source} = ${p.source}
      AND ${logs.created_at} = ${p.at}
      AND ${logs.source_id} IN (SELECT punch.source_id FROM ${givenPunches(p)})
      AND id NOT IN (SELECT log_id FROM ${other_network_logs})`,
  ),
)

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
const savePunches = async (
  db: BatchDb,
  punches: readonly Punch[],
  { serial, user_id, other_network, isElsewhere, at }: Arrival,
  before: Statements = {},
) => {
  const source = sourceOf(serial)
  const values = { serial, source, user_id, other_network, punches: toJson(punches), at }
  const found = { serial, owners: ownersOf(punches), valid_from: '', user_id: null, at }
  const elsewhere = isElsewhere ? elsewhereStatements(serial, punches, at) : undefined
  const results = await db.batchOfAllBranches({
    ...before,
    bounds: elsewhere?.bounds,
    numbers: insertNumbers(found),
    ...assignedLogStatements({ source, logs: logsOf(punches), user_id, at }),
    otherNetwork: insertOtherNetwork(values),
    waiting: insertWaiting(values),
    taken: deleteTaken(values),
    remembered: elsewhere?.remembered,
    again: punches.some(({ reason }) => reason === 'number') && compareAgain({ serial }),
  })
  return { created: results.created.length, waiting: results.waiting.length }
}

/** One transaction has at most this many punches. */
const CHUNK = 500

/** Stores punches in chunks, and returns how many became logs and how many wait. */
export const saveInChunks = async (
  db: BatchDb,
  punches: readonly Punch[],
  arrival: Arrival,
  before?: Statements,
) => {
  let [created, waiting] = [0, 0]
  for (let i = 0; i < punches.length; i += CHUNK) {
    const saved = await savePunches(db, punches.slice(i, i + CHUNK), arrival, before)
    created += saved.created
    waiting += saved.waiting
  }
  return { created, waiting }
}
