import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addTotals, type Totals, zeroTotals } from './closing-lines.ts'
import { findClosedBy } from './closings.ts'
import { closingPages, type PersonClosing } from './person-closing.ts'
import type { ClosedSelection } from './selection.queries.ts'
import { readClosingWindows } from './selection.ts'

/** What a closing would pay: the pages and the sums of a preview, and of the closing itself. */

export const takenOf = (page: readonly PersonClosing[]): PersonClosing[] =>
  page.filter(({ is_taken }) => is_taken)

type WithName<T> = Pick<PersonClosing['person'], 'employee_id' | 'full_name'> & NonNullable<T>

export interface Summary {
  totals: Totals
  lines: number
  first_taken: WithName<PersonClosing['first_taken']>[]
  left_out: WithName<PersonClosing['left_out']>[]
  unsynced: Set<string>
  /** The hash of each person who has lines, by employee id. */
  hashes: Map<string, string>
  /** Days that probably count rest as work, which nobody has confirmed, and their seconds. */
  inverted_days: number
  inverted_seconds: number
}

export const emptySummary = (): Summary => ({
  totals: zeroTotals(),
  lines: 0,
  first_taken: [],
  left_out: [],
  unsynced: new Set(),
  hashes: new Map(),
  inverted_days: 0,
  inverted_seconds: 0,
})

export const addPerson = (summary: Summary, closing: PersonClosing): void => {
  const { lines, totals, unsynced, unconfirmed, first_taken, left_out, hash } = closing
  const { employee_id, full_name } = closing.person
  if (left_out) summary.left_out.push({ employee_id, full_name, ...left_out })
  if (!closing.is_taken) return
  summary.totals = addTotals(summary.totals, totals)
  summary.lines += lines.length
  if (first_taken) summary.first_taken.push({ employee_id, full_name, ...first_taken })
  for (const source of unsynced) summary.unsynced.add(source)
  if (lines.length > 0) summary.hashes.set(employee_id, hash)
  summary.inverted_days += unconfirmed.length
  for (const { worked_seconds } of unconfirmed) summary.inverted_seconds += worked_seconds ?? 0
}

export const summarize = async (pages: AsyncIterable<PersonClosing[]>): Promise<Summary> => {
  const summary = emptySummary()
  for await (const page of pages) for (const closing of page) addPerson(summary, closing)
  return summary
}

/** The people of a preview with their lines, a page at a time. */
export async function* previewPeople(
  db: AuthorizedDb,
  request: ClosedSelection,
  now: Date,
): AsyncGenerator<PersonClosing[]> {
  const { windows } = await readClosingWindows(db, request, now)
  for await (const page of closingPages(db, windows, request)) yield takenOf(page)
}

/** What a closing would pay. Logs may be pending, and groups may lack their first day. */
export const previewClosing = async (db: AuthorizedDb, request: ClosedSelection, now: Date) => {
  const { windows, groupsWithoutDay, waiting } = await readClosingWindows(db, request, now)
  const { before, payroll_group, employee_id } = request
  const summary = await summarize(closingPages(db, windows, request))
  return {
    id: null,
    before,
    payroll_group,
    employee_id,
    ...summary.totals,
    waiting,
    unsynced: [...summary.unsynced].sort(),
    signed: null,
    hash: null,
    comment: null,
    user: null,
    created_at: now.toISOString(),
    cancelled: null,
    first_taken: summary.first_taken,
    left_out: summary.left_out,
    groups_without_day: groupsWithoutDay,
    inverted_days: summary.inverted_days,
    inverted_seconds: summary.inverted_seconds,
    closed_already: await findClosedBy(db, windows),
  }
}
