import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type D1, first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { batch } from '../core/db/run.ts'
import { columns, number, orNull, text, write } from '../core/db/text-query.ts'
import { selectZoneRules, zonesOf } from '../core/db/zones.ts'
import { log_events, notify_state } from '../core/tables/logs.ts'
import { selectFeed, toFeedEvent } from './events.queries.ts'

/** The maximum number of decisions in a message. */
const DECISIONS_MAX = sql.raw('100')

/** The maximum number of events read for a message. Events other than decisions count too. */
const EVENTS_MAX = sql.raw('1000')

/** The next events after a position: a column or an expression of one. */
const eventsAfter = (position: string) => sql`(SELECT id, event, created_at FROM ${log_events}
  WHERE id > ${sql.raw(position)} ORDER BY id LIMIT ${EVENTS_MAX})`

/**
 * The id of the last event of the next message after a position. The message may contain no
 * decision. Null if there is no event.
 */
const messageEndAfter = (position: string) => sql`coalesce(
  (SELECT id FROM ${eventsAfter(position)} WHERE event = 'decided'
    ORDER BY id LIMIT 1 OFFSET ${DECISIONS_MAX} - 1),
  (SELECT max(id) FROM ${eventsAfter(position)}))`

/**
 * Adds the row of the state if there is none. Sending begins after the newest event before `at`, so
 * earlier decisions are never sent.
 */
const insertState = prepare((p: Params<{ at: string }>) =>
  insertSelect(
    notify_state,
    {
      id: 1,
      last_event_id: sql`coalesce((SELECT id FROM ${log_events} WHERE created_at < ${p.at}
        ORDER BY id DESC LIMIT 1), 0)`,
      message_end: null,
      lease: null,
      lease_until: null,
      failures: 0,
      error: null,
      next_try_at: null,
      sent_at: null,
    },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${notify_state})`,
  ),
)

interface Lease {
  lease: string
  lease_until: string
}

const messageColumns = { message_end: orNull(number), failures: number }

/** Takes the lease unless another run holds it, a retry is due later, or there is no new event. */
const takeLease = prepare((p: Params<Lease & { now: string }>) =>
  write(
    sql`UPDATE ${notify_state} SET lease = ${p.lease}, lease_until = ${p.lease_until},
        message_end = coalesce(message_end, ${messageEndAfter('last_event_id')})
      WHERE (lease IS NULL OR lease_until <= ${p.now}) AND coalesce(next_try_at <= ${p.now}, true)
        AND EXISTS (SELECT 1 FROM ${log_events} WHERE id > last_event_id)
      RETURNING message_end, failures`,
    messageColumns,
  ),
)

/**
 * Moves to the next message. If there is no next message, or `goes_on` is 0, it gives the lease
 * back.
 */
const moveToNext = prepare((p: Params<Lease & { sent_at: string | null; goes_on: number }>) =>
  write(
    sql`UPDATE ${notify_state} SET last_event_id = message_end,
        (message_end, lease) = (SELECT message_end, iif(message_end IS NULL, NULL, ${p.lease})
          FROM (SELECT iif(${p.goes_on}, ${messageEndAfter('message_end')}, NULL) AS message_end)),
        lease_until = ${p.lease_until}, failures = 0, error = NULL, next_try_at = NULL,
        sent_at = coalesce(${p.sent_at}, sent_at)
      WHERE lease = ${p.lease}
      RETURNING message_end, failures`,
    messageColumns,
  ),
)

const recordFailure = prepare(
  (p: Params<{ lease: string; failures: number; error: string; next_try_at: string }>) =>
    qb
      .update(notify_state)
      .set({ lease: null, failures: p.failures, error: p.error, next_try_at: p.next_try_at })
      .where(eq(notify_state.lease, p.lease)),
)

const selectDecisions = prepare((p: Params<{ lease: string }>) => {
  const ofRun = (column: SQLiteColumn) =>
    qb.select({ column }).from(notify_state).where(eq(notify_state.lease, p.lease))
  return selectFeed().where(
    and(
      gt(log_events.id, ofRun(notify_state.last_event_id)),
      lte(log_events.id, ofRun(notify_state.message_end)),
      eq(log_events.event, sql`'decided'`),
    ),
  )
})

/** The message to send. Undefined if this run does not hold the lease, or sends nothing more. */
const toMessage = (
  [state]: { message_end: number | null; failures: number }[],
  decisions: Parameters<typeof toFeedEvent>[0][],
  rules: Parameters<typeof zonesOf>[0]['rules'],
) => {
  if (!state || state.message_end === null) return undefined
  const zones = zonesOf({ version: 0, rules })
  return {
    failures: state.failures,
    changes: decisions.map((decision) => toFeedEvent(decision, zones)),
  }
}

/** Takes the lease and reads the message to send, in one transaction. */
export const takeMessage = async (db: BatchDb, values: Lease & { now: string; since: string }) => {
  const { state, decisions, rules } = await db.batchOfAllBranches({
    first: insertState({ at: values.since }),
    state: takeLease(values),
    decisions: selectDecisions(values),
    rules: selectZoneRules({}),
  })
  return toMessage(state, decisions, rules)
}

/** Records that the receiver has the message, and reads the next message, in one transaction. */
export const takeNextMessage = async (
  db: BatchDb,
  values: Lease & { sent_at: string | null; goes_on: number },
) => {
  const { state, decisions, rules } = await db.batchOfAllBranches({
    state: moveToNext(values),
    decisions: selectDecisions(values),
    rules: selectZoneRules({}),
  })
  return toMessage(state, decisions, rules)
}

/**
 * Records a failure and the time of the next attempt. Does nothing if the run has lost its lease.
 */
export const postponeMessage = (
  db: BatchDb,
  values: { lease: string; failures: number; error: string; next_try_at: string },
) => db.batchOfAllBranches({ failure: recordFailure(values) })

/** Reads the state, and counts the decisions among the next EVENTS_MAX events. */
export const selectLag = prepare(() =>
  qb
    .select(
      columns({
        last_event_id: number,
        waiting: number,
        waiting_since: orNull(text),
        failures: number,
        error: orNull(text),
        next_try_at: orNull(text),
        sent_at: orNull(text),
        newest_event_id: number,
      }),
    )
    .from(sql`(SELECT *, (SELECT max(id) FROM ${log_events}) AS newest_event_id
      FROM ${notify_state}, (SELECT count(*) AS waiting, min(created_at) AS waiting_since
        FROM ${eventsAfter(`(SELECT last_event_id FROM notify_state)`)} WHERE event = 'decided'))`),
)

/**
 * The id of the event up to which decisions have been sent, and how many of the next 1,000 events
 * are decisions. Undefined if sending has never begun.
 */
export const readNotificationLag = async (db: D1) =>
  (await batch(db, { lag: first(selectLag({})) })).lag

/** A failed message is sent again with the same decisions, unless `after` moves the position. */
const resetState = prepare((p: Params<{ after: number | null }>) =>
  write(sql`UPDATE ${notify_state} SET last_event_id = coalesce(${p.after}, last_event_id),
      message_end = iif(${p.after} IS NULL, message_end, NULL),
      lease = NULL, failures = 0, error = NULL, next_try_at = NULL`),
)

/**
 * Ends a wait for a retry, so that the next run sends at once. With `after`, sending continues
 * after the event with this id. If sending has never begun, it begins now.
 */
export const resumeNotifications = (
  db: D1,
  { after, now }: { after: number | null; now: string },
) => batch(db, { first: insertState({ at: now }), state: resetState({ after }) })
