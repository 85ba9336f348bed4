import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { summarize, takenOf } from './make-closing.ts'
import { closingPages, type PersonClosing } from './person-closing.ts'
import type { ClosedSelection } from './selection.queries.ts'
import { findClosedBy, readClosingWindows } from './selection.ts'

/** What a closing would pay. */

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
  const selected = await readClosingWindows(db, request, now)
  const { before, payroll_group, employee_id } = request
  const summary = await summarize(closingPages(db, selected.windows, request))
  return {
    id: null,
    before,
    payroll_group,
    employee_id,
    ...summary.totals,
    waiting: selected.waiting,
    unsynced: [...summary.unsynced].sort(),
    signed: null,
    hash: null,
    comment: null,
    user: null,
    created_at: now.toISOString(),
    cancelled: null,
    first_taken: summary.first_taken,
    left_out: summary.left_out,
    groups_without_day: selected.groupsWithoutDay,
    inverted_days: summary.inverted_days,
    inverted_seconds: summary.inverted_seconds,
    closed_already: await findClosedBy(db, selected),
  }
}
