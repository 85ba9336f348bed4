import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import {
  COMMENT_MAX,
  EVIDENCE_EVENTS,
  FIRST_EVENTS,
  LOG_EVENTS,
  LOG_KINDS,
  LOG_STATUSES,
  PERSON_EVENTS,
} from '../values/log-values.ts'
import { id, isMoment, isOneOf, moment, now, randomSalt, reference } from './columns.ts'
import { closings } from './payroll.ts'
import { employeeId } from './people.ts'
import { users } from './users.ts'

export const attendance_logs = sqliteTable(
  'attendance_logs',
  {
    id: id(),
    employee_id: employeeId(),
    kind: text({ enum: LOG_KINDS }).notNull(),
    recorded_at: moment(),
    status: text({ enum: LOG_STATUSES }).notNull().default('pending'),
    /**
     * The sender: a time clock, or an app (`app:7`) or person (`manual:7`, `request:7`) with the
     * user's id. '' for an imported log without a source.
     */
    source: text().notNull().default(''),
    /** The log's id at the source. Null if the log has an id of the legacy API. */
    source_id: text(),
    /**
     * The branch and department of the employee when the log arrives. Both columns never change
     * afterwards.
     */
    branch_office: text().notNull().default(''),
    department: text().notNull().default(''),
    /** The user who sent the log. Null for an operator's import. */
    recorded_by: integer().references(() => users.id),
    /**
     * The comment of a log that a person added by hand or asked for. There is no foreign key,
     * because the comment already refers to the log.
     */
    comment_id: integer(),
    /** The time of arrival. */
    created_at: moment().default(now),
    updated_at: moment().default(now),
  },
  (t) => [
    // One index for each combination of branch and department, and one for the employee. Each
    // status and kind is scanned on its own. SQLite ends each index with the rowid, which is the
    // id, so pages are sorted by time and id.
    index('attendance_logs_all').on(t.status, t.kind, t.recorded_at),
    index('attendance_logs_employee').on(t.employee_id, t.status, t.kind, t.recorded_at),
    index('attendance_logs_branch').on(t.branch_office, t.status, t.kind, t.recorded_at),
    index('attendance_logs_department').on(t.department, t.status, t.kind, t.recorded_at),
    index('attendance_logs_branch_department').on(
      t.branch_office,
      t.department,
      t.status,
      t.kind,
      t.recorded_at,
    ),
    uniqueIndex('attendance_logs_source')
      .on(t.source, t.source_id)
      .where(sql`${t.source_id} IS NOT NULL`),
    check('attendance_logs_kind', isOneOf(t.kind, LOG_KINDS)),
    check('attendance_logs_status', isOneOf(t.status, LOG_STATUSES)),
    check('attendance_logs_recorded_at', isMoment(t.recorded_at)),
    check('attendance_logs_created_at', isMoment(t.created_at)),
    check('attendance_logs_updated_at', isMoment(t.updated_at)),
  ],
)

/** Append-only, except that a comment may be erased together with its salt. */
export const log_comments = sqliteTable(
  'log_comments',
  {
    id: id(),
    log_id: reference(() => attendance_logs.id),
    user_id: reference(() => users.id),
    comment: text().notNull(),
    /** 16 random bytes, so that the comment cannot be guessed from its hash. */
    salt: text().notNull().default(randomSalt),
    created_at: moment(),
    updated_at: moment(),
  },
  (t) => [
    index('log_comments_log_id').on(t.log_id),
    check(
      'log_comments_comment',
      sql`(length(${t.comment}) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)} AND length(${t.salt}) = 32)
        OR (${t.comment} = '' AND ${t.salt} = '')`,
    ),
    check('log_comments_created_at', isMoment(t.created_at)),
    check('log_comments_updated_at', isMoment(t.updated_at)),
  ],
)

/**
 * The audit record: events of logs, closings, people and rules. Triggers on other tables add
 * `recorded`, `closed`, `cancelled`, `access` and `ruled`. An event of a log stores the values of
 * the log at that time. Append-only: triggers reject updates and deletes.
 */
