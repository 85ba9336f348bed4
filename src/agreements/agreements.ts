import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { canonicalJson } from '../core/values/canonical-json.ts'
import { saltComment } from '../core/values/salted-hash.ts'
import { confirmPassword } from '../session/session.ts'
import { acceptInApp } from './acceptance.queries.ts'
import { type AgreementText, hashOfText } from './agreement-hash.ts'
import { findCurrentAgreement, saveAgreement } from './agreements.queries.ts'
import { findAgreementHash, savePaperEvent } from './papers.queries.ts'

/** @throws DomainError AGREEMENT_EXISTS */
export const publishAgreement = (db: AuthorizedDb, text: AgreementText, now: Date) =>
  saveAgreement(db, { ...text, sha256: hashOfText(text) }, now.toISOString())

/** @throws DomainError NO_AGREEMENT */
export const getCurrentAgreement = async (db: AuthorizedDb, now: Date) => {
  const agreement = await findCurrentAgreement(db, now)
  if (!agreement) throw new DomainError('NO_AGREEMENT')
  return agreement
}

/** The `details` of an `agreed` event, as JSON. */
const detailsOf = (details: {
  agreement: string
  comment: string | null
  file: string | null
  how: 'app' | 'paper' | 'void'
  signed_on: string | null
}): string => canonicalJson(details)

const NO_PAPER = { comment: null, file: null, signed_on: null }

/**
 * Records that the caller agrees to a text. The caller must give the password.
 * @throws DomainError NO_EMPLOYEE, WRONG_PASSWORD, AGREEMENT_NOT_FOUND, AGREEMENT_CHANGED,
 * AGREEMENT_NOT_YET
 */
export const acceptAgreement = async (
  db: AuthorizedDb,
  id: number,
  { sha256: hash, password }: { sha256: string; password: string },
  now: Date,
) => {
  const { employee_id, password_hash } = await confirmPassword(db, password)
  const acceptance = { id, sha256: hash, employee_id, password_hash }
  const details = detailsOf({ ...NO_PAPER, agreement: hash, how: 'app' })
  const accepted_at = await acceptInApp(db, acceptance, { details, at: now.toISOString() })
  return { accepted_at, sha256: hash, how: 'app' }
}

const requireAgreement = async (db: AuthorizedDb, id: number): Promise<string> => {
  const hash = await findAgreementHash(db, id)
  if (hash === undefined) throw new DomainError('AGREEMENT_NOT_FOUND')
  return hash
}

interface Paper {
  employee_id: string
  signed_on: string
  file_sha256: string
  comment?: string | undefined
}

/** Records that a person has signed a text on paper. `savePaperEvent` names the errors. */
export const recordPaper = async (db: AuthorizedDb, id: number, paper: Paper, now: Date) => {
  const { employee_id, signed_on, file_sha256: file } = paper
  const { hash: comment, words } = saltComment(paper.comment)
  const agreement = await requireAgreement(db, id)
  const details = detailsOf({ agreement, comment, file, how: 'paper', signed_on })
  await savePaperEvent(db, signed_on, { id, employee_id, details, words, now })
  return { accepted_at: now.toISOString(), sha256: agreement, how: 'paper' }
}

/** Voids a paper that was recorded by mistake. `savePaperEvent` names the errors. */
export const voidPaper = async (
  db: AuthorizedDb,
  id: number,
  { employee_id, comment }: { employee_id: string; comment: string },
  now: Date,
): Promise<void> => {
  const { hash, words } = saltComment(comment)
  const agreement = await requireAgreement(db, id)
  const details = detailsOf({ ...NO_PAPER, agreement, comment: hash, how: 'void' })
  await savePaperEvent(db, null, { id, employee_id, details, words, now })
}
