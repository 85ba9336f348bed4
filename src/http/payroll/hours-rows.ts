import type { Adjustment, HoursRow, TotalRow } from '../../domain/payroll/hours.ts'
import type { TimeZone } from '../../shared/time-zone.ts'
import { type FileRow, fileFormats } from '../core/export-file.ts'

/** The columns of the files of hours, in order, and their rows. */

const PLACE = ['department', 'branch_office', 'payroll_group'] as const

export const HOURS_COLUMNS = [
  'employee_id',
  'full_name',
  ...PLACE,
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
] as const

export const TOTAL_COLUMNS = [
  'employee_id',
  'full_name',
  ...PLACE,
  'days',
  'pairs',
  'worked_seconds',
  'worked_hours',
  'days_with_exceptions',
  'exceptions',
  'notices',
] as const

export const ADJUSTMENT_COLUMNS = [
  'employee_id',
  'full_name',
  'day',
  'closed_seconds',
  'worked_seconds',
  'difference_seconds',
] as const

const decimals = { worked_hours: 2 }

export const HOURS_FILE = fileFormats({ columns: HOURS_COLUMNS, decimals, more: ['log_ids'] })
export const TOTALS_FILE = fileFormats({ columns: TOTAL_COLUMNS, decimals })
export const ADJUSTMENTS_FILE = fileFormats({ columns: ADJUSTMENT_COLUMNS })

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']

/** Hours with two decimals, half a hundredth upwards; null where no pair counts. */
const toHours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 36) / 100

export const toHoursRow =
  (zone: TimeZone) =>
  (row: HoursRow): FileRow => {
    const local = (second: number | undefined) =>
      second === undefined ? null : zone.localTime(new Date(second * 1000))
    return {
      ...row,
      weekday: WEEKDAYS[new Date(row.day).getUTCDay()] ?? '',
      first_in: local(row.first_in),
      last_out: local(row.last_out),
      worked_hours: toHours(row.worked_seconds),
    }
  }

export const toTotalRow = (row: TotalRow): FileRow => ({
  ...row,
  worked_hours: toHours(row.worked_seconds),
})

export const toAdjustmentRow = (row: Adjustment): FileRow => ({ ...row })
