import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COMMENT_MAX } from '../values/log-values.ts'
import { id, isDay, isMoment, moment, reference } from './columns.ts'
import { log_events } from './logs.ts'
import { users } from './users.ts'

/** The texts that people agree to. Append-only: after a new text, everybody is asked again. */
export const agreements = sqliteTable(
  'agreements',
  {
    id: id(),
    title: text().notNull(),
    text: text().notNull(),
    /** SHA-256 of the title, the first day and the text, joined by line feeds. */
    sha256: text().notNull().unique('agreements_sha256_unique'),
    /** The first local day on which the text is valid. */
    valid_from: text().notNull(),
    created_by: reference(() => users.id),
    created_at: moment(),
  },
  (t) => [
    check('agreements_valid_from', isDay(t.valid_from)),
    check('agreements_sha256', sql`length(${t.sha256}) = 64`),
    check('agreements_created_at', isMoment(t.created_at)),
  ],
)

/**
 * The comments of agreements, signatures and answers. Their events contain only the hashes.
 * Append-only, except that a comment may be erased together with its salt.
 */
export const statements = sqliteTable(
  'statements',
  {
    event_id: integer()
      .primaryKey()
      .references(() => log_events.id),
    text: text().notNull(),
    salt: text().notNull(),
  },
  (t) => [
    check(
      'statements_text',
      sql`(length(${t.text}) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)} AND length(${t.salt}) = 32)
        OR (${t.text} = '' AND ${t.salt} = '')`,
    ),
  ],
)
