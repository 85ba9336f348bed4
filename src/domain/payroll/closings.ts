import type { AuthorizedDb } from '../../db/core/authorization.ts'
import {
  type Closing,
  type ClosingTime,
  countPendingBefore,
  findClosing,
  insertPeriodClosing,
  type StoredClosing,
} from '../../db/payroll/closings.ts'
import { DomainError } from '../core/errors.ts'

export type { ClosingTime, StoredClosing }

/** Closes a period: what was decided before that day is locked. All or nothing. */
export const closePeriod = async (
  db: AuthorizedDb,
  closing: Closing,
  { leavePending, now }: { leavePending: boolean; now: Date },
) => {
  const saved = await insertPeriodClosing(db, closing, { leavePending, at: now.toISOString() })
  if (saved.created) return saved.created
  switch (saved.rejected) {
    case 'GROUP':
      throw new DomainError('UNKNOWN_PAYROLL_GROUP')
    case 'COMMENT':
      throw new DomainError('REOPENING_COMMENT_REQUIRED')
    default:
      throw new DomainError('PENDING_LOGS', { count: await countPendingBefore(db, closing) })
  }
}

/** A closing by its id; `field` is the parameter that has the id. */
export const getClosing = async (
  db: AuthorizedDb,
  id: number,
  field: string,
): Promise<StoredClosing> => {
  const closing = await findClosing(db, id)
  if (!closing) throw new DomainError('UNKNOWN_CLOSING', { fields: [field] })
  return closing
}
