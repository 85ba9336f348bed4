import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { batch, type D1, first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { selectZoneRules, zonesOf } from '../core/db/zones.ts'
import { log_events, notify_state } from '../core/tables/logs.ts'
import { selectFeed, toFeedEvent } from './events.queries.ts'

/** The maximum number of decisions in a message. */
const DECISIONS_MAX = sql.raw('100')

/** The maximum number of events read for a message. Events other than decisions count too. */
const EVENTS_MAX = sql.raw('1000')

const eventsAfter = (position: SQL) => sql`(SELECT id, event, created_at FROM ${log_events}
  WHERE id > ${position} ORDER BY id LIMIT ${EVENTS_MAX})`

/**
 * The id of the last event of the next message after a position. The message may contain no
 * decision.
 */
const messageEndAfter = (position: SQL) => sql`coalesce(
  (SELECT id FROM ${eventsAfter(position)} WHERE event = 'decided'
    ORDER BY id LIMIT 1 OFFSET ${DECISIONS_MAX} - 1),
  (SELECT max(id) FROM ${eventsAfter(position)}))`

const hasEventsAfter = (position: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${log_events} WHERE id > ${position})`

const lastEventId = sql`${notify_state.last_event_id}`
const messageEnd = sql`${notify_state.message_end}`

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

const messageColumns = { message_end: notify_state.message_end, failures: notify_state.failures }

/** Takes the lease unless another run holds it, a retry is due later, or there is no new event. */
const takeLease = prepare((p: Params<Lease & { now: string }>) =>
  qb
    .update(notify_state)
    .set({
      lease: p.lease,
      lease_until: p.lease_until,
      message_end: sql`coalesce(${messageEnd}, ${messageEndAfter(lastEventId)})`,
    })
    .where(
      sql`(${notify_state.lease} IS NULL OR ${notify_state.lease_until} <= ${p.now})
        AND coalesce(${notify_state.next_try_at} <= ${p.now}, true) AND ${hasEventsAfter(lastEventId)}`,
    )
    .returning(messageColumns),
)

/**
 * Moves to the next message. If there is no next message, or `goes_on` is 0, it gives the lease
 * back.
 */
const moveToNext = prepare((p: Params<Lease & { sent_at: string | null; goes_on: number }>) => {
  const hasMore = sql`${p.goes_on} AND ${hasEventsAfter(messageEnd)}`
  return qb
    .update(notify_state)
    .set({
      last_event_id: messageEnd,
      message_end: sql`CASE WHEN ${hasMore} THEN ${messageEndAfter(messageEnd)} END`,
      lease: sql`CASE WHEN ${hasMore} THEN ${p.lease} END`,
      lease_until: p.lease_until,
      failures: 0,
      error: null,
      next_try_at: null,
      sent_at: sql`coalesce(${p.sent_at}, ${notify_state.sent_at})`,
    })
    .where(eq(notify_state.lease, p.lease))
    .returning(messageColumns)
})

const recordFailure = prepare(
  (p: Params<{ lease: string; failures: number; error: string; next_try_at: string }>) =>
    qb
      .update(notify_state)
      .set({ lease: null, failures: p.failures, error: p.error, next_try_at: p.next_try_at })
      .where(eq(notify_state.lease, p.lease)),
)

const runState = (column: SQL, p: Params<{ lease: string }>) =>
  sql`(SELECT ${column} FROM ${notify_state} WHERE ${notify_state.lease} = ${p.lease})`

const selectDecisions = prepare((p: Params<{ lease: string }>) =>
  selectFeed(sql`TRUE`).where(
    sql`${log_events.id} > ${runState(lastEventId, p)} AND ${log_events.id} <= ${runState(messageEnd, p)}
      AND ${log_events.event} = 'decided'`,
  ),
)

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
export const selectLag = prepare(() => {
  const waiting = (column: SQL) =>
    sql`(SELECT ${column} FROM ${eventsAfter(lastEventId)} WHERE event = 'decided')`
  return qb
    .select({
      last_event_id: notify_state.last_event_id,
      waiting: waiting(sql`count(*)`).mapWith(Number).as('waiting'),
      waiting_since: sql<string | null>`${waiting(sql`min(created_at)`)}`.as('waiting_since'),
      failures: notify_state.failures,
      error: notify_state.error,
      next_try_at: notify_state.next_try_at,
      sent_at: notify_state.sent_at,
      newest_event_id: sql<number>`(SELECT max(id) FROM ${log_events})`.as('newest_event_id'),
    })
    .from(notify_state)
})

/**
 * The id of the event up to which decisions have been sent, and how many of the next 1,000 events
 * are decisions. Undefined if sending has never begun.
 */
export const readNotificationLag = async (db: D1) =>
  (await batch(db, { lag: first(selectLag({})) })).lag

const resetState = prepare((p: Params<{ after: number | null }>) =>
  qb.update(notify_state).set({
    last_event_id: sql`coalesce(${p.after}, ${lastEventId})`,
    // A failed message is sent again with the same decisions, unless `after` moves the position.
    message_end: sql`CASE WHEN ${p.after} IS NULL THEN ${messageEnd} END`,
    lease: null,
    failures: 0,
    error: null,
    next_try_at: null,
  }),
)

/**
 * Ends a wait for a retry, so that the next run sends at once. With `after`, sending continues
 * after the event with this id. If sending has never begun, it begins now.
 */
export const resumeNotifications = (
  db: D1,
  { after, now }: { after: number | null; now: string },
) => batch(db, { first: insertState({ at: now }), state: resetState({ after }) })
