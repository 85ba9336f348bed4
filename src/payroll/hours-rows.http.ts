import { type FileRow, fileFormats } from '../core/http/export-file.ts'
import { weekdayOf } from '../core/time-zone.ts'
import type { HoursRow, TotalRow } from './hours.ts'

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
] as const

/** The columns of totals that only NDJSON has. */
const TOTAL_MORE = ['rfc', 'started_at', 'ended_at', 'unsynced_from'] as const

const decimals = { worked_hours: 2 }

/** The columns of days that only NDJSON has. */
const HOURS_MORE = [
  'log_ids',
  'request_comments',
  'working_since',
  'spans',
  'extra_log_ids',
] as const

export const HOURS_FILE = fileFormats({ columns: HOURS_COLUMNS, decimals, more: HOURS_MORE })
export const TOTALS_FILE = fileFormats({
  columns: [...PERSON, ...SUMS],
  decimals,
  more: TOTAL_MORE,
})
export const WEEK_TOTALS_FILE = fileFormats({ columns: WEEK_COLUMNS, decimals })

/** Hours, rounded to two decimals. Null where no pair counts. */
export const toHours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 36) / 100

/** In CSV, a review is the name of the reviewer. */
export const toHoursRow =
  (format: 'csv' | 'ndjson') =>
  ({ reviewed, ...row }: HoursRow): FileRow => ({
    ...row,
    weekday: weekdayOf(row.day),
    worked_hours: toHours(row.worked_seconds),
    reviewed: format === 'csv' ? (reviewed?.user.full_name ?? null) : reviewed,
  })

export const toTotalRow = (row: TotalRow): FileRow => ({
  ...row,
  worked_hours: toHours(row.worked_seconds),
})
