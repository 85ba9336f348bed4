import { type AnyColumn, and, desc, eq, notInArray, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { requireOwnEmployee } from '../core/db/own-employee.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { newestEventId } from '../core/db/shared-expressions.ts'
import { push_state, push_subscriptions } from '../core/tables/push.ts'

/** The phones that get messages. */

/** A subscription of a browser, as it is stored. */
export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
  origin: string
}

/** A user's further phones replace the ones that were registered first. */
const PHONES_PER_USER = 10

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
  const ifSameUser = (column: AnyColumn, otherwise: string) =>
    sql`iif(${push_subscriptions.user_id} = excluded.user_id, ${column}, ${sql.raw(otherwise)})`
  return qb
    .insert(push_subscriptions)
    .values({ endpoint: p.endpoint, ...values, created_at: p.at })
    .onConflictDoUpdate({
      target: push_subscriptions.endpoint,
      set: {
        ...values,
        created_at: ifSameUser(push_subscriptions.created_at, 'excluded.created_at'),
        news_event_id: ifSameUser(push_subscriptions.news_event_id, 'NULL'),
      },
    })
})

const deleteFurtherPhones = prepare((p: Params<{ user_id: number }>) =>
  qb
    .delete(push_subscriptions)
    .where(
      and(
        eq(push_subscriptions.user_id, p.user_id),
        notInArray(
          push_subscriptions.endpoint,
          qb
            .select({ endpoint: push_subscriptions.endpoint })
            .from(push_subscriptions)
            .where(eq(push_subscriptions.user_id, p.user_id))
            .orderBy(desc(push_subscriptions.created_at))
            .limit(PHONES_PER_USER),
        ),
      ),
    ),
)

/** Begins after the newest event, so that the first run does not search all earlier ones. */
const insertState = prepare(() =>
  insertSelect(
    push_state,
    { id: 1, last_event_id: newestEventId, sent_at: null, error: null },
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
      and(eq(push_subscriptions.endpoint, p.endpoint), eq(push_subscriptions.user_id, p.user_id)),
    ),
)

export const deletePhone = (db: AuthorizedDb, endpoint: string) =>
  db.batchOfAllBranches({
    deleted: deleteSubscription({ endpoint, user_id: db.claims.userId }),
  })

export interface TokenLimits {
  seconds: number
  /** TOKEN_TTL_MINUTES in seconds. Null if tokens do not end by themselves. */
  ttl_seconds: number | null
}

/**
 * Whether the session's token has ended by itself. Tokens that were revoked, or whose user was
 * changed, have no row: triggers delete it.
 */
export const hasEnded = (p: Params<TokenLimits>) =>
  sql`(coalesce(${push_subscriptions.exp} <= ${p.seconds}, false)
    OR coalesce(${push_subscriptions.iat} + ${p.ttl_seconds} <= ${p.seconds}, false))`

const deleteEnded = prepare((p: Params<TokenLimits>) =>
  qb
    .delete(push_subscriptions)
    .where(hasEnded(p))
    .returning({ endpoint: push_subscriptions.endpoint }),
)

/** Deletes the phones whose sessions have ended by themselves, and returns their number. */
export const deleteEndedPhones = async (db: BatchDb, limits: TokenLimits): Promise<number> =>
  (await db.batchOfAllBranches({ ended: deleteEnded(limits) })).ended.length
