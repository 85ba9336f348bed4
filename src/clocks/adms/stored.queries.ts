import { sql } from 'drizzle-orm'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { clocks, elsewhere_punches, waiting_punches } from '../../core/tables/clocks.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import { sourceOf } from '../serial.ts'
import type { FatePunch, StoredPunches } from './fate.ts'

/** What is stored already of the punches that arrive. */

interface Arriving {
  serial: string
  source: string
  /** A JSON list of `[number, local_at, day]`. */
  punches: string
}

const given = (p: Params<Arriving>) => sql`(SELECT value ->> 0 AS number, value ->> 1 AS local_at,
    value ->> 2 AS day FROM json_each(${p.punches}) LIMIT -1) AS punch`

const givenDays = (p: Params<Arriving>) =>
  sql`(SELECT DISTINCT number, day FROM ${given(p)} LIMIT -1) AS punch`

const selectLogs = prepare((p: Params<Arriving>) =>
  qb.select({ source_id: sql<string>`${logs.source_id}`.as('source_id') }).from(
    sql`${given(p)} CROSS JOIN ${logs} ON ${logs.source} = ${p.source}
        AND ${logs.source_id} = punch.number || ' ' || punch.local_at`,
  ),
)

const selectWaiting = prepare((p: Params<Arriving>) =>
  qb
    .select({
      number: sql<string>`waiting.number`.as('number'),
      local_at: sql<string>`waiting.local_at`.as('local_at'),
      is_dismissed: sql`waiting.dismissed_at IS NOT NULL`.mapWith(Boolean).as('is_dismissed'),
      over_bound: sql`waiting.over_bound`.mapWith(Boolean).as('over_bound'),
    })
    .from(
      sql`${given(p)} CROSS JOIN ${waiting_punches} AS waiting ON waiting.serial = ${p.serial}
        AND waiting.number = punch.number AND waiting.local_at = punch.local_at`,
    ),
)

/** The ids of a number's logs on a day are one range. A tilde comes after every blank. */
const logsOfDay = (p: Params<Arriving>) => sql<number>`(SELECT count(*) FROM ${logs}
  WHERE ${logs.source} = ${p.source} AND punch.day <> ''
    AND ${logs.source_id} BETWEEN punch.number || ' ' || punch.day
      AND punch.number || ' ' || punch.day || '~')`

const elsewhereOfDay = (p: Params<Arriving>) => sql<number>`(SELECT count(*)
  FROM ${elsewhere_punches} AS stored WHERE stored.serial = ${p.serial} AND stored.day = punch.day
    AND stored.number = punch.number)`

const selectDays = prepare((p: Params<Arriving>) =>
  qb
    .select({
      number: sql<string>`punch.number`.as('number'),
      day: sql<string>`punch.day`.as('day'),
      logs: logsOfDay(p).as('logs'),
      elsewhere: elsewhereOfDay(p).as('elsewhere'),
    })
    .from(givenDays(p)),
)

const selectElsewhere = prepare((p: Params<Arriving>) =>
  qb
    .select({
      day: sql<string>`day`.as('day'),
      count: sql<number>`count(*)`.as('count'),
    })
    .from(elsewhere_punches)
    .where(
      sql`${elsewhere_punches.serial} = ${p.serial}
        AND ${elsewhere_punches.day} IN (SELECT punch.day FROM ${given(p)})`,
    )
    .groupBy(sql`day`),
)

const selectArrived = prepare((p: Params<{ serial: string; today: string }>) =>
  qb
    .select({ arrived: sql<number>`count(*)`.as('arrived') })
    .from(elsewhere_punches)
    .where(
      sql`${elsewhere_punches.serial} = ${p.serial} AND ${elsewhere_punches.arrived_on} = ${p.today}`,
    ),
)

const selectWaitingCounts = prepare((p: Params<{ serial: string }>) =>
  qb
    .select({
      waiting: sql<number>`count(waiting.serial)`.as('waiting'),
      lost: sql<number>`count(iif(waiting.recorded_at IS NULL, 1, NULL))`.as('lost'),
    })
    .from(
      sql`${clocks} LEFT JOIN ${waiting_punches} AS waiting ON waiting.serial = ${clocks.serial}
        AND waiting.dismissed_at IS NULL AND NOT EXISTS (SELECT 1 FROM ${elsewhere_punches} AS stored
          WHERE stored.serial = waiting.serial AND stored.day IN (substr(waiting.local_at, 1, 10), '')
            AND stored.number = waiting.number AND stored.local_at = waiting.local_at)`,
    )
    .where(sql`${clocks.serial} = ${p.serial}`),
)

type Given = Pick<FatePunch, 'number' | 'local_at' | 'day'>

/**
 * The statements that read what is stored of the punches.
 * @param today if they come from elsewhere, the day of their arrival
 */
export const storedStatements = (
  serial: string,
  punches: readonly Given[],
  today: string | undefined,
) => {
  const rows = punches.map(({ number, local_at, day }) => [number, local_at, day])
  const values = { serial, source: sourceOf(serial), punches: JSON.stringify(rows) }
  return {
    logs: selectLogs(values),
    waiting: selectWaiting(values),
    days: selectDays(values),
    ...(today === undefined
      ? { counts: selectWaitingCounts({ serial }) }
      : { elsewhere: selectElsewhere(values), arrived: selectArrived({ serial, today }) }),
  }
}

interface StoredRows {
  logs: readonly { source_id: string }[]
  waiting: readonly {
    number: string
    local_at: string
    is_dismissed: boolean
    over_bound: boolean
  }[]
  days: readonly { number: string; day: string; logs: number; elsewhere: number }[]
  elsewhere?: readonly { day: string; count: number }[] | undefined
  arrived?: readonly { arrived: number }[] | undefined
  counts?: readonly { waiting: number; lost: number }[] | undefined
}

export const toStored = (rows: StoredRows): StoredPunches => {
  const states = new Map<string, ReturnType<StoredPunches['stateOf']>>([
    ...rows.waiting.map(({ number, local_at, is_dismissed, over_bound }) => {
      const waits = over_bound ? ('over' as const) : ('waiting' as const)
      return [`${number} ${local_at}`, is_dismissed ? ('dismissed' as const) : waits] as const
    }),
    ...rows.logs.map(({ source_id }) => [source_id, 'log'] as const),
  ])
  const daysByKey = new Map(rows.days.map((row) => [`${row.number} ${row.day}`, row]))
  const elsewhere = new Map(rows.elsewhere?.map(({ day, count }) => [day, count]))
  const { waiting = 0, lost = 0 } = rows.counts?.[0] ?? {}
  return {
    stateOf: ({ number, local_at }) => states.get(`${number} ${local_at}`),
    countOf: ({ number, day }, isElsewhere) => {
      const row = daysByKey.get(`${number} ${day}`)
      if (!row) return 0
      return isElsewhere ? row.elsewhere : Math.max(0, row.logs - row.elsewhere)
    },
    elsewhereOn: (day) => elsewhere.get(day) ?? 0,
    arrived: rows.arrived?.[0]?.arrived ?? 0,
    waiting,
    lost,
  }
}
