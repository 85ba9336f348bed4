import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { COMMENT_MAX } from '../values/log-values.ts'
import { id, isDay, isDayOrAlways, isMoment, moment, now, reference } from './columns.ts'
import { employeeId, employees } from './people.ts'
import { users } from './users.ts'

/** Whether `closing`, an alias of `closings`, is active: completed and not cancelled. */
export const isActiveClosing = sql`closing.completed_at IS NOT NULL AND closing.cancelled_at IS NULL`

/** The longest shift of a person, valid from a local day on. Without an employee, everybody's. */
export const employee_shifts = sqliteTable(
  'employee_shifts',
  {
    id: id(),
    employee_id: text().references(() => employees.employee_id),
    /** The first local day. '' if the longest shift was always valid. */
    valid_from: text().notNull().default(''),
    max_shift_hours: integer().notNull(),
    /** Null for an import, and for the row that the migrations add. */
    user_id: integer().references(() => users.id),
    created_at: moment().default(now),
  },
  (t) => [
    index('employee_shifts_employee_id').on(t.employee_id),
    check('employee_shifts_valid_from', isDayOrAlways(t.valid_from)),
    check('employee_shifts_max_shift_hours', sql`${t.max_shift_hours} BETWEEN 1 AND 36`),
    check('employee_shifts_created_at', isMoment(t.created_at)),
  ],
)

/**
 * A closing pays people the days until the day `before`, which is not included, and stores lines
 * for these days. It is active from its completion until it is cancelled. Triggers allow only one
 * completion and one cancellation. Here and in reviews, a comment about one person becomes '' when
 * the person is forgotten.
 */
export const closings = sqliteTable(
  'closings',
  {
    id: id(),
    /** The first local day that the closing does not pay. */
    before: text().notNull(),
    /** The selected group or employee. The closing pays everyone if both are null. */
    payroll_group: text(),
    employee_id: text().references(() => employees.employee_id),
    user_id: reference(() => users.id),
    comment: text(),
    /** A random text. A restored database may give an id again, but never with the same token. */
    token: text().notNull(),
    /**
     * The id of the newest event when the closing began. If a log has a later event, the next
     * closing counts the days around the log again.
     */
    last_event_id: integer().notNull(),
    /**
     * The state when the closing began: the id of the newest closing, and the number of
     * cancellations. The closing fails if one of these numbers changes before it is completed.
     */
    closings_before: integer().notNull(),
    cancellations_before: integer().notNull(),
    created_at: moment(),
    completed_at: text(),
    /** The totals are null until the closing is completed. */
    people: integer(),
    days: integer(),
    period_seconds: integer(),
    added_seconds: integer(),
    deducted_seconds: integer(),
    held_seconds: integer(),
    exceptions_left: integer(),
    pending: integer(),
    pending_of_period: integer(),
    /** A JSON list of the sources that had not sent all logs. */
    unsynced: text(),
    /** The hash of the lines, which sdk/evidence/FORMAT.md describes. */
    hash: text(),
    cancelled_at: text(),
    cancelled_by: integer().references(() => users.id),
    cancel_comment: text(),
    /** The id of the newest completed closing when this closing was cancelled. */
    cancelled_after: integer(),
  },
  (t) => [
    // Each closing looks for unfinished closings. There are none, or one.
    index('closings_unfinished').on(t.id).where(sql`${t.completed_at} IS NULL`),
    check('closings_before', isDay(t.before)),
    check('closings_selection', sql`${t.payroll_group} IS NULL OR ${t.employee_id} IS NULL`),
    check('closings_comment', sql`length(${t.comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`),
    check(
      'closings_cancel_comment',
      sql`length(${t.cancel_comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`,
    ),
    check('closings_hash', sql`(${t.hash} IS NULL) = (${t.completed_at} IS NULL)`),
    check('closings_cancelled_at', sql`(${t.cancelled_at} IS NULL) = (${t.cancelled_by} IS NULL)`),
    check('closings_created_at', isMoment(t.created_at)),
  ],
)

