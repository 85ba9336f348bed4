import { sql } from 'drizzle-orm'
import { log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { closing_people, closings, isActiveClosing } from '../core/tables/payroll.ts'

const closingsAfterLog = sql`${closing_people} AS closed
  JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE closed.employee_id = ${logs}.employee_id AND closed.lock_at > ${logs}.recorded_at
    AND ${isActiveClosing}`

/** Whether the log lies before the person's lock in an active closing, decided or not. */
export const isClosed = sql<number>`EXISTS (SELECT 1 FROM ${closingsAfterLog})`

/**
 * Whether an active closing has taken the log's last decision into account: it has seen the
 * decision, and the log lies before the person's lock in it. A rejected log, or a log before the
 * person's first day, is locked too, although nothing was paid for it. Columns are written with their
 * table's name, which Drizzle leaves out if only one table is selected.
 */
export const isLocked = sql<number>`(${logs}.status <> 'pending' AND EXISTS (
  SELECT 1 FROM ${closingsAfterLog}
    AND closing.last_event_id >= (SELECT max(id) FROM ${log_events} WHERE log_id = ${logs}.id)))`
