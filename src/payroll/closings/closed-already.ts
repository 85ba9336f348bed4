import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { earlier } from '../../core/values/time-zone.ts'
import { findPayingClosing } from './closings.queries.ts'
import type { ClosingWindow } from './selection.ts'

/** Whether the last closings of all taken people reach `before`, except those of leavers. */
export const areAllClosed = (windows: readonly ClosingWindow[]): boolean =>
  windows.every(
    ({ may_be_taken, is_leaver, period_from, before }) =>
      !may_be_taken || is_leaver || period_from >= before,
  )

/**
 * Finds the active closing that paid the largest number of the taken people up to `before`. Null
 * if anybody's last closing does not reach `before`, unless the person is a leaver.
 */
export const findClosedBy = async (db: AuthorizedDb, windows: readonly ClosingWindow[]) => {
  if (!areAllClosed(windows)) return null
  const taken = windows.filter(({ may_be_taken }) => may_be_taken)
  // The last closing of a leaver may end before `before`.
  return findPayingClosing(
    db,
    taken.map(({ employee_id, before, period_from }) => [
      employee_id,
      earlier(before, period_from),
    ]),
  )
}
