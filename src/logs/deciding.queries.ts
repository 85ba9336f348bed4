import { sql } from 'drizzle-orm'
import { type Expression, expression, type Params } from '../core/db/query.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { clock_numbers, clocks } from '../core/tables/clocks.ts'
import { log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_people, closings, isActiveClosing } from '../core/tables/payroll.ts'
import { CLOCK_PREFIX } from '../core/values/text.ts'

/** What decides who may decide a log: whether it is the caller's own, and whether it is paid. */

const serial = sql`upper(substr(${logs.source}, ${sql.raw(`${CLOCK_PREFIX.length + 1}`)}))`
const number = sql`substr(${logs.source_id}, 1, instr(${logs.source_id}, ' ') - 1)`

/**
 * Whether the log is of a clock that the caller added or moved, or of a number that the caller named
 * for the log's employee, and nobody else has confirmed that yet.
 */
const isOfOwnClock = (
  p: Params<{ user_id: number }>,
) => sql`(${logs.source} GLOB '${sql.raw(CLOCK_PREFIX)}*' AND (
  EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.serial} = ${serial}
    AND ${p.user_id} IN (SELECT value FROM json_each(${clocks.unconfirmed})))
  OR EXISTS (SELECT 1 FROM ${clock_numbers} WHERE ${clock_numbers.number} = ${number}
    AND ${clock_numbers.serial} IN (${serial}, '') AND ${clock_numbers.unconfirmed}
    AND ${clock_numbers.employee_id} = ${logs.employee_id}
    AND ${clock_numbers.user_id} = ${p.user_id})))`

/**
 * A log is the caller's own if it is about the caller's employee, or if the caller recorded it, also
 * by a clock that only the caller vouches for.
 */
export const isOwnLog = (
  p: Params<{ user_id: number }>,
) => sql<number>`(coalesce(${logs.employee_id} = ${ownEmployeeId(p)}, 0)
  OR ${logs.recorded_by} IS ${p.user_id} OR ${isOfOwnClock(p)})`

/**
 * A log is **closed** if it lies before its person's lock in an active closing, decided or not; and it
 * is **paid** if that closing has also seen its last decision, so that whoever decides it again must
 * pay too. Answers say `closed` and `locked`; LOG_CLOSED is about a paid log.
 */

/**
 * Whether the log lies before the person's lock in an active closing that meets the condition. Columns
 * are written with their table's name, which Drizzle leaves out if only one table is selected.
 */
const isBeforeLockOf = (condition: Expression) => sql<number>`EXISTS (
  SELECT 1 FROM ${closing_people} AS closed JOIN ${closings} AS closing
    ON closing.id = closed.closing_id
  WHERE closed.employee_id = ${logs}.employee_id AND closed.lock_at > ${logs}.recorded_at
    AND ${isActiveClosing} AND ${expression(condition)})`

export const isClosed = isBeforeLockOf('true')

/** A rejected log, or one before the person's first day, is paid too, although with nothing. */
export const isPaid = sql<number>`(${logs}.status <> 'pending' AND ${isBeforeLockOf(
  sql`closing.last_event_id >= (SELECT max(id) FROM ${log_events} WHERE log_id = ${logs}.id)`,
)})`
