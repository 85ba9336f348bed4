import type { AuthorizedDb } from '../core/db/authorization.ts'
import { companyDay } from '../core/time-zone.ts'

/** What payroll depends on besides the data: a setting, and the time of the request. */
export interface PayrollContext {
  /** Whether users may not review their own days (FORBID_SELF_APPROVAL). */
  forbidSelfApproval: boolean
  /** Today, in the company's zone. */
  today: string
  now: Date
}

/** Sends a query only if this request has not sent any yet. */
export const payrollContext = async ({
  authorizedDb,
  settings,
  now,
}: {
  authorizedDb: Pick<AuthorizedDb, 'ready'>
  settings: { FORBID_SELF_APPROVAL: boolean }
  now: Date
}): Promise<PayrollContext> => {
  const { zones } = await authorizedDb.ready()
  return {
    forbidSelfApproval: settings.FORBID_SELF_APPROVAL,
    today: companyDay(now, zones),
    now,
  }
}
