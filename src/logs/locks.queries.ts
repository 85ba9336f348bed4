import { sql } from 'drizzle-orm'
import {
  closing_people,
  closings,
  isActiveClosing,
  log_events,
  attendance_logs as logs,
  unlock_people,
  unlocks,
} from '../core/db/schema.ts'

export const newestUnlockId = sql<number>`coalesce((SELECT max(id) FROM ${unlocks}), 0)`

/**
 * Whether a closing locks a log. The trigger `attendance_logs_locked` has the same rule. Columns
 * are written with their table's name, which Drizzle leaves out if only one table is selected.
 */
export const isLocked = sql<number>`(${logs}.status <> 'pending' AND EXISTS (
  SELECT 1 FROM ${closing_people} AS closed JOIN ${closings} AS closing ON closing.id = closed.closing_id
  WHERE closed.employee_id = ${logs}.employee_id AND closed.lock_at > ${logs}.recorded_at AND ${isActiveClosing}
    AND closing.last_event_id >= (SELECT max(id) FROM ${log_events} WHERE log_id = ${logs}.id)
    AND NOT EXISTS (SELECT 1 FROM ${unlock_people} AS unlocked
      JOIN ${unlocks} AS unlock ON unlock.id = unlocked.unlock_id
      WHERE unlocked.employee_id = ${logs}.employee_id AND unlocked.until_at > ${logs}.recorded_at
        AND unlocked.from_at <= ${logs}.recorded_at AND unlock.closings_before >= closing.id)))`
