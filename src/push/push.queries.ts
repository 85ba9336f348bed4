import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { requireOwnEmployee } from '../core/db/own-employee.ts'
import { first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { newestEventId } from '../core/db/shared-expressions.ts'
import { selectZoneRules, zonesOf } from '../core/db/zones.ts'
import { log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_lines, closing_people, closings } from '../core/tables/payroll.ts'
import { push_state, push_subscriptions } from '../core/tables/push.ts'
import { users } from '../core/tables/users.ts'

/** A subscription of a browser, as it is stored. */
export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
  origin: string
}

/** A user's further phones replace the ones that were registered first. */
const PHONES_PER_USER = 10

/** The number of messages in one part of a run. */
const PART = 50

interface Registration extends Subscription {
  user_id: number
  jti: string
  iat: number
  exp: number | null
  at: string
}

const upsertSubscription = prepare((p: Params<Registration>) => {
  const session = { user_id: p.user_id, jti: p.jti, iat: p.iat, exp: p.exp }
  const values = { p256dh: p.p256dh, auth: p.auth, origin: p.origin, ...session }
  const ifSameUser = (column: SQL, otherwise: SQL) =>
    sql`iif(${push_subscriptions.user_id} = excluded.user_id, ${column}, ${otherwise})`
  return qb
    .insert(push_subscriptions)
    .values({ endpoint: p.endpoint, ...values, created_at: p.at })
    .onConflictDoUpdate({
      target: push_subscriptions.endpoint,
      set: {
        ...values,
        created_at: ifSameUser(sql`${push_subscriptions.created_at}`, sql`excluded.created_at`),
        news_event_id: ifSameUser(sql`${push_subscriptions.news_event_id}`, sql`NULL`),
      },
    })
})

const deleteFurtherPhones = prepare((p: Params<{ user_id: number }>) =>
  qb.delete(push_subscriptions).where(
    sql`${push_subscriptions.user_id} = ${p.user_id} AND ${push_subscriptions.endpoint} NOT IN (
      ${qb
        .select({ endpoint: push_subscriptions.endpoint })
        .from(push_subscriptions)
        .where(eq(push_subscriptions.user_id, p.user_id))
        .orderBy(desc(push_subscriptions.created_at))
        .limit(PHONES_PER_USER)})`,
  ),
)

