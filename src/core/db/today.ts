import { companyDay } from '../time-zone.ts'
import type { AuthorizedDb } from './authorization.ts'

/** The company's local day. Sends a query only if this request has not sent any yet. */
export const readToday = async (db: Pick<AuthorizedDb, 'ready'>, now: Date): Promise<string> =>
  companyDay(now, (await db.ready()).zones)
