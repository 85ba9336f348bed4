import { desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, firstOrFail, hasRow, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { agreements } from '../core/tables/agreements.ts'
import { log_events } from '../core/tables/logs.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { agreedEventOf } from './agreed-events.queries.ts'
import type { AgreementText } from './agreement-hash.ts'

interface NewAgreement extends AgreementText {
  sha256: string
}

const insertAgreement = prepare((p: Params<NewAgreement & { user_id: number; at: string }>) =>
  qb
    .insert(agreements)
    .values({
      title: p.title,
      text: p.text,
      sha256: p.sha256,
      valid_from: p.valid_from,
      created_by: p.user_id,
      created_at: p.at,
    })
    .returning({ id: agreements.id, sha256: agreements.sha256 }),
)

const requireNew = prepare((p: Params<{ sha256: string }>) =>
  raiseIf([hasRow(agreements, eq(agreements.sha256, p.sha256)), 'AGREEMENT_EXISTS']),
)

/** @throws DomainError AGREEMENT_EXISTS if a stored agreement has this text, title and first day */
export const saveAgreement = async (db: AuthorizedDb, agreement: NewAgreement, at: string) => {
  const { saved } = await db.batchOfAllBranches({
    check: requireNew({ sha256: agreement.sha256 }),
    saved: firstOrFail(insertAgreement({ ...agreement, user_id: db.claims.userId, at })),
  })
  return saved
}

const shownFields = {
  id: agreements.id,
  title: agreements.title,
  text: agreements.text,
  sha256: agreements.sha256,
  valid_from: agreements.valid_from,
}

const acceptedAt = (employee: SQL) =>
  sql<string | null>`(SELECT accepted.created_at FROM ${log_events} AS accepted
    WHERE accepted.id = ${agreedEventOf(employee, sql`${agreements.sha256}`)})`

const selectCurrent = prepare((p: Params<{ user_id: number; today: string }>) =>
  qb
    .select({
      ...shownFields,
      accepted_at: acceptedAt(ownEmployeeId(p)),
    })
    .from(agreements)
    .where(lte(agreements.valid_from, p.today))
    .orderBy(desc(agreements.valid_from), desc(agreements.id))
    .limit(1),
)

/** The newest valid text, and when the caller agreed to it. Undefined if no text is valid. */
export const findCurrentAgreement = async (db: AuthorizedDb, now: Date) => {
  const { current } = await db.batch((_, zones) => {
    const today = companyDay(now, zones)
    return { current: first(selectCurrent({ user_id: db.claims.userId, today })) }
  })
  return current
}

const selectAgreements = prepare(() =>
  qb
    .select({ ...shownFields, created_at: agreements.created_at })
    .from(agreements)
    .orderBy(desc(agreements.valid_from), desc(agreements.id)),
)

/** All texts, the newest first. */
export const listAgreements = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches({ agreements: selectAgreements({}) })).agreements
