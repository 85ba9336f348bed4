import type { FileRow } from '../../core/http/export-file.ts'
import { weekdayOf } from '../../core/values/time-zone.ts'
import { durationsFile } from './file-format.http.ts'
import type { HoursRow } from './hours.ts'
import { restDayOf } from './rest-days.ts'

const PERSON = ['employee_id', 'full_name', 'department', 'branch_office', 'payroll_group'] as const

const HOURS_COLUMNS = [
  ...PERSON,
  'day',
  'weekday',
  'first_in',
  'last_out',
  'pairs',
  'worked_seconds',
  'worked_hours',
  'detail',
  'exceptions',
  'notices',
  'paid_seconds',
  'closing_id',
  'reviewed',
  'holiday',
  'pending_seconds',
] as const

const SUMS = [
  'days',
  'pairs',
  'worked_seconds',
  'worked_hours',
  'days_with_exceptions',
  'exceptions',
  'notices',
] as const

const REST_SUMS = ['sunday_seconds', 'holiday_seconds'] as const

const WEEK_COLUMNS = [
  ...PERSON,
  'week_from',
  'week_to',
  ...SUMS,
  'week_seconds',
  'limit_seconds',
  'over_seconds',
  'shifts_over_12h',
  'open',
  ...REST_SUMS,
  'pending_seconds',
] as const

/** The columns of totals that only NDJSON has. */
const TOTAL_MORE = ['rfc', 'started_at', 'ended_at', 'unsynced_from'] as const

/** The columns of days that only NDJSON has. */
const HOURS_MORE = [
  'log_ids',
  'request_comments',
  'working_since',
  'maybe_long_shift',
  'spans',
  'extra_log_ids',
] as const

export const HOURS_FILE = durationsFile({ columns: HOURS_COLUMNS, more: HOURS_MORE })
export const TOTALS_FILE = durationsFile({
  columns: [...PERSON, ...SUMS, ...REST_SUMS, 'pending_seconds'],
  more: TOTAL_MORE,
})
export const WEEK_TOTALS_FILE = durationsFile({ columns: WEEK_COLUMNS })

/** In CSV, a review is the name of the reviewer. */
export const toHoursRow =
  (format: 'csv' | 'ndjson') =>
  ({ reviewed, ...row }: HoursRow): FileRow =>
    HOURS_FILE.withHours({
      ...row,
      weekday: weekdayOf(row.day),
      holiday: restDayOf(row.day),
      reviewed: format === 'csv' ? (reviewed?.user.full_name ?? null) : reviewed,
    })
