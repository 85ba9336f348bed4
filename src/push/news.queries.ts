import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { first, type Params, prepare, qb, valuesOf } from '../core/db/query.ts'
import { newestEventId } from '../core/db/shared-expressions.ts'
import { columns, number, orNull, text, write } from '../core/db/text-query.ts'
import { selectZoneRules, zonesOf } from '../core/db/zones.ts'
import { log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_lines, closing_people, closings } from '../core/tables/payroll.ts'
import { push_state, push_subscriptions } from '../core/tables/push.ts'
import { users } from '../core/tables/users.ts'
import { hasEnded, type TokenLimits } from './phones.queries.ts'

/** The news of people, which their phones show. */

/** The number of messages in one part of a run. */
const PART = 50

const isNew = (p: Params<{ since: string }>) =>
  sql`${log_events.id} > (SELECT last_event_id FROM ${push_state}) AND ${log_events.created_at} >= ${p.since}`

/**
 * The newest event of each user that is told, or the newest one about a rejected log. A decision that
 * was changed again is no news. CROSS JOIN makes SQLite begin with the few new events.
 */
const newsOfUsers = (p: Params<{ since: string }>) => sql`(
  WITH event AS (
    SELECT id, employee_id, to_status FROM ${log_events}
    WHERE ${isNew(p)} AND (event = 'answered' OR (event = 'decided' AND to_status <> 'pending'
      AND NOT EXISTS (SELECT 1 FROM ${log_events} AS later
        WHERE later.log_id = ${log_events.log_id} AND later.id > ${log_events.id}
          AND later.event = 'decided')))
    UNION ALL
    SELECT ${log_events.id}, person.employee_id, NULL FROM ${log_events}
      JOIN ${closing_people} AS person ON person.closing_id = ${log_events.closing_id}
    WHERE ${isNew(p)} AND event = 'closed' AND EXISTS (SELECT 1 FROM ${closing_lines} AS line
      WHERE line.closing_id = person.closing_id AND line.employee_id = person.employee_id))
  SELECT ${users.id} AS user_id,
    coalesce(max(event.id) FILTER (WHERE to_status = 'rejected'), max(event.id)) AS event_id
  FROM event CROSS JOIN ${users} ON ${users.employee_id} = event.employee_id
  GROUP BY ${users.id}) AS news`

/** A phone gets one message about all news. It is about a rejected log, if there is one. */
const collectNews = prepare((p: Params<{ since: string }>) =>
  write(sql`UPDATE ${push_subscriptions} AS phone SET news_event_id = iif(
      EXISTS (SELECT 1 FROM ${log_events} WHERE id = phone.news_event_id AND to_status = 'rejected')
        AND NOT EXISTS (SELECT 1 FROM ${log_events}
          WHERE id = news.event_id AND to_status = 'rejected'),
      phone.news_event_id, news.event_id)
    FROM ${newsOfUsers(p)}
    WHERE news.user_id = phone.user_id AND phone.created_at <=
      (SELECT created_at FROM ${log_events} WHERE id = news.event_id)`),
)

const moveState = prepare(() =>
  qb
    .update(push_state)
    .set({ last_event_id: newestEventId })
    .where(ne(push_state.last_event_id, newestEventId)),
)

const hasNews = isNotNull(push_subscriptions.news_event_id)

const deleteEndedWithNews = prepare((p: Params<TokenLimits>) =>
  qb.delete(push_subscriptions).where(and(hasNews, hasEnded(p))),
)

const dropOldNews = prepare((p: Params<{ since: string }>) =>
  qb
    .update(push_subscriptions)
    .set({ news_event_id: null })
    .where(
      sql`${hasNews} AND (SELECT created_at FROM ${log_events}
        WHERE id = ${push_subscriptions.news_event_id}) < ${p.since}`,
    ),
)

const nextRows = sql`SELECT rowid FROM ${push_subscriptions} WHERE ${hasNews}
  ORDER BY news_event_id, rowid LIMIT ${sql.raw(String(PART))}`

const selectNews = prepare(() =>
  qb
    .select({
      endpoint: push_subscriptions.endpoint,
      p256dh: push_subscriptions.p256dh,
      auth: push_subscriptions.auth,
      origin: push_subscriptions.origin,
      event: log_events.event,
      to_status: log_events.to_status,
      recorded_at: log_events.recorded_at,
      created_at: log_events.created_at,
      branch_office: logs.branch_office,
      /** The day after the period of the closing that is to be signed, or whose objection it is. */
      before: sql<string | null>`(SELECT before FROM ${closings} WHERE id = coalesce(
        ${log_events.closing_id},
        (SELECT closing_id FROM ${log_events} AS signature
          WHERE signature.id = ${log_events.details} ->> 'signature')))`,
    })
    .from(push_subscriptions)
    .innerJoin(log_events, eq(log_events.id, push_subscriptions.news_event_id))
    .leftJoin(logs, eq(logs.id, log_events.log_id))
    .where(
      sql`${push_subscriptions}.rowid IN (${nextRows}) AND NOT EXISTS (SELECT 1 FROM ${closings}
        WHERE id = ${log_events.closing_id} AND cancelled_at IS NOT NULL)`,
    ),
)

const clearNews = prepare(() =>
  qb.update(push_subscriptions).set({ news_event_id: null }).where(sql`rowid IN (${nextRows})`),
)

/**
 * Takes up to 50 messages that are to be sent. They are taken in the transaction that reads them, so
 * no other run sends them too.
 * @param values.since events before this moment are not sent
 */
export const takeNews = async (db: BatchDb, values: TokenLimits & { since: string }) => {
  const { news, rules } = await db.batchOfAllBranches({
    old: dropOldNews(values),
    collected: collectNews(values),
    moved: moveState({}),
    ended: deleteEndedWithNews(values),
    news: selectNews({}),
    cleared: clearNews({}),
    rules: selectZoneRules({}),
  })
  return { news, zones: zonesOf({ version: 0, rules }) }
}

export type News = Awaited<ReturnType<typeof takeNews>>['news'][number]

const deleteGone = prepare((p: Params<{ endpoints: string }>) =>
  qb.delete(push_subscriptions).where(inArray(push_subscriptions.endpoint, valuesOf(p.endpoints))),
)

const updateState = prepare((p: Params<{ sent_at: string | null; error: string | null }>) =>
  qb
    .update(push_state)
    .set({ sent_at: sql`coalesce(${p.sent_at}, ${push_state.sent_at})`, error: p.error }),
)

/** Deletes the phones that are gone, and stores when messages were sent and why one was not. */
export const saveOutcome = (
  db: BatchDb,
  { gone, ...state }: { gone: string[]; sent_at: string | null; error: string | null },
) =>
  db.batchOfAllBranches({
    gone: deleteGone({ endpoints: JSON.stringify(gone) }),
    state: updateState(state),
  })

/** Counts the phones, and those with a message to send. */
export const selectPushState = prepare(() =>
  qb
    .select(
      columns({ phones: number, waiting: number, sent_at: orNull(text), error: orNull(text) }),
    )
    .from(
      sql`(SELECT count(*) AS phones, count(news_event_id) AS waiting,
          (SELECT sent_at FROM ${push_state}) AS sent_at, (SELECT error FROM ${push_state}) AS error
        FROM ${push_subscriptions})`,
    ),
)

export const readPushState = async (db: BatchDb) =>
  (await db.batchOfAllBranches({ state: first(selectPushState({})) })).state
