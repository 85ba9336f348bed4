import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays, companyDay } from '../../core/values/time-zone.ts'
import { mondayOf } from './weekly-limits.ts'

/** The company's local day. Sends a query only if this request has not sent any yet. */
export const readToday = async (db: Pick<AuthorizedDb, 'ready'>, now: Date): Promise<string> =>
  companyDay(now, (await db.ready()).zones)

const DAYS = 31
const DAYS_MAX = 366

/**
 * The first and last day of the requested period. Without `to`, it ends today, or on `from` if that
 * is later. Without `from`, it has 31 days. By week, the period is extended to whole weeks.
 * @throws DomainError PERIOD_REVERSED, or PERIOD_TOO_LONG for more than `max` days
 */
export const periodOfQuery = (
  { from, to, by }: Partial<Record<'from' | 'to' | 'by', string | undefined>>,
  today: string,
  max = DAYS_MAX,
): { from: string; to: string } => {
  const last = to ?? (from && from > today ? from : today)
  const first = from ?? addDays(last, 1 - DAYS)
  if (first > last) throw new DomainError('PERIOD_REVERSED')
  if (addDays(first, max) <= last) throw new DomainError('PERIOD_TOO_LONG', { days_max: max })
  return by === 'week'
    ? { from: mondayOf(first), to: addDays(mondayOf(last), 6) }
    : { from: first, to: last }
}
