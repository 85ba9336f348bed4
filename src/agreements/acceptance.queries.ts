import { gt, ne, not, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { isConfirmed, type PersonEvent, personEventRow } from '../core/db/person-events.queries.ts'
import { first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { agreements } from '../core/tables/agreements.ts'
import { log_events } from '../core/tables/logs.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { agreedEvents, ofAgreement, unknownAgreement } from './agreed-events.queries.ts'

interface Acceptance {
  id: number
  sha256: string
  employee_id: string
  user_id: number
  password_hash: string
  today: string
}

const requireAcceptable = prepare((p: Params<Acceptance>) =>
  raiseIf(
    unknownAgreement(p.id),
    [not(isConfirmed(p)), 'WRONG_PASSWORD'],
    [ofAgreement(p.id, ne(agreements.sha256, p.sha256)), 'AGREEMENT_CHANGED'],
    [ofAgreement(p.id, gt(agreements.valid_from, p.today)), 'AGREEMENT_NOT_YET'],
  ),
)

const insertFirst = prepare((p: Params<PersonEvent & { sha256: string }>) =>
  insertSelect(
    log_events,
    personEventRow(p),
    sql`WHERE NOT EXISTS (SELECT 1 ${agreedEvents(p.employee_id, p.sha256, ['app'])})`,
  ),
)

const selectInApp = prepare((p: Params<{ employee_id: string; sha256: string }>) =>
  qb
    .select({ accepted_at: log_events.created_at })
    .from(log_events)
    .where(
      sql`${log_events.id} = (SELECT min(${log_events.id})
        ${agreedEvents(p.employee_id, p.sha256, ['app'])})`,
    ),
)

/**
 * Records that the caller's employee has agreed in an app, and returns the moment. If an earlier
 * agreement in an app is recorded, nothing is written, and its moment is returned.
 * @throws DomainError AGREEMENT_NOT_FOUND, WRONG_PASSWORD, AGREEMENT_CHANGED, AGREEMENT_NOT_YET
 */
export const acceptInApp = async (
  db: AuthorizedDb,
  acceptance: Omit<Acceptance, 'user_id' | 'today'>,
  { details, at }: { details: string; at: string },
): Promise<string> => {
  const { employee_id, sha256 } = acceptance
  const user_id = db.claims.userId
  const event = { event: 'agreed', employee_id, closing_id: null, user_id, at, details } as const
  const { accepted } = await db.batch((_, zones) => ({
    check: requireAcceptable({ ...acceptance, user_id, today: companyDay(new Date(at), zones) }),
    event: insertFirst({ ...event, sha256 }),
    accepted: first(selectInApp({ employee_id, sha256 })),
  }))
  return accepted?.accepted_at ?? at
}
