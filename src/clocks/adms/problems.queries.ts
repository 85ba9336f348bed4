import { sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { fieldsOf, insertSelect, type Params, prepare, qb } from '../../core/db/query.ts'
import { intake_problems } from '../../core/tables/intake.ts'
import { newProblem, pruneProblems, sameProblem } from '../../intake/problems.queries.ts'
import { LINE_MAX } from '../punches/lines.ts'
import { sourceOf } from '../serial.ts'
import type { CallingClock } from './calls.queries.ts'

/** The problems of clocks, as whoever keeps them sees them. */

type ClockProblem = 'too_large' | 'too_many_waiting' | 'otra_red' | 'invalid'

interface ProblemValues {
  source: string
  branch_office: string
  problem: ClockProblem
  /** Names the problem among those of the clock. */
  source_id: string
  at: string
  count: number
  detail: string | null
}

/** The most that is kept of lines that could not be read, in characters. */
const UNREAD_MAX = 8_000

/** The detail of an open problem is the newest one. Lines that could not be read are all kept. */
const moreDetail = sql`CASE
  WHEN excluded.reason <> 'invalid' THEN coalesce(excluded.detail, ${intake_problems.detail})
  WHEN ${intake_problems.dismissed_at} IS NOT NULL OR ${intake_problems.detail} IS NULL
    THEN excluded.detail
  WHEN excluded.detail IS NULL OR instr(${intake_problems.detail}, excluded.detail) > 0
    THEN ${intake_problems.detail}
  ELSE substr(${intake_problems.detail} || char(10) || excluded.detail, 1,
    ${sql.raw(String(UNREAD_MAX))}) END`

/** A problem that occurs again is open, also if somebody has dismissed it. */
const shownAgain = {
  ...fieldsOf('excluded', 'branch_office', 'last_at'),
  dismissed_at: null,
  dismissed_reason: null,
}

const upsertProblem = prepare((p: Params<ProblemValues>) =>
  qb
    .insert(intake_problems)
    .values({
      source: p.source,
      source_id: p.source_id,
      employee_id: '',
      branch_office: p.branch_office,
      result: sql`iif(${p.problem} = 'otra_red', 'created', 'refused')`,
      reason: p.problem,
      first_at: p.at,
      last_at: p.at,
      count: p.count,
      detail: p.detail,
    })
    .onConflictDoUpdate({
      target: sameProblem,
      set: {
        ...shownAgain,
        count: sql`${intake_problems.count} + excluded.count`,
        detail: moreDetail,
      },
    }),
)

/** The clock that has a problem. */
type Troubled = Pick<CallingClock, 'serial' | 'branch_office'>

/**
 * Saves a problem of a clock itself. It is shown until somebody dismisses it.
 * @param detail of `otra_red`, the other address
 */
export const saveProblem = async (
  db: BatchDb,
  { serial, branch_office }: Troubled,
  problem: ClockProblem,
  { at, detail = null }: { at: string; detail?: string | null },
): Promise<void> => {
  const source = sourceOf(serial)
  const values = { source, branch_office, problem, source_id: problem, at, count: 1, detail }
  await db.batchOfAllBranches({ problem: upsertProblem(values) })
}

/**
 * Saves the lines that could not be read as one problem with their text, as far as there is room.
 * Those from elsewhere are another one, which takes no room from the clock's.
 */
export const saveUnread = async (
  db: BatchDb,
  { serial, branch_office }: Troubled,
  lines: readonly string[],
  { now, isElsewhere }: { now: Date; isElsewhere: boolean },
): Promise<void> => {
  if (lines.length === 0) return
  const source = sourceOf(serial)
  const text = lines.map((line) => line.slice(0, LINE_MAX)).join('\n')
  await db.batchOfAllBranches({
    problem: upsertProblem({
      source,
      branch_office,
      problem: 'invalid',
      source_id: isElsewhere ? 'invalid elsewhere' : 'invalid',
      at: now.toISOString(),
      count: lines.length,
      detail: text.slice(0, UNREAD_MAX),
    }),
    pruned: pruneProblems(source, now),
  })
}

/** The `only_counted` punches of a person and day. */
export interface OnlyCounted {
  /** '' if nobody is known to have the number. */
  employee_id: string
  /** '' if their times cannot be. */
  day: string
  count: number
  /** Their first and last local time, of 19 characters. Null if they have none. */
  first: string | null
  last: string | null
}

interface OnlyCountedParams {
  source: string
  branch_office: string
  at: string
  /** A JSON list of `[employee_id, day, count, first, last]`. */
  counted: string
}

/** `2026-11-25 08:00:00 a 2026-11-25 17:00:00` goes on with an earlier or later time. */
const moreTimes = sql`CASE WHEN ${intake_problems.dismissed_at} IS NOT NULL
    OR ${intake_problems.detail} IS NULL OR excluded.detail IS NULL THEN excluded.detail
  ELSE min(substr(${intake_problems.detail}, 1, 19), substr(excluded.detail, 1, 19)) || ' a '
    || max(substr(${intake_problems.detail}, -19), substr(excluded.detail, -19)) END`

const upsertOnlyCounted = prepare((p: Params<OnlyCountedParams>) =>
  insertSelect(
    intake_problems,
    {
      ...newProblem(p),
      branch_office: p.branch_office,
      result: 'refused',
      reason: 'otra_red',
      ...fieldsOf('counted', 'source_id', 'employee_id', 'count', 'detail'),
    },
    sql`FROM (SELECT value ->> 0 AS employee_id, 'otra_red ' || (value ->> 1) AS source_id,
        value ->> 2 AS count, (value ->> 3) || ' a ' || (value ->> 4) AS detail
      FROM json_each(${p.counted})) AS counted WHERE true`,
  ).onConflictDoUpdate({
    target: sameProblem,
    set: {
      ...shownAgain,
      count: sql`iif(${intake_problems.dismissed_at} IS NULL, ${intake_problems.count}, 0)
        + excluded.count`,
      detail: moreTimes,
    },
  }),
)

/** So that those of a flood never displace what a clock itself has sent. */
const ONLY_COUNTED_MAX = 500

/** Deletes the newest problems of counted punches beyond the maximum. */
const pruneOnlyCounted = prepare((p: Params<{ source: string }>) =>
  qb.delete(intake_problems).where(sql`id IN (SELECT id FROM ${intake_problems}
    WHERE source = ${p.source} AND source_id GLOB 'otra_red *' AND dismissed_at IS NULL
    ORDER BY id LIMIT -1 OFFSET ${sql.raw(String(ONLY_COUNTED_MAX))})`),
)

/**
 * Saves how many punches from elsewhere lay beyond a bound: one problem for each person and day. It is
 * `refused`, because nothing else is kept of them.
 */
export const saveOnlyCounted = async (
  db: BatchDb,
  { serial, branch_office }: Troubled,
  counted: readonly OnlyCounted[],
  now: Date,
): Promise<void> => {
  if (counted.length === 0) return
  const source = sourceOf(serial)
  const rows = counted.map((one) => [one.employee_id, one.day, one.count, one.first, one.last])
  const at = now.toISOString()
  await db.batchOfAllBranches({
    counted: upsertOnlyCounted({ source, branch_office, at, counted: JSON.stringify(rows) }),
    beyond: pruneOnlyCounted({ source }),
    pruned: pruneProblems(source, now),
  })
}
