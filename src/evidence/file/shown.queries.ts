import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type PersonEvent, personEventRow } from '../../core/db/person-events.queries.ts'
import { insertSelect, type Params, prepare, qb } from '../../core/db/query.ts'
import { log_events } from '../../core/tables/logs.ts'

/**
 * `details` is a JSON list. It has for each person the employee, the period, the log, the people of
 * the file, and the number and the hash of the person's events in it. `employee_id` is null,
 * because the events have it only in `details`.
 */
interface Shown extends Omit<PersonEvent, 'employee_id'> {
  employee_id: null
  /** The ids of the employees, as a JSON list. */
  people: string
  /** The id of the newest event when the file's events were read. */
  last_id: number
  /** The moment from which on an event for the same file counts again. */
  since: string
}

/** Whether the evidence has no event yet that the file would have, and that was not read. */
const isComplete = (p: Params<Shown>) =>
  sql`NOT EXISTS (SELECT 1 FROM ${log_events} NOT INDEXED WHERE ${log_events.id} > ${p.last_id}
    AND (${log_events.employee_id} IN (SELECT value FROM json_each(${p.people}))
      OR ${log_events.event} IN ('closed', 'cancelled')
      OR (${log_events.event} = 'ruled' AND ${log_events.source} IS NOT NULL)))`

/** The id of the caller's newest event for the same file. Null if there is none since `since`. */
const sameFile = (p: Params<Shown>) =>
  sql<number | null>`(SELECT max(${log_events.id}) FROM ${log_events} INDEXED BY log_events_shown
    WHERE ${log_events.event} = 'shown' AND ${log_events.user_id} = ${p.user_id}
      AND ${log_events.created_at} > ${p.since} AND ${log_events.details} = item.value)`

const items = (p: Params<Shown>) => sql`json_each(${p.details}) AS item`

const insertShown = prepare((p: Params<Shown>) =>
  insertSelect(
    log_events,
    { ...personEventRow(p), details: sql`item.value` },
    sql`FROM ${items(p)} WHERE ${isComplete(p)}
      AND EXISTS (SELECT 1 FROM ${items(p)} WHERE ${sameFile(p)} IS NULL) ORDER BY item.key`,
  ),
)

const selectShown = prepare((p: Params<Shown>) =>
  qb
    .select({ id: sql<number>`${sameFile(p)}`.as('shown_id') })
    .from(items(p))
    .where(isComplete(p)),
)

/**
 * Records that the caller gets a file about people, with one event for each of them, or finds the
 * events of the same file. Their ids follow each other.
 * @returns the ids of the events; undefined if one of the people, a closing or a source has got an event
 * meanwhile
 */
export const recordShown = async (
  db: AuthorizedDb,
  shown: Pick<Shown, 'people' | 'details' | 'last_id' | 'at' | 'since'>,
): Promise<number[] | undefined> => {
  const values = {
    ...({ ...shown, event: 'shown', employee_id: null, closing_id: null } as const),
    user_id: db.claims.userId,
  }
  const { found } = await db.batchOfAllBranches({
    insert: insertShown(values),
    found: selectShown(values),
  })
  return found.length > 0 ? found.map(({ id }) => id) : undefined
}
