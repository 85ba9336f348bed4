import { eq, gt, not, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { insertEventWithComment } from '../core/db/person-events.queries.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { type Rule, raiseIf } from '../core/db/raise.ts'
import type { Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { agreements } from '../core/tables/agreements.ts'
import { log_events } from '../core/tables/logs.ts'
import type { SaltedComment } from '../core/values/salted-hash.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { agreedEvents, ofAgreement, sha256Of, unknownAgreement } from './agreed-events.queries.ts'

interface Paper {
  id: number
  employee_id: string
  signed_on: string
  today: string
  user_id: number
  scope: Scope
}

/** The rules of a paper, whether it is recorded or made void. */
const paperRules = (p: Params<Pick<Paper, 'id' | 'employee_id' | 'user_id' | 'scope'>>): Rule[] => [
  unknownAgreement(p.id),
  [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
  [eq(ownEmployeeId(p), p.employee_id), 'OWN_EMPLOYEE'],
]

/** Whether a signed paper of this text is recorded for the person and is not void. */
const hasPaper = (p: Params<Pick<Paper, 'id' | 'employee_id'>>) =>
  sql`coalesce((SELECT ${log_events.details} ->> 'how'
    ${agreedEvents(p.employee_id, sha256Of(p.id), ['paper', 'void'])}
    ORDER BY ${log_events.id} DESC LIMIT 1), 'void') = 'paper'`

const requirePaper = prepare((p: Params<Paper>) =>
  raiseIf(
    ...paperRules(p),
    [
      sql`${p.signed_on} > ${p.today} OR ${ofAgreement(p.id, gt(agreements.valid_from, p.signed_on))}`,
      'PAPER_DAY',
    ],
    [hasPaper(p), 'PAPER_EXISTS'],
  ),
)

const requireVoidable = prepare((p: Params<Omit<Paper, 'signed_on' | 'today'>>) =>
  raiseIf(...paperRules(p), [not(hasPaper(p)), 'PAPER_MISSING']),
)

const selectHash = prepare((p: Params<{ id: number }>) =>
  qb.select({ sha256: agreements.sha256 }).from(agreements).where(eq(agreements.id, p.id)),
)

/** The hash of the text with this id. Undefined if there is none. */
export const findAgreementHash = async (db: BatchDb, id: number): Promise<string | undefined> =>
  (await db.batchOfAllBranches({ hash: first(selectHash({ id })) })).hash?.sha256

interface RecordedPaper {
  id: number
  employee_id: string
  details: string
  words: SaltedComment
  now: Date
}

/**
 * Records a signed paper, or makes a recorded paper void.
 * @param signed_on the day on the paper; null to make the paper void
 * @throws DomainError AGREEMENT_NOT_FOUND, UNKNOWN_EMPLOYEE, OWN_EMPLOYEE, PAPER_DAY, PAPER_EXISTS,
 * PAPER_MISSING
 */
export const savePaperEvent = async (
  db: AuthorizedDb,
  signed_on: string | null,
  { id, employee_id, details, words, now }: RecordedPaper,
): Promise<void> => {
  const user_id = db.claims.userId
  const at = now.toISOString()
  await db.batch((scope, zones) => {
    const today = companyDay(new Date(at), zones)
    const subject = { id, employee_id, user_id, scope }
    return {
      check:
        signed_on === null
          ? requireVoidable(subject)
          : requirePaper({ ...subject, signed_on, today }),
      ...insertEventWithComment(
        { event: 'agreed', employee_id, closing_id: null, user_id, at, details },
        words,
      ),
    }
  })
}
