import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { findClosedBy } from './closed-already.ts'
import { closingPages, summarize, takenOf } from './closing-summary.ts'
import type { PersonClosing } from './person-closing.ts'
import { type ClosingRequest, readClosingWindows } from './selection.ts'

/** The people of a preview with their lines, a page at a time. */
export async function* previewPeople(
  db: AuthorizedDb,
  request: ClosingRequest,
  now: Date,
): AsyncGenerator<PersonClosing[]> {
  const { windows } = await readClosingWindows(db, request, now)
  for await (const page of closingPages(db, windows, request)) yield takenOf(page)
}

/** What a closing would pay. Logs may be pending, and groups may lack their first day. */
export const previewClosing = async (db: AuthorizedDb, request: ClosingRequest, now: Date) => {
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
