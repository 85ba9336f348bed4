import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { columns, flag, number, text } from '../../core/db/text-query.ts'
import {
  clock_numbers,
  clocks,
  elsewhere_punches,
  waiting_punches,
} from '../../core/tables/clocks.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import { employees } from '../../core/tables/people.ts'
import { employeeIdKey } from '../../people/employees.queries.ts'
import { sourceOf } from '../serial.ts'
import type { FatePunch, StoredPunches } from './fate.ts'

/** What the database says of punches: who has their numbers, and what is stored of them already. */

interface Numbers {
  serial: string
  /** A JSON list. */
  numbers: string
}

/** The given numbers as `given`. */
const givenNumbers = (p: Params<Numbers>) =>
  sql`(SELECT value AS number FROM json_each(${p.numbers}) LIMIT -1) AS given`

const numberRow = columns({
  number: text,
  serial: text,
  employee_id: text,
  valid_from: text,
  is_named: flag,
  branch_office: text,
})

/** The rows of numbers, the newest first. */
const selectRows = (rows: SQL) =>
  qb
    .select(numberRow)
    .from(
      sql`(SELECT row.*, row.user_id IS NOT NULL AS is_named, e.branch_office
        FROM ${rows} JOIN ${employees} AS e USING (employee_id))`,
    )
    .orderBy(sql`id DESC`)

/** Those of the clock, and of all clocks. */
const selectNumbers = prepare((p: Params<Numbers>) =>
  selectRows(sql`${givenNumbers(p)} CROSS JOIN ${clock_numbers} AS row
    ON row.number = given.number AND row.serial IN (${p.serial}, '')`),
)

/** Those of a number at any clock. */
export const selectRowsOfNumber = prepare((p: Params<{ number: string }>) =>
  selectRows(sql`(SELECT * FROM ${clock_numbers} WHERE number = ${p.number}) AS row`),
)

/**
 * The employees, also those who have left, whose id is like a number that has no row. With the LIMIT,
 * SQLite makes each key once.
 */
const selectLikeIds = prepare((p: Params<Numbers>) =>
  qb.select(columns({ number: text, employee_id: text, branch_office: text })).from(
    sql`(SELECT given.number, ${employeeIdKey('given.number')} AS number_key
          FROM ${givenNumbers(p)} WHERE NOT EXISTS (SELECT 1 FROM ${clock_numbers} AS row
            WHERE row.number = given.number AND row.serial IN (${p.serial}, '')) LIMIT -1) AS given
        JOIN (SELECT employee_id, branch_office, ${employeeIdKey('employee_id')} AS id_key
          FROM ${employees} LIMIT -1) AS e ON e.id_key = given.number_key`,
  ),
)

/** The statements that read whose the numbers of a clock are. */
const ownerStatements = (serial: string, numbers: readonly string[]) => {
  const values = { serial, numbers: JSON.stringify([...new Set(numbers)]) }
  return { rows: selectNumbers(values), likeIds: selectLikeIds(values) }
}

/** What `toOwnerOf` needs to find whose the numbers of a clock are. */
export const readOwners = (db: BatchDb, serial: string, numbers: readonly string[]) =>
  db.batchOfAllBranches(ownerStatements(serial, numbers))

interface FactsParams {
  serial: string
  source: string
  /** A JSON list of `[number, local_at, day]`. */
  punches: string
}

/** The given punches as `punch`. With the LIMIT, SQLite parses the JSON once. */
const givenPunches = (p: Params<FactsParams>) => sql`(SELECT value ->> 0 AS number,
    value ->> 1 AS local_at, value ->> 2 AS day FROM json_each(${p.punches}) LIMIT -1) AS punch`

const selectLogs = prepare((p: Params<FactsParams>) =>
  qb.select(columns({ source_id: text })).from(
    sql`${givenPunches(p)} CROSS JOIN ${logs} AS log ON log.source = ${p.source}
        AND log.source_id = punch.number || ' ' || punch.local_at`,
  ),
)

const selectWaiting = prepare((p: Params<FactsParams>) =>
  qb.select(columns({ number: text, local_at: text, is_dismissed: flag, over_bound: flag })).from(
    sql`(SELECT waiting.*, waiting.dismissed_at IS NOT NULL AS is_dismissed
        FROM ${givenPunches(p)} CROSS JOIN ${waiting_punches} AS waiting
          ON waiting.serial = ${p.serial} AND waiting.number = punch.number
          AND waiting.local_at = punch.local_at)`,
  ),
)

/**
 * How many logs, and how many punches from elsewhere, there are of each number and day. The ids of a
 * number's logs on a day are one range. A tilde comes after every blank.
 */
