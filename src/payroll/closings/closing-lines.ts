import { bytesOf, toHex } from '../../core/values/bytes.ts'
import { sha256 } from '../../core/values/sha256.ts'
import type { WorkDay } from '../hours/work-day.ts'

/**
 * The lines of a closing: their totals, and their hash. The event of the closing contains the hash,
 * and is sealed.
 */

/** A row of `closing_lines`: what a closing pays for one day of one person. */
export interface ClosingLine {
  employee_id: string
  day: string
  /** 1 for a day of the period, 0 for an earlier one. */
  of_period: number
  department: string
  branch_office: string
  first_in: string | null
  last_out: string | null
  pairs: number
  /**
   * What is paid for the day in total: `paid_before_seconds` + `difference_seconds`. On a held day
   * this is not the counted time. Null rather than 0 if the day is held or no pair counts.
   */
  worked_seconds: number | null
  paid_before_seconds: number
  /** What this closing pays, or deducts if negative. */
  difference_seconds: number
  previous_closing_id: number | null
  /** The absolute difference between the hours counted now and what is paid, on a held day. */
  held_seconds: number
  held_by: number | null
  detail: string
  /** The names of the exceptions, separated by spaces. `notices` has the same form. */
  exceptions: string
  notices: string
  /** 1 for a day of the period that somebody should look at, else 0. */
  needs_look: number
}

/** A line with facts that are not sealed. They are null if version 2.0.0 made the closing. */
export interface LineWithSpans extends ClosingLine {
  spans: WorkDay['spans'] | null
  extra_log_ids: WorkDay['extra_log_ids'] | null
}

/**
 * The amount that a line adds to each total. A deduction is a total of its own and never lowers
 * another total.
 */
const LINE_TOTALS = {
  // A day counts in the closing that first pays it. So a held day counts in a later closing.
  days: ({ of_period, worked_seconds, paid_before_seconds }) =>
    worked_seconds !== null && (of_period || paid_before_seconds === 0) ? 1 : 0,
  period_seconds: (line) => (line.of_period ? Math.max(0, line.difference_seconds) : 0),
  added_seconds: (line) => (line.of_period ? 0 : Math.max(0, line.difference_seconds)),
  deducted_seconds: (line) => Math.max(0, -line.difference_seconds),
  held_seconds: (line) => line.held_seconds,
  exceptions_left: (line) => line.needs_look,
} satisfies Record<string, (line: ClosingLine) => number>

export type LineTotalName = keyof typeof LINE_TOTALS

const LINE_TOTAL_NAMES = Object.keys(LINE_TOTALS) as LineTotalName[]

/** The totals of a closing, in the order of its response. */
export const TOTAL_NAMES = ['people', ...LINE_TOTAL_NAMES, 'pending', 'pending_of_period'] as const

export type Totals = Record<(typeof TOTAL_NAMES)[number], number>

export const totalsOf = (lines: readonly ClosingLine[]): Record<LineTotalName, number> => {
  const sum = (name: LineTotalName) =>
    lines.reduce((total, line) => total + LINE_TOTALS[name](line), 0)
  return Object.fromEntries(LINE_TOTAL_NAMES.map((name) => [name, sum(name)])) as Record<
    LineTotalName,
    number
  >
}

export const zeroTotals = (): Totals =>
  Object.fromEntries(TOTAL_NAMES.map((name) => [name, 0])) as Totals

export const addTotals = (a: Totals, b: Totals): Totals =>
  Object.fromEntries(TOTAL_NAMES.map((name) => [name, a[name] + b[name]])) as Totals

/** The hashed fields of a line. `needs_look` follows from reviews, which change no figure. */
export const SEALED_LINE_FIELDS = [
  ...['day', 'department', 'branch_office', 'detail', 'difference_seconds', 'employee_id'],
  ...['exceptions', 'first_in', 'held_by', 'held_seconds', 'last_out', 'notices', 'of_period'],
  ...['paid_before_seconds', 'pairs', 'previous_closing_id', 'worked_seconds'],
].sort()

const hashOf = (texts: readonly string[]): string =>
  toHex(sha256(bytesOf(texts.map((text) => `${text}\n`).join(''))))

/**
 * SHA-256 of a person's lines, in the order of their days. Each line is JSON by RFC 8785 (sorted
 * names; only texts, whole numbers and null), followed by a line feed.
 */
export const hashOfPerson = (lines: readonly { day: string }[]): string =>
  hashOf(
    lines
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .map((line) => JSON.stringify(line, SEALED_LINE_FIELDS)),
  )

/** The hashes of the people who have lines, in the order of employee_id. */
export const hashesInOrder = (hashByEmployee: ReadonlyMap<string, string>): string[] =>
  [...hashByEmployee].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, hash]) => hash)

/** SHA-256 of the people's hashes, each followed by a line feed. */
export const hashOfClosing = (hashes: readonly string[]): string => hashOf(hashes)
