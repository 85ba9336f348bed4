import { sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { fieldsOf, insertSelect, type Params, prepare, qb } from '../../core/db/query.ts'
import { raiseIf } from '../../core/db/raise.ts'
import { elsewhere_punches } from '../../core/tables/clocks.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import type { LogKind } from '../../core/values/log-values.ts'
import { logOfSecond } from '../../intake/items.queries.ts'
import { sourceOf } from '../serial.ts'
import { ELSEWHERE_ARRIVED_MAX, ELSEWHERE_DAY_MAX, PERSON_DAY_MAX } from './fate.ts'
import type { Owner } from './numbers.ts'

/** Punches from another address than the clock's own: how many are stored is bounded. */

interface DatedPunch {
  /** The local day. '' if its time cannot be that of a log. */
  day: string
  number: string
  local_at: string
}

interface ElsewhereParams {
  serial: string
  /** A JSON list of `[day, number, local_at]`. */
  punches: string
  /** The day of their arrival. */
  arrived_on: string
}

/** The given punches as `punch`. With the LIMIT, SQLite parses the JSON once. */
const givenPunches = (p: Params<ElsewhereParams>) => sql`(SELECT value ->> 0 AS day,
    value ->> 1 AS number, value ->> 2 AS local_at FROM json_each(${p.punches}) LIMIT -1) AS punch`

const insertElsewhere = prepare((p: Params<ElsewhereParams>) =>
  insertSelect(
    elsewhere_punches,
    {
      serial: p.serial,
      ...fieldsOf('punch', 'day', 'number', 'local_at'),
      arrived_on: p.arrived_on,
    },
    sql`FROM ${givenPunches(p)} WHERE true`,
  ).onConflictDoNothing(),
)

const limits = {
  arrived: sql.raw(String(ELSEWHERE_ARRIVED_MAX)),
  day: sql.raw(String(ELSEWHERE_DAY_MAX)),
  person: sql.raw(String(PERSON_DAY_MAX)),
}

/** The stored punches of the days and the given ones. */
const withGiven = (p: Params<ElsewhereParams>) => sql`(SELECT day, number, local_at
    FROM ${elsewhere_punches} WHERE serial = ${p.serial}
      AND day IN (SELECT punch.day FROM ${givenPunches(p)})
  UNION SELECT punch.day, punch.number, punch.local_at FROM ${givenPunches(p)})`

/** Calls at the same time may each have found room. */
const requireBounds = prepare((p: Params<ElsewhereParams>) =>
  raiseIf([
    sql`(SELECT count(*) FROM ${elsewhere_punches} WHERE serial = ${p.serial}
        AND arrived_on = ${p.arrived_on}) + json_array_length(${p.punches}) > ${limits.arrived}
    OR EXISTS (SELECT 1 FROM ${withGiven(p)} GROUP BY day HAVING count(*) > ${limits.day})
    OR EXISTS (SELECT 1 FROM ${withGiven(p)}
      GROUP BY day, number HAVING count(*) > ${limits.person})`,
    'CLOCK_BUSY',
  ]),
)

/**
 * The statements that remember where punches came from. `bounds` stands before the punches are stored,
 * because storing them takes many times as long, and `remembered` after it.
 */
export const elsewhereStatements = (serial: string, punches: readonly DatedPunch[], at: string) => {
  const list = punches.map(({ day, number, local_at }) => [day, number, local_at])
  const values = { serial, punches: JSON.stringify(list), arrived_on: at.slice(0, 10) }
  return { bounds: requireBounds(values), remembered: insertElsewhere(values) }
}

interface KnownPunch extends DatedPunch {
  kind: LogKind
  recorded_at: string | null
  owner: Owner | undefined
}

interface Known {
  serial: string
  source: string
  /** A JSON list of `[day, number, local_at, employee_id, kind, recorded_at]`. */
  known: string
}

/**
 * A punch is also stored if the log of its person and second came with another number. Punches that
 * had no possible time when they arrived are stored without a day.
 */
const deleteElsewhere = prepare((p: Params<Known>) =>
  qb.delete(elsewhere_punches).where(sql`serial = ${p.serial} AND (day, number, local_at) IN (
    WITH known AS (SELECT value ->> 0 AS day, value ->> 1 AS number, value ->> 2 AS local_at
        FROM json_each(${p.known})
      UNION ALL SELECT value ->> 0, substr(source_id, 1, length(source_id) - 20),
          substr(source_id, -19)
        FROM json_each(${p.known}) JOIN ${logs} ON source = ${p.source} AND ${logs.id}
          = ${logOfSecond('(value ->> 3)', '(value ->> 4)', '(value ->> 5)')})
    SELECT day.value, known.number, known.local_at
    FROM known JOIN json_each(json_array(known.day, '')) AS day)`),
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
  const known = punches.map(({ day, number, local_at, kind, recorded_at, owner }) => [
    ...[day, number, local_at, owner?.employee_id ?? null, kind, recorded_at],
  ])
  const values = { serial, source: sourceOf(serial), known: JSON.stringify(known) }
  await db.batchOfAllBranches({ deleted: deleteElsewhere(values) })
}
