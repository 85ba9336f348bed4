import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { COMMENT_MAX } from '../values/log-values.ts'
import { id, isMoment, moment } from './columns.ts'
import { employeeId } from './people.ts'

/**
 * The senders of logs, except apps and people. A source is a time clock, or a program that reads
 * several clocks.
 */
export const intake_sources = sqliteTable(
  'intake_sources',
  {
    source: text().primaryKey(),
    /** The source has sent all logs from before this moment. */
    complete_until: text(),
    last_seen_at: moment(),
    /**
     * The moment of retirement. Retired sources are listed separately, and it does not matter
     * whether they have sent all logs.
     */
    retired_at: text(),
    /** A readable name, such as the place of the clock. */
    label: text(),
  },
  (t) => [
    check('intake_sources_complete_until', isMoment(t.complete_until)),
    check('intake_sources_last_seen_at', isMoment(t.last_seen_at)),
    check('intake_sources_retired_at', isMoment(t.retired_at)),
  ],
)

/**
 * Items of a source that were refused or that differ from the stored log. Dismissed problems are
 * kept but not shown.
 */
export const intake_problems = sqliteTable(
  'intake_problems',
  {
    id: id(),
    source: text().notNull(),
    /**
     * The item's `source_id`, or its `log_id` as text. '' if neither can be read, or if the problem
     * is about all logs of the employee.
     */
    source_id: text().notNull(),
    employee_id: text().notNull(),
    /** The employee's branch, for users with a scope. Null if the employee is unknown. */
    branch_office: text(),
    result: text({ enum: ['created', 'differs', 'refused'] }).notNull(),
    reason: text(),
    first_at: moment(),
    last_at: moment(),
    count: integer().notNull().default(1),
    dismissed_at: text(),
    dismissed_reason: text(),
    /** More about the reason, such as the name of the first invalid field. */
    detail: text(),
  },
  (t) => [
    uniqueIndex('intake_problems_item').on(t.source, t.source_id, t.employee_id),
    index('intake_problems_last_at').on(t.last_at),
    check('intake_problems_dismissed_at', isMoment(t.dismissed_at)),
    check(
      'intake_problems_dismissed_reason',
      sql`(${t.dismissed_at} IS NULL) = (${t.dismissed_reason} IS NULL)
        AND coalesce(length(${t.dismissed_reason}), 1) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)}`,
    ),
  ],
)

/** The sources that have sent logs of each employee, with the time of the last log. */
export const employee_sources = sqliteTable(
  'employee_sources',
  {
    employee_id: employeeId(),
    source: text().notNull(),
    last_recorded_at: moment(),
  },
  (t) => [primaryKey({ columns: [t.employee_id, t.source] })],
)
