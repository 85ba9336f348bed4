import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { earlier } from '../../core/values/time-zone.ts'
import {
  findClosing,
  findPayingClosing,
  type StoredClosing,
  saveCancellation,
} from './closings.queries.ts'
import type { ClosingWindow } from './selection.ts'

/** Turns a stored closing into the closing of a response. */
export const toClosing = ({
  id,
  before,
  payroll_group,
  employee_id,
  totals,
  ...row
}: StoredClosing) => {
  const { user_id, full_name, created_at, ...others } = row
  const { cancelled_at, cancelled_by, cancelled_name, cancel_comment, ...rest } = others
  return {
    id,
    before,
    payroll_group,
    employee_id,
    ...totals,
    ...rest,
    user: { id: user_id, full_name },
    created_at,
    cancelled:
      cancelled_at === null
        ? null
        : {
            at: cancelled_at,
            comment: cancel_comment ?? '',
            user: { id: cancelled_by ?? 0, full_name: cancelled_name ?? '' },
          },
  }
}

/** @throws DomainError CLOSING_NOT_FOUND */
export const getClosing = async (db: AuthorizedDb, id: number) => {
  const closing = await findClosing(db, id)
  if (!closing) throw new DomainError('CLOSING_NOT_FOUND')
  return toClosing(closing)
}

/**
 * Cancels a closing. Only a closing whose money was not paid out should be cancelled, but the
 * service cannot check this. The next closing pays the days of the cancelled closing again.
 * @throws DomainError CLOSING_NOT_FOUND, or CLOSING_CANCELLED if the closing is cancelled already
 */
export const cancelClosing = async (
  db: AuthorizedDb,
  { id, comment }: { id: number; comment: string },
  now: Date,
) => toClosing(await saveCancellation(db, { id, comment, at: now.toISOString() }))

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
