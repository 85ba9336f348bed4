import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { fieldsOf, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { intake_problems } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { DAY_MS, localAt, type Zones } from '../core/values/time-zone.ts'
import { factsOf, type Items, ofBranch, sameId, unlessAllInserted } from './items.queries.ts'
import type { CheckedLog } from './outcome.ts'

/** The problems of sources: logs that were not stored, and logs whose offset is of another zone. */

/** The id of an item as problems store it, or '' if it cannot be read. */
const itemId = sql`coalesce(item.source_id, CAST(item.log_id AS TEXT), '')`

/** The columns of a problem that occurs for the first time. */
export const newProblem = (p: Params<{ source: string; at: string }>) => ({
  id: null,
  source: p.source,
  first_at: p.at,
  last_at: p.at,
  dismissed_at: null,
  dismissed_reason: null,
})

const keepDismissed = (column: AnyColumn): SQL => sql`CASE
  WHEN (${intake_problems.result}, ${intake_problems.reason}) IS (excluded.result, excluded.reason)
  THEN ${column} END`

/** What makes a problem the same one. */
export const sameProblem = [
  intake_problems.source,
  intake_problems.source_id,
  intake_problems.employee_id,
]

/** Adds the count of a problem that occurs again. */
const onRepeated = {
  target: sameProblem,
  set: {
    ...fieldsOf('excluded', 'branch_office', 'result', 'reason', 'detail', 'last_at'),
    count: sql`${intake_problems.count} + excluded.count`,
    // A dismissed problem is shown again if its result or reason has changed.
    dismissed_at: keepDismissed(intake_problems.dismissed_at),
    dismissed_reason: keepDismissed(intake_problems.dismissed_reason),
  },
}

export const upsertProblems = prepare((p: Params<Items>) =>
  insertSelect(
    intake_problems,
    {
      ...newProblem(p),
      source_id: itemId,
      employee_id: sql`coalesce(item.employee_id, '')`,
      ...fieldsOf('item', 'branch_office', 'detail'),
      result: sql`iif(item.refusal IS NULL, 'differs', 'refused')`,
      reason: fieldsOf('item', 'refusal').refusal,
      count: 1,
    },
    sql`FROM ${factsOf(unlessAllInserted(p), p)} WHERE item.accepted_id IS NULL`,
  ).onConflictDoUpdate(onRepeated),
)

/**
 * Deletes the problems of ids whose items were all accepted. An accepted item does not solve the
 * problem of another item with the same id. With the +, SQLite does not compute the facts if the
 * source has no problems.
 */
export const deleteSolved = prepare((p: Params<Items>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.dismissed_at} IS NULL
    AND +${intake_problems.source_id} IN (SELECT ${itemId} AS id FROM ${factsOf(p.items, p)}
      GROUP BY id HAVING min(item.accepted_id IS NOT NULL))`),
)

interface Offsets extends Pick<Items, 'source' | 'user_id' | 'at'> {
  /** The result of `offsetsOf`. */
  offsets: string
}

/**
 * The items with an offset, as a JSON list of `[source_id, log_id, recorded_at, [[branch, fits], …]]`.
 * `fits` is 1 if the branch has this offset at that moment. The branch '' stands for every branch
 * without a zone of its own.
 */
export const offsetsOf = (items: readonly CheckedLog[], zones: Zones): string =>
  JSON.stringify(
    items.flatMap(({ source_id, log_id, recorded_at, offset, reason }) => {
      if (reason !== null || offset === null || recorded_at === null) return []
      const fits = (branch: string) => Number(localAt(recorded_at, branch, zones).endsWith(offset))
      const ofBranches = ['', ...zones.branches].map((branch) => [branch, fits(branch)])
      return [[source_id, log_id, recorded_at, ofBranches]]
    }),
  )

/** The logs of this request that were stored with an offset. `fits` is 0 if their branch has another. */
const storedOffsets = (p: Params<Offsets>) => sql`(SELECT DISTINCT ${logs.id} AS log_id,
    ${logs.employee_id} AS employee_id, ${logs.branch_office} AS branch_office,
    ${ofBranch('item.offsets', logs.branch_office)} AS fits
  FROM (SELECT value ->> 0 AS source_id, value ->> 1 AS log_id,
      value ->> 2 AS recorded_at, value ->> 3 AS offsets
    FROM json_each(${p.offsets}) LIMIT -1) AS item
  JOIN ${logs} ON ${logs.id} = ${sameId(p)}
  WHERE ${logs.created_at} = ${p.at} AND ${logs.recorded_by} = ${p.user_id}
    AND ${logs.recorded_at} = item.recorded_at) AS given`

/** Deletes the open problem of an employee's offset once all logs of a request have a right one. */
const deleteOtherZone = prepare((p: Params<Offsets>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.source_id} = '' AND ${intake_problems.reason} = 'otra_zona'
    AND ${intake_problems.dismissed_at} IS NULL AND ${intake_problems.employee_id} IN (
      SELECT employee_id FROM ${storedOffsets(p)} GROUP BY employee_id HAVING min(fits))`),
)

/** Stores one problem for each employee with a log whose offset the branch does not have then. */
const upsertOtherZone = prepare((p: Params<Offsets>) =>
  insertSelect(
    intake_problems,
    {
      ...newProblem(p),
      source_id: '',
      ...fieldsOf('given', 'employee_id', 'branch_office'),
      result: 'created',
      reason: 'otra_zona',
      count: sql`count(*)`,
      detail: null,
    },
    sql`FROM ${storedOffsets(p)} WHERE NOT fits GROUP BY employee_id`,
  ).onConflictDoUpdate(onRepeated),
)

export const otherZoneStatements = (values: Offsets) => ({
  otherZoneSolved: deleteOtherZone(values),
  otherZone: upsertOtherZone(values),
})

/** Open problems are kept for 90 days after they last occurred. */
const KEPT_MS = 90 * DAY_MS

/** The maximum number of open problems that are stored for one source. */
const PROBLEMS_MAX = 1_000

const deleteBeyond = prepare((p: Params<{ source: string; oldest: string }>) =>
  qb.delete(intake_problems).where(sql`${intake_problems.source} = ${p.source}
    AND ${intake_problems.dismissed_at} IS NULL
    AND (${intake_problems.last_at} < ${p.oldest} OR ${intake_problems.id} IN (
      SELECT id FROM ${intake_problems}
      WHERE source = ${p.source} AND dismissed_at IS NULL AND last_at >= ${p.oldest}
      ORDER BY id LIMIT -1 OFFSET ${sql.raw(String(PROBLEMS_MAX))}))`),
)

/**
 * Deletes open problems that are too old. If there are more than the maximum, it deletes the newest
 * of them, so that new problems never displace older problems.
 */
export const pruneProblems = (source: string, now: Date) =>
  deleteBeyond({ source, oldest: new Date(now.getTime() - KEPT_MS).toISOString() })
