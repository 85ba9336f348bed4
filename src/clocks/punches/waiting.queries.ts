import { sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { columns, text } from '../../core/db/text-query.ts'
import { clock_numbers, waiting_punches } from '../../core/tables/clocks.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import type { WaitReason } from '../../core/values/log-values.ts'
import { employeeIdKey } from '../../people/employees.queries.ts'

/** The punches that wait until it is known whose they are. */

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
        WHERE id = user_id)`,
    })
    .from(waiting_punches)
    .where(sql`number IN (SELECT value FROM json_each(${p.numbers})) AND ${p.serial} IN (serial, '')
      AND dismissed_at IS NULL AND recorded_at <= ${p.latest}`)
    .orderBy(({ serial, number, local_at }) => [serial, number, local_at]),
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
  }: { reason: WaitReason; punches: readonly { number: string; local_at: string }[] },
): Promise<void> => {
  if (punches.length === 0) return
  const ids = JSON.stringify(punches.map(({ number, local_at }) => [number, local_at]))
  await db.batchOfAllBranches({ reason: setReason({ serial, reason, punches: ids }) })
}

/** The numbers of waiting punches that may have an owner now: by a row, or by an id like it. */
const selectNumbers = prepare((p: Params<{ serial: string }>) =>
  qb.select(columns({ number: text })).from(
    sql`(SELECT waiting.number
        FROM (SELECT DISTINCT serial, number FROM ${waiting_punches} WHERE serial = ${p.serial}
          AND dismissed_at IS NULL AND reason IN ('number', 'branch') LIMIT -1) AS waiting
        WHERE EXISTS (SELECT 1 FROM ${clock_numbers} AS row
            WHERE row.number = waiting.number AND row.serial IN (waiting.serial, ''))
          OR ${employeeIdKey('waiting.number')} IN (
            SELECT ${employeeIdKey('employee_id')} FROM ${employees}))`,
  ),
)

export const listWaitingNumbers = async (db: BatchDb, serial: string): Promise<string[]> => {
  const { numbers } = await db.batchOfAllBranches({ numbers: selectNumbers({ serial }) })
  return numbers.map(({ number }) => number)
}