/** Begins after the newest event, so that the first run does not search all earlier ones. */
const insertState = prepare(() =>
  insertSelect(
    push_state,
    { id: sql`1`, last_event_id: newestEventId, sent_at: null, error: null },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${push_state})`,
  ),
)

/**
 * Stores the caller's phone for as long as the caller's session lasts. If another user had it, it is
 * theirs no longer.
 * @throws DomainError NO_EMPLOYEE
 */
export const savePhone = (db: AuthorizedDb, subscription: Subscription, now: Date) => {
  const { userId: user_id, jti, iat = Math.floor(now.getTime() / 1000), exp = null } = db.claims
  const registration = { ...subscription, user_id, jti, iat, exp, at: now.toISOString() }
  return db.batchOfAllBranches({
    check: requireOwnEmployee({ user_id }),
    saved: upsertSubscription(registration),
    others: deleteFurtherPhones({ user_id }),
    state: insertState({}),
  })
}

const deleteSubscription = prepare((p: Params<{ endpoint: string; user_id: number }>) =>
  qb
    .delete(push_subscriptions)
    .where(
      sql`${push_subscriptions.endpoint} = ${p.endpoint} AND ${push_subscriptions.user_id} = ${p.user_id}`,
    ),
)

export const deletePhone = (db: AuthorizedDb, endpoint: string) =>
  db.batchOfAllBranches({
    deleted: deleteSubscription({ endpoint, user_id: db.claims.userId }),
  })

const isNew = (p: Params<{ since: string }>) =>
  sql`${log_events.id} > (SELECT last_event_id FROM ${push_state}) AND ${log_events.created_at} >= ${p.since}`

/** A decision that was changed again is no news. */
const isLastDecision = sql`NOT EXISTS (SELECT 1 FROM ${log_events} AS later
  WHERE later.log_id = ${log_events.log_id} AND later.id > ${log_events.id}
    AND later.event = 'decided')`

/** The new events that people are told about, with the person of each. */
const newsOfPeople = (p: Params<{ since: string }>) => sql`
  SELECT id, employee_id, to_status FROM ${log_events}
  WHERE ${isNew(p)} AND (event = 'answered'
    OR (event = 'decided' AND to_status <> 'pending' AND ${isLastDecision}))
  UNION ALL
  SELECT ${log_events.id}, person.employee_id, NULL FROM ${log_events}
    JOIN ${closing_people} AS person ON person.closing_id = ${log_events.closing_id}
  WHERE ${isNew(p)} AND event = 'closed' AND EXISTS (SELECT 1 FROM ${closing_lines} AS line
    WHERE line.closing_id = person.closing_id AND line.employee_id = person.employee_id)`

const isRejection = (id: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${log_events} WHERE id = ${id} AND to_status = 'rejected')`

/**
 * A phone gets one message about all news. It is about a rejected log, if there is one. CROSS JOIN
 * makes SQLite begin with the few new events, not with all users.
 */
const collectNews = prepare((p: Params<{ since: string }>) =>
  qb
    .update(push_subscriptions)
    .set({
      news_event_id: sql`iif(${isRejection(sql`${push_subscriptions.news_event_id}`)}
        AND NOT ${isRejection(sql`news.event_id`)},
        ${push_subscriptions.news_event_id}, news.event_id)`,
    })
    .from(
      sql`(SELECT ${users.id} AS user_id,
          coalesce(max(event.id) FILTER (WHERE to_status = 'rejected'), max(event.id)) AS event_id
        FROM (${newsOfPeople(p)}) AS event
          CROSS JOIN ${users} ON ${users.employee_id} = event.employee_id
        GROUP BY ${users.id}) AS news`,
    )
    .where(
      sql`news.user_id = ${push_subscriptions.user_id} AND ${push_subscriptions.created_at} <=
        (SELECT created_at FROM ${log_events} WHERE id = news.event_id)`,
    ),
)

const moveState = prepare(() =>
  qb
    .update(push_state)
    .set({ last_event_id: newestEventId })
    .where(sql`${push_state.last_event_id} <> ${newestEventId}`),
)

const hasNews = sql`${push_subscriptions.news_event_id} IS NOT NULL`

interface TokenLimits {
  seconds: number
  /** TOKEN_TTL_MINUTES in seconds. Null if tokens do not end by themselves. */
  ttl_seconds: number | null
}

/**
 * Whether the session's token has ended by itself. Tokens that were revoked, or whose user was
 * changed, have no row: triggers delete it.
 */
const hasEnded = (p: Params<TokenLimits>) =>
  sql`(coalesce(${push_subscriptions.exp} <= ${p.seconds}, false)
    OR coalesce(${push_subscriptions.iat} + ${p.ttl_seconds} <= ${p.seconds}, false))`

const deleteEndedWithNews = prepare((p: Params<TokenLimits>) =>
  qb.delete(push_subscriptions).where(sql`${hasNews} AND ${hasEnded(p)}`),
)

const deleteEnded = prepare((p: Params<TokenLimits>) =>
  qb
    .delete(push_subscriptions)
    .where(hasEnded(p))
    .returning({ endpoint: push_subscriptions.endpoint }),
)

/** Deletes the phones whose sessions have ended by themselves, and returns their number. */
export const deleteEndedPhones = async (db: BatchDb, limits: TokenLimits): Promise<number> =>
  (await db.batchOfAllBranches({ ended: deleteEnded(limits) })).ended.length

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
      created_at: sql<string>`${log_events.created_at}`.as('event_at'),
      branch_office: logs.branch_office,
      /** The day after the period of the closing that is to be signed, or whose objection it is. */
      before: sql<string | null>`(SELECT before FROM ${closings} WHERE id = coalesce(
        ${log_events.closing_id},
        (SELECT closing_id FROM ${log_events} AS signature
          WHERE signature.id = ${log_events.details} ->> 'signature')))`.as('before'),
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
  qb
    .delete(push_subscriptions)
    .where(sql`${push_subscriptions.endpoint} IN (SELECT value FROM json_each(${p.endpoints}))`),
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
    .select({
      phones: sql<number>`(SELECT count(*) FROM ${push_subscriptions})`.as('phones'),
      waiting: sql<number>`(SELECT count(*) FROM ${push_subscriptions} WHERE ${hasNews})`.as(
        'waiting',
      ),
      sent_at: sql<string | null>`(SELECT sent_at FROM ${push_state})`.as('sent_at'),
      error: sql<string | null>`(SELECT error FROM ${push_state})`.as('error'),
    })
    .from(sql`(SELECT 1)`),
)

export const readPushState = async (db: BatchDb) =>
  (await db.batchOfAllBranches({ state: first(selectPushState({})) })).state