const selectDays = prepare((p: Params<FactsParams>) =>
  qb.select(columns({ number: text, day: text, logs: number, elsewhere: number })).from(
    sql`(SELECT punch.number, punch.day,
          (SELECT count(*) FROM ${logs} WHERE source = ${p.source} AND punch.day <> ''
            AND source_id BETWEEN punch.number || ' ' || punch.day
              AND punch.number || ' ' || punch.day || '~') AS logs,
          (SELECT count(*) FROM ${elsewhere_punches} AS stored WHERE stored.serial = ${p.serial}
            AND stored.day = punch.day AND stored.number = punch.number) AS elsewhere
        FROM (SELECT DISTINCT number, day FROM ${givenPunches(p)} LIMIT -1) AS punch)`,
  ),
)

const selectElsewhere = prepare((p: Params<FactsParams>) =>
  qb.select(columns({ day: text, count: number })).from(
    sql`(SELECT day, count(*) AS count FROM ${elsewhere_punches}
        WHERE serial = ${p.serial} AND day IN (SELECT punch.day FROM ${givenPunches(p)})
        GROUP BY day)`,
  ),
)

const selectArrived = prepare((p: Params<{ serial: string; today: string }>) =>
  qb
    .select({ arrived: count() })
    .from(elsewhere_punches)
    .where(and(eq(elsewhere_punches.serial, p.serial), eq(elsewhere_punches.arrived_on, p.today))),
)

/** How many wait that came from the clock's own address, and how many of these have no time. */
const selectWaitingCounts = prepare((p: Params<{ serial: string }>) =>
  qb.select(columns({ waiting: number, lost: number })).from(
    sql`(SELECT count(waiting.serial) AS waiting,
          count(iif(waiting.recorded_at IS NULL, 1, NULL)) AS lost
        FROM ${clocks} AS clock LEFT JOIN ${waiting_punches} AS waiting
          ON waiting.serial = clock.serial AND waiting.dismissed_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM ${elsewhere_punches} AS stored
            WHERE stored.serial = waiting.serial AND stored.number = waiting.number
              AND stored.day IN (substr(waiting.local_at, 1, 10), '')
              AND stored.local_at = waiting.local_at)
        WHERE clock.serial = ${p.serial})`,
  ),
)

type Given = Pick<FatePunch, 'number' | 'local_at' | 'day'>

const keyOf = ({ number, local_at }: Pick<Given, 'number' | 'local_at'>) => `${number} ${local_at}`

/**
 * Reads whose the numbers of punches are, and what is stored of the punches.
 * @param today if they come from elsewhere, the day of their arrival
 */
export const readFacts = async (
  db: BatchDb,
  serial: string,
  punches: readonly Given[],
  today: string | undefined,
) => {
  const list = punches.map(({ number, local_at, day }) => [number, local_at, day])
  const values = { serial, source: sourceOf(serial), punches: JSON.stringify(list) }
  const numbers = punches.map(({ number }) => number)
  const { rows, likeIds, ...stored } = await db.batchOfAllBranches({
    ...ownerStatements(serial, numbers),
    logs: selectLogs(values),
    waiting: selectWaiting(values),
    days: selectDays(values),
    counts: today === undefined && selectWaitingCounts({ serial }),
    elsewhere: today !== undefined && selectElsewhere(values),
    arrived: today !== undefined && selectArrived({ serial, today }),
  })
  const waitingByKey = new Map(stored.waiting.map((punch) => [keyOf(punch), punch] as const))
  const logKeys = new Set(stored.logs.map(({ source_id }) => source_id))
  const days = new Map(stored.days.map((row) => [`${row.number} ${row.day}`, row]))
  const elsewhere = new Map(stored.elsewhere?.map(({ day, count }) => [day, count]))
  const facts: StoredPunches = {
    stateOf: (punch) => {
      if (logKeys.has(keyOf(punch))) return 'log'
      const waiting = waitingByKey.get(keyOf(punch))
      if (!waiting) return undefined
      if (waiting.is_dismissed) return 'dismissed'
      return waiting.over_bound ? 'over' : 'waiting'
    },
    countOf: ({ number, day }, isElsewhere) => {
      const row = days.get(`${number} ${day}`)
      if (!row) return 0
      return isElsewhere ? row.elsewhere : Math.max(0, row.logs - row.elsewhere)
    },
    elsewhereOn: (day) => elsewhere.get(day) ?? 0,
    arrived: stored.arrived?.[0]?.arrived ?? 0,
    ...(stored.counts?.[0] ?? { waiting: 0, lost: 0 }),
  }
  return { owners: { rows, likeIds }, stored: facts }
}
