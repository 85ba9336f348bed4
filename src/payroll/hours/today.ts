import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { companyDay } from '../../core/values/time-zone.ts'

/** The company's local day. Sends a query only if this request has not sent any yet. */
export const readToday = async (db: Pick<AuthorizedDb, 'ready'>, now: Date): Promise<string> =>
  companyDay(now, (await db.ready()).zones)