export const log_events = sqliteTable(
  'log_events',
  {
    id: id(),
    event: text({ enum: EVIDENCE_EVENTS }).notNull(),
    /** Null unless it is an event of a log. */
    log_id: integer().references(() => attendance_logs.id),
    /** Null unless it is an event of a closing, or a signature of the lines of a closing. */
    closing_id: integer().references((): AnySQLiteColumn => closings.id),
    /** Null for an operator's import or command. */
    user_id: integer().references(() => users.id),
    /** The status before the decision. Null unless the event is `decided`. */
    from_status: text({ enum: LOG_STATUSES }),
    to_status: text({ enum: LOG_STATUSES }),
    comment_id: integer().references(() => log_comments.id),
    created_at: moment(),
    employee_id: text(),
    kind: text({ enum: LOG_KINDS }),
    recorded_at: text(),
    /** The log's source, or the source that was changed. '' for the company. Else null. */
    source: text(),
    /** The user's `actor_hash`, `import` for an imported log, or `operator` for a command. */
    actor: text().notNull(),
    salt: text().notNull().default(randomSalt),
    /** JSON of the fields that depend on the kind of event. */
    details: text(),
  },
  (t) => [
    index('log_events_log_id').on(t.log_id),
    // Finds the events of a person after a given id, such as the events since a closing or a
    // review.
    index('log_events_employee_id').on(t.employee_id),
    // Finds the events of a closing, including its signatures. The events of logs are not in this
    // index.
    index('log_events_closing_id').on(t.closing_id).where(sql`closing_id IS NOT NULL`),
    // Finds a person's events that are not of logs. A person has a few of them each month.
    index('log_events_person')
      .on(t.employee_id)
      .where(sql`log_id IS NULL AND employee_id IS NOT NULL`),
    // Finds the downloads of a user since a moment.
    index('log_events_shown').on(t.user_id, t.created_at).where(sql`event = 'shown'`),
    // Finds the objections, of which there are few.
    index('log_events_objections')
      .on(t.id)
      .where(sql`event = 'signed' AND details ->> 'agrees' = 0`),
    // Finds the changes of clocks and of other sources, and of the company, of which there are few.
    index('log_events_source').on(t.source).where(sql`event = 'ruled' AND source IS NOT NULL`),
    check('log_events_event', isOneOf(t.event, EVIDENCE_EVENTS)),
    check(
      'log_events_about',
      sql`CASE WHEN ${isOneOf(t.event, LOG_EVENTS)}
        THEN ${t.closing_id} IS NULL AND ${t.log_id} IS NOT NULL AND ${t.to_status} IS NOT NULL
          AND ${t.employee_id} IS NOT NULL AND ${t.kind} IS NOT NULL AND ${t.recorded_at} IS NOT NULL
          AND ${t.source} IS NOT NULL
        ELSE ${t.log_id} IS NULL
          AND (${t.closing_id} IS NOT NULL) = (${t.event} IN ('closed', 'cancelled', 'signed'))
          AND (${t.employee_id} IS NOT NULL OR NOT ${isOneOf(t.event, PERSON_EVENTS)}) END`,
    ),
    check(
      'log_events_from_status',
      sql`(${t.from_status} IS NOT NULL) = (${t.event} = 'decided')
        AND (${t.from_status} IS NULL OR ${isOneOf(t.from_status, LOG_STATUSES)})`,
    ),
    check(
      'log_events_to_status',
      sql`${t.to_status} IS NULL OR ${isOneOf(t.to_status, LOG_STATUSES)}`,
    ),
    check(
      'log_events_user_id',
      sql`${t.event} IN ('recorded', 'access', 'ruled') OR ${t.user_id} IS NOT NULL`,
    ),
    check('log_events_salt', sql`length(${t.salt}) = 32`),
    check(
      'log_events_details',
      sql`CASE WHEN ${isOneOf(t.event, FIRST_EVENTS)}
        THEN ${t.details} IS NULL
        ELSE coalesce(json_valid(${t.details}), 0) END`,
    ),
    check('log_events_created_at', isMoment(t.created_at)),
  ],
)

/** The hashes of erased comments. Sealed events contain them, so they must be kept. Append-only. */
export const erased_comments = sqliteTable(
  'erased_comments',
  {
    comment_id: integer()
      .primaryKey()
      .references(() => log_comments.id),
    /** SHA-256 of the salt, a line feed and the text. */
    hash: text().notNull(),
    erased_at: moment(),
  },
  (t) => [
    check('erased_comments_hash', sql`length(${t.hash}) = 64`),
    check('erased_comments_erased_at', isMoment(t.erased_at)),
  ],
)

/**
 * How far the decisions have been sent to NOTIFY_URL. It has one row, which the first run or a
 * command adds. Its lease keeps two runs from sending the same message.
 */
export const notify_state = sqliteTable(
  'notify_state',
  {
    id: integer().primaryKey(),
    /** The receiver has all decisions up to this event. */
    last_event_id: integer().notNull(),
    /** The last event of the message that is being sent. It stays the same in all retries. */
    message_end: integer(),
    /** The id of the run that is sending. Null if no run is sending. */
    lease: text(),
    lease_until: text(),
    /** How many times the message has failed. */
    failures: integer().notNull().default(0),
    /** The reason of the last failure. */
    error: text(),
    next_try_at: text(),
    sent_at: text(),
  },
  (t) => [
    check('notify_state_id', sql`${t.id} = 1`),
    check('notify_state_message_end', sql`${t.message_end} > ${t.last_event_id}`),
    check('notify_state_failures', sql`${t.failures} >= 0`),
    check(
      'notify_state_lease',
      sql`${t.lease} IS NULL OR (${t.lease_until} IS NOT NULL AND ${t.message_end} IS NOT NULL)`,
    ),
    check('notify_state_lease_until', isMoment(t.lease_until)),
    check('notify_state_next_try_at', isMoment(t.next_try_at)),
    check('notify_state_sent_at', isMoment(t.sent_at)),
  ],
)
