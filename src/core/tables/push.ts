import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isMoment, moment, reference } from './columns.ts'
import { log_events } from './logs.ts'
import { users } from './users.ts'

/**
 * The phones that get push messages: the subscriptions that browsers made (RFC 8030). A phone
 * belongs to one session. Triggers delete its row with the token, and when all tokens of the user
 * end or the user gets another employee.
 */
export const push_subscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The address to which messages are sent. The next user of a phone takes it over. */
    endpoint: text().primaryKey(),
    /** The browser's public key and its secret, in base64url (RFC 8291, section 3.1). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    user_id: reference(() => users.id),
    /** The token of the session, and the seconds in which it was issued and ends by itself. */
    jti: text().notNull(),
    iat: integer().notNull(),
    exp: integer(),
    /** Where the phone reached this service, such as `https://checada.example.com`. */
    origin: text().notNull(),
    /** When the user first said yes on this phone. Earlier news is not sent to it. */
    created_at: moment(),
    /** The event that the next message is about. Null if there is nothing to send. */
    news_event_id: integer().references(() => log_events.id),
  },
  (t) => [
    index('push_subscriptions_user_id').on(t.user_id),
    index('push_subscriptions_jti').on(t.jti),
    index('push_subscriptions_news').on(t.news_event_id).where(sql`news_event_id IS NOT NULL`),
    check('push_subscriptions_created_at', isMoment(t.created_at)),
  ],
)

/** How far the events have been searched for news of phones. It has one row. */
export const push_state = sqliteTable(
  'push_state',
  {
    id: integer().primaryKey(),
    last_event_id: integer().notNull(),
    /** When a push service last accepted a message. */
    sent_at: text(),
    /** Why a message of the last run was not accepted, such as `HTTP 403`. Null if all were. */
    error: text(),
  },
  (t) => [
    check('push_state_id', sql`${t.id} = 1`),
    check('push_state_sent_at', isMoment(t.sent_at)),
  ],
)
