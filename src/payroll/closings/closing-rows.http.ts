import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { mapRows } from '../../core/http/export-file.ts'
import { addDays } from '../../core/values/time-zone.ts'
import { durationsFile, type FormatQuery, formatOf } from '../hours/file-format.http.ts'
import { lineRows, type PersonLines, personRows, weekRows } from './closing-rows.ts'

/** The files of a closing. The name of a column with a duration ends with the unit. */

const PERSON = ['employee_id', 'rfc', 'full_name'] as const

const REST_SUMS = ['sunday_seconds', 'holiday_seconds'] as const

const LINE_COLUMNS = [
  ...PERSON,
  'payroll_group',
  'ended_at',
  'day',
  'weekday',
  'of_period',
  'department',
  'branch_office',
  'first_in',
  'last_out',
  'pairs',
  'worked_seconds',
  'paid_before_seconds',
  'difference_seconds',
  'previous_closing_id',
  'held_seconds',
  'held_by',
  'detail',
  'exceptions',
  'notices',
  'holiday',
  ...REST_SUMS,
] as const

const PAYMENT = [
  'days',
  'period_seconds',
  'added_seconds',
  'deducted_seconds',
  'total_seconds',
  'total_hours',
  'held_seconds',
  'days_with_exceptions',
  'exceptions',
] as const

const PLACED = [...PERSON, 'department', 'branch_office', 'payroll_group'] as const

const PERSON_COLUMNS = [...PLACED, 'ended_at', ...PAYMENT, 'from_day', ...REST_SUMS] as const

const WEEK_COLUMNS = [
  ...PLACED,
  'week_from',
  'week_to',
  ...PAYMENT,
  ...REST_SUMS,
  'week_seconds',
  'limit_seconds',
  'over_seconds',
] as const

/** What only NDJSON has. */
const LINE_MORE = ['spans', 'extra_log_ids'] as const
const PERSON_MORE = ['pending'] as const

export const LINES_FILE = durationsFile({ columns: LINE_COLUMNS, more: LINE_MORE })
export const PERSONS_FILE = durationsFile({ columns: PERSON_COLUMNS, more: PERSON_MORE })
export const WEEKS_FILE = durationsFile({ columns: WEEK_COLUMNS })

interface NamedClosing {
  before: string
  payroll_group: string | null
  employee_id: string | null
}

const selectionName = ({ payroll_group, employee_id }: NamedClosing): string => {
  if (employee_id !== null) return employee_id
  if (payroll_group === null) return 'todos'
  return payroll_group === '' ? 'general' : payroll_group
}

/** For example `cierre_semanal_hasta_2026-11-15`. */
const nameOf = (closing: NamedClosing): string =>
  `cierre_${selectionName(closing).replace(/[^\p{L}\p{N}-]+/gu, '-')}_hasta_${addDays(closing.before, -1)}`

/** The rows of each file, and the ending of its name. */
const FILES = {
  line: { file: LINES_FILE, rows: lineRows, suffix: '' },
  employee: { file: PERSONS_FILE, rows: personRows, suffix: '_por-persona' },
  week: { file: WEEKS_FILE, rows: weekRows, suffix: '_por-semana' },
}

/** A file with a row for each line, for each person, or for each week of each person. */
export const closingFile = (
  db: AuthorizedDb,
  closing: NamedClosing,
  people: AsyncIterable<PersonLines[]>,
  { by = 'line', ...form }: FormatQuery & { by?: keyof typeof FILES | undefined },
  prefix = '',
) => {
  const { file, rows, suffix } = FILES[by]
  return {
    name: `${prefix}${nameOf(closing)}${suffix}.${form.format}`,
    format: formatOf(file, form),
    pages: mapRows<object>(rows(people, db), file.withHours),
  }
}
