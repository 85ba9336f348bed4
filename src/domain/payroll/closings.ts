import type { AuthorizedDb } from '../../db/core/authorization.ts'
import { RuleError } from '../../db/core/errors.ts'
import {
  type Closing,
  type ClosingTime,
  countPendingBefore,
  findClosing,
  insertPeriodClosing,
  type StoredClosing,
} from '../../db/payroll/closings.ts'
import { DomainError } from '../core/errors.ts'
import { throwDomainError } from '../core/rules.ts'

export type { ClosingTime, StoredClosing }

/** Closes a period: what was decided before that day is locked. All or nothing. */
export const closePeriod = async (
  db: AuthorizedDb,
  closing: Closing,
  { leavePending, now }: { leavePending: boolean; now: Date },
) => {
  const options = { leavePending, at: now.toISOString() }
  const created = await insertPeriodClosing(db, closing, options).catch(async (error: unknown) => {
    if (!(error instanceof RuleError) || error.code !== 'closing:PENDING') throwDomainError(error)
    throw new DomainError('PENDING_LOGS', { count: await countPendingBefore(db, closing) })
  })
  if (!created) throw new Error('The closing was not returned.')
  return created
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
