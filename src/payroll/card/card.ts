import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { saltComment } from '../../core/values/salted-hash.ts'
import { addDays } from '../../core/values/time-zone.ts'
import { confirmPassword } from '../../session/session.ts'
import { type ClosingLine, SEALED_LINE_FIELDS } from '../closings/closing-lines.ts'
import { readOwnHours } from '../hours/hours.ts'
import { findObjection, saveAnswer } from './objections.queries.ts'
import {
  findOwnEmployeeId,
  listOwnClosings,
  listOwnLines,
  saveSignature,
} from './own-closings.queries.ts'

type OwnDays = { [Name in 'from' | 'to' | 'after']?: string | undefined } & {
  limit?: number | undefined
}

/**
 * The days of the caller's own employee in a period, in all branches, and the hours of their weeks
 * beside the law's limit. Reviews are left out, because they contain comments of other users. A page
 * has the first `limit` days after the day `after`, and all weeks of the period.
 * @throws DomainError NO_EMPLOYEE
 */
export const listOwnDays = async (
  db: AuthorizedDb,
  { limit, after = '', ...period }: OwnDays,
  now: Date,
) => {
  const employee_id = await findOwnEmployeeId(db)
  if (employee_id === null) throw new DomainError('NO_EMPLOYEE')
  const own = await readOwnHours(db, employee_id, period, now)
  return {
    days: own.days
      .filter(({ day }) => day > after)
      .slice(0, limit)
      .map(
        ({ employee_id: _, full_name, payroll_group, reviewed, maybe_long_shift, ...row }) => row,
      ),
    weeks: own.weeks
      .filter(({ week_from }) => week_from <= own.to && addDays(week_from, 6) >= own.from)
      .map(({ week_from, week_seconds, limit_seconds, open, pending_seconds }) => ({
        week_from,
        week_to: addDays(week_from, 6),
        week_seconds,
        limit_seconds,
        open,
        pending_seconds,
      })),
  }
}

/**
 * One closing of the caller's own employee, with their lines. The lines have the hashed fields
 * only, so that an app can compute the hash that it signs.
 */
export const getOwnClosing = async (db: AuthorizedDb, id: number) => {
  const [closing] = await listOwnClosings(db, { id })
  if (!closing) throw new DomainError('CLOSING_NOT_FOUND')
  const lines: ClosingLine[] = await listOwnLines(db, id)
  return {
    ...closing,
    lines: lines.map((line) => JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS))),
  }
}

interface Signature {
  hash: string
  agrees: boolean
  password: string
  comment?: string | undefined
}

/**
 * Records that the caller signs their own lines of a closing, or objects to these lines. The caller
 * must give the password. `confirmPassword` and `saveSignature` name the errors.
 */
export const signClosing = async (
  db: AuthorizedDb,
  id: number,
  { hash, agrees, password, comment }: Signature,
  now: Date,
) => {
  const confirmed = await confirmPassword(db, password)
  const { hash: commentHash, words } = saltComment(comment)
  const details = { agrees: agrees ? 1 : 0, comment: commentHash, own_lines: hash }
  const at = now.toISOString()
  await saveSignature(
    db,
    { id, hash, ...confirmed },
    { details: JSON.stringify(details), words, at },
  )
  return { at, agrees, comment: comment ?? null }
}

/**
 * Answers an objection. The answer changes no figure of the closing.
 * @throws DomainError OBJECTION_NOT_FOUND, also if the closing is cancelled; CLOSING_CANCELLED if it
 * is cancelled meanwhile; OWN_OBJECTION
 */
export const answerObjection = async (
  db: AuthorizedDb,
  { id, employee_id, comment }: { id: number; employee_id: string; comment: string },
  now: Date,
) => {
  const signature = await findObjection(db, { id, employee_id })
  if (signature === undefined) throw new DomainError('OBJECTION_NOT_FOUND')
  const { hash, words } = saltComment(comment)
  const details = JSON.stringify({ comment: hash, signature })
  const at = now.toISOString()
  await saveAnswer(db, { id, employee_id, signature }, { details, words, at })
  return { at, comment }
}
