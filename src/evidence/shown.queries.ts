import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type PersonEvent, personEventRow } from '../core/db/person-events.queries.ts'
import { first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { log_events } from '../core/db/schema.ts'

/**
 * `details` has the employee, the period, the log, and the number and the hash of the events in the
 * file. `employee_id` is of the person; the event itself has it only in `details`.
 */
interface Shown extends PersonEvent {
  /** The id of the newest event when the file's events were read. */
  last_id: number
  /** The moment from which on an event for the same file counts again. */
  since: string
}

const isSameFile = (p: Params<Shown>) =>
  sql`${log_events.event} = 'shown' AND ${log_events.user_id} = ${p.user_id}
    AND ${log_events.created_at} > ${p.since} AND ${log_events.details} = ${p.details}`

/** Whether the evidence has no event yet that the file would have, and that was not read. */
const isComplete = (p: Params<Shown>) =>
  sql`NOT EXISTS (SELECT 1 FROM ${log_events} NOT INDEXED WHERE ${log_events.id} > ${p.last_id}
    AND (${log_events.employee_id} = ${p.employee_id}
      OR ${log_events.event} IN ('closed', 'cancelled')))`

const downloads = sql`${log_events} INDEXED BY log_events_shown`

const insertShown = prepare((p: Params<Shown>) =>
  insertSelect(
    log_events,
    { ...personEventRow(p), employee_id: null },
    sql`WHERE ${isComplete(p)} AND NOT EXISTS (SELECT 1 FROM ${downloads} WHERE ${isSameFile(p)})`,
  ),
)

const selectShown = prepare((p: Params<Shown>) =>
  qb
    .select({ id: sql<number>`${log_events.id}`.as('shown_id') })
    .from(downloads)
    .where(sql`${isSameFile(p)} AND ${isComplete(p)}`)
    .orderBy(sql`${log_events.id} DESC`)
    .limit(1),
)

/**
 * Records that the caller gets a file of a person's evidence, or finds the event of the same file.
 * @returns the id of the event; undefined if the person or a closing has got an event meanwhile
 */
export const recordShown = async (
  db: AuthorizedDb,
  shown: Omit<Shown, 'event' | 'closing_id' | 'user_id'>,
): Promise<number | undefined> => {
  const values = { ...shown, event: 'shown', closing_id: null, user_id: db.claims.userId } as const
  const { found } = await db.batchOfAllBranches({
    insert: insertShown(values),
    found: first(selectShown(values)),
  })
  return found?.id
}