/** The people of a closing, including people without a line. The table has no names of people. */
export const closing_people = sqliteTable(
  'closing_people',
  {
    closing_id: reference(() => closings.id),
    employee_id: employeeId(),
    payroll_group: text().notNull(),
    branch_office: text().notNull(),
    /** The person's first day when the closing was made: the first day that the service pays. */
    first_day: text().notNull(),
    /** The first day that this closing was the first to pay. Null if it only corrects other days. */
    from_day: text(),
    /** The moment when the paid days end in the person's branch. */
    end_at: moment(),
    /**
     * Logs recorded before this moment are closed, and paid if they were decided when the closing
     * began. It is the end of the paid days, or just after the last exit if that is later.
     */
    lock_at: moment(),
    pending: integer().notNull(),
    pending_of_period: integer().notNull(),
    /** SHA-256 of the person's lines. */
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.closing_id, t.employee_id] }),
    index('closing_people_employee_id').on(t.employee_id, t.lock_at),
    // Finds the earliest day that was paid to a person.
    index('closing_people_from_day').on(t.employee_id, t.from_day),
    check('closing_people_end_at', isMoment(t.end_at)),
    check('closing_people_lock_at', isMoment(t.lock_at)),
    check('closing_people_hash', sql`length(${t.hash}) = 64`),
  ],
)

/**
 * The lines of closings. Each line pays one day of a person: the hours of the day minus the hours
 * that active closings have already paid for the day. If a pending log can still change the day, the
 * line deducts nothing, and pays only the pairs that no decision can change.
 */
export const closing_lines = sqliteTable(
  'closing_lines',
  {
    closing_id: integer().notNull(),
    employee_id: text().notNull(),
    day: text().notNull(),
    of_period: integer().notNull(),
    department: text().notNull(),
    branch_office: text().notNull(),
    first_in: text(),
    last_out: text(),
    pairs: integer().notNull(),
    worked_seconds: integer(),
    paid_before_seconds: integer().notNull(),
    difference_seconds: integer().notNull(),
    previous_closing_id: integer(),
    held_seconds: integer().notNull(),
    held_by: integer(),
    detail: text().notNull(),
    /** The exceptions, separated by spaces. */
    exceptions: text().notNull(),
    notices: text().notNull(),
    /**
     * 1 for a day of the period with an exception that nobody had reviewed, else 0. If `pendientes`
     * is the only exception, it counts only if a person added one of the day's logs.
     */
    needs_look: integer().notNull(),
    /**
     * The pairs of the day as JSON, and the logs of which one was too many. They are not sealed. Null
     * in closings that version 2.0.0 made.
     */
    spans: text({ mode: 'json' }),
    extra_log_ids: text({ mode: 'json' }),
  },
  (t) => [
    primaryKey({ columns: [t.closing_id, t.employee_id, t.day] }),
    foreignKey({
      name: 'closing_lines_person',
      columns: [t.closing_id, t.employee_id],
      foreignColumns: [closing_people.closing_id, closing_people.employee_id],
    }),
    index('closing_lines_employee_id').on(t.employee_id, t.day),
    check(
      'closing_lines_difference',
      sql`coalesce(${t.worked_seconds}, 0) = ${t.paid_before_seconds} + ${t.difference_seconds}`,
    ),
  ],
)

/**
 * Days that somebody has reviewed. A review is valid until a log of the day gets another event. With
 * `confirmed_seconds` it is also valid only while the day pays these seconds.
 */
export const day_reviews = sqliteTable(
  'day_reviews',
  {
    id: id(),
    employee_id: employeeId(),
    day: text().notNull(),
    comment: text(),
    /** The seconds that the user has confirmed, as a `posible_desfase` needs it. */
    confirmed_seconds: integer(),
    user_id: reference(() => users.id),
    last_event_id: integer().notNull(),
    created_at: moment(),
  },
  (t) => [
    index('day_reviews_employee_id').on(t.employee_id, t.day),
    check('day_reviews_day', isDay(t.day)),
    check('day_reviews_comment', sql`length(${t.comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`),
    check('day_reviews_created_at', isMoment(t.created_at)),
  ],
)
