import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PEOPLE_SUBJECTS } from '../values/log-values.ts'
import { id, isFlag, isMoment, isOneOf, moment, now, reference } from './columns.ts'
import { employees } from './people.ts'

export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** The normalized e-mail address: trimmed and in lower case, also beyond ASCII. */
    email_key: text().notNull().unique('users_email_key_unique'),
    password_hash: text().notNull(),
    /** Incremented to end all tokens of the user. */
    token_version: integer().notNull().default(0),
    first_name: text().notNull(),
    last_name: text().notNull(),
    mother_last_name: text().notNull(),
    role: text().notNull(),
    active: integer().notNull().default(1),
    external: integer().notNull().default(0),
    type_user: text().notNull(),
    status_user: text().notNull(),
    employee_id: text()
      .unique('users_employee_id_unique')
      .references(() => employees.employee_id),
    /**
     * SHA-256 of actor_salt, a line feed and email_key. It identifies the user in events without
     * showing the e-mail address.
     */
    actor_hash: text().notNull(),
    actor_salt: text().notNull(),
    /** A JSON list of the branches whose people and logs the user sees. Null for all branches. */
    scope_branches: text(),
    /**
     * A JSON list of the keys of the sources that the user may send logs for. Null for any source.
     */
    sources: text(),
    /**
     * The user whose link set the password. Null if there is none, or if an operator set it. There
     * is no foreign key, since this user may be the newer one: a backup has users by their ids.
     */
    password_through: integer(),
    /** Whether the user is a machine, which has tokens but no password. */
    machine: integer({ mode: 'boolean' }).notNull().default(false),
    /** Incremented by a trigger with each change, so that nobody overwrites a change unseen. */
    version: integer().notNull().default(1),
  },
  (t) => [
    check('users_email_key', sql`${t.email_key} LIKE '%_@_%'`),
    check('users_active', isFlag(t.active)),
    check('users_external', isFlag(t.external)),
    check(
      'users_scope_branches',
      sql`${t.scope_branches} IS NULL OR (json_valid(${t.scope_branches})
        AND json_type(${t.scope_branches}) = 'array' AND json_array_length(${t.scope_branches}) > 0)`,
    ),
    check(
      'users_sources',
      sql`${t.sources} IS NULL OR (json_valid(${t.sources})
        AND json_type(${t.sources}) = 'array' AND json_array_length(${t.sources}) > 0)`,
    ),
  ],
)

/**
 * The changes of employees, users and payroll groups. Append-only, but `changes` becomes '' when the person is
 * forgotten.
 */
export const people_changes = sqliteTable(
  'people_changes',
  {
    id: id(),
    at: moment(),
    /** Null for an operator's command. */
    user_id: integer().references(() => users.id),
    subject: text({ enum: PEOPLE_SUBJECTS }).notNull(),
    /** The id of the employee or of the user as text, or the name of the group. */
    subject_id: text().notNull(),
    /** A JSON list of `{field, before, after}`. */
    changes: text().notNull(),
    /** A JSON list of the employee's branch, or of both branches of a move. Null for others. */
    branches: text(),
  },
  (t) => [
    index('people_changes_subject').on(t.subject, t.subject_id),
    check('people_changes_at', isMoment(t.at)),
    check('people_changes_subject', isOneOf(t.subject, PEOPLE_SUBJECTS)),
    check('people_changes_changes', sql`${t.changes} = '' OR json_valid(${t.changes})`),
    // In SQLite 3.40, json_valid(NULL) is 0.
    check('people_changes_branches', sql`${t.branches} IS NULL OR json_valid(${t.branches})`),
  ],
)

/**
 * The links with which users set their passwords. A new link of a user replaces the older link, and
 * a used link is deleted.
 */
export const invitations = sqliteTable(
  'invitations',
  {
    user_id: integer()
      .primaryKey()
      .references(() => users.id),
    /** SHA-256 of the link's token, in hexadecimal. */
    token_hash: text().notNull().unique('invitations_token_hash_unique'),
    expires_at: moment(),
    /** The user who made the link. A foreign key would need an index. */
    invited_by: integer().notNull(),
  },
  (t) => [check('invitations_expires_at', isMoment(t.expires_at))],
)

/** The tokens that were ended individually, by their `jti`. */
export const revoked_tokens = sqliteTable(
  'revoked_tokens',
  {
    jti: text().primaryKey(),
    user_id: reference(() => users.id),
    created_at: moment().default(now),
    /**
     * The second in which the token ends by itself; the row is then of no use. Null if the token
     * names none: the row stays, since only it keeps the token from working.
     */
    exp: integer(),
  },
  (t) => [
    index('revoked_tokens_user_id').on(t.user_id),
    index('revoked_tokens_exp').on(t.exp).where(sql`exp IS NOT NULL`),
    check('revoked_tokens_created_at', isMoment(t.created_at)),
  ],
)
