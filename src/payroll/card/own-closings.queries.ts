import { and, desc, eq, not, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { requireOwnEmployee } from '../../core/db/own-employee.ts'
import { insertEventWithComment, isConfirmed } from '../../core/db/person-events.queries.ts'
import {
  type Expression,
  expression,
  fieldsOf,
  first,
  type Params,
  prepare,
  qb,
} from '../../core/db/query.ts'
import { type Rule, raiseIf } from '../../core/db/raise.ts'
import { ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { columns, flag, number, orNull, text } from '../../core/db/text-query.ts'
import { statements } from '../../core/tables/agreements.ts'
import { log_events } from '../../core/tables/logs.ts'
import { closing_lines, closing_people, closings } from '../../core/tables/payroll.ts'
import { users } from '../../core/tables/users.ts'
import type { SaltedComment } from '../../core/values/salted-hash.ts'
import {
  hasLines,
  LINE_TOTALS_SQL,
  lineColumns,
  newestSignatureId,
} from '../closings/lines.queries.ts'

const lineTotals = sql.raw(
  Object.entries(LINE_TOTALS_SQL)
    .map(([name, total]) => `coalesce(${total}, 0) AS ${name}`)
    .join(', '),
)

/** The closings of the caller's own employee, and the signatures of the lines. */

/** Whether the event `signature` is the newest one by which `person` has signed. */
export const isNewestSignature = sql`signature.id = ${newestSignatureId}`

/** The event id of the answer to the event `signature`. Null if there is none. */
export const answerOf = sql`(SELECT max(id) FROM ${log_events} INDEXED BY log_events_person
  WHERE employee_id = signature.employee_id AND log_id IS NULL AND event = 'answered'
    AND details ->> 'signature' = signature.id)`

export const wordsOf = (event: string) =>
  sql`(SELECT nullif(text, '') FROM ${statements} WHERE event_id = ${sql.raw(event)})`

const selectOwnEmployee = prepare((p: Params<{ user_id: number }>) =>
  qb.select({ employee_id: users.employee_id }).from(users).where(eq(users.id, p.user_id)),
)

/** The employee of the caller. Null for a user without one. */
export const findOwnEmployeeId = async (db: AuthorizedDb): Promise<string | null> => {
  const { own } = await db.batch(() => ({
    own: first(selectOwnEmployee({ user_id: db.claims.userId })),
  }))
  return own?.employee_id ?? null
}

interface OwnClosings {
  user_id: number
  /** The id of one closing. Null for all. */
  id: number | null
  /** Only closings from before this one. Null for all. */
  after: number | null
  /** -1 for all. */
  limit: number
}

const selectOwnClosings = prepare((p: Params<OwnClosings>) =>
  qb
    .select(
      columns({
        id: number,
        before: text,
        days: number,
        period_seconds: number,
        added_seconds: number,
        deducted_seconds: number,
        // Unlike in the files of a closing, deductions are subtracted.
        total_seconds: number,
        hash: text,
        signed_at: orNull(text),
        agrees: orNull(number),
        comment: orNull(text),
        answered_at: orNull(text),
        answer: orNull(text),
        cancelled: flag,
      }),
    )
    .from(
      sql`(WITH own AS (
        SELECT closing.id, person.employee_id, closing.before,
          closing.cancelled_at IS NOT NULL AS cancelled
        FROM ${closing_people} AS person JOIN ${closings} AS closing ON closing.id = person.closing_id
        WHERE person.employee_id = ${ownEmployeeId(p)} AND closing.completed_at IS NOT NULL
          AND (${p.id} IS NULL OR closing.id = ${p.id})
          AND (${p.after} IS NULL OR closing.id < ${p.after}) AND ${hasLines}
        ORDER BY closing.id DESC LIMIT ${p.limit}),
      paid AS (
        SELECT own.*, ${lineTotals}, sum(difference_seconds) AS total_seconds
        FROM own CROSS JOIN ${closing_lines} AS line
          ON line.closing_id = own.id AND line.employee_id = own.employee_id
        GROUP BY own.id)
      SELECT paid.*, person.hash, signature.created_at AS signed_at,
        signature.details ->> 'agrees' AS agrees, ${wordsOf('signature.id')} AS comment,
        answer.created_at AS answered_at, ${wordsOf('answer.id')} AS answer
      FROM paid
        JOIN ${closing_people} AS person
          ON person.closing_id = paid.id AND person.employee_id = paid.employee_id
        LEFT JOIN ${log_events} AS signature ON ${isNewestSignature}
        LEFT JOIN ${log_events} AS answer ON answer.id = ${answerOf})`,
    )
    .orderBy(({ id }) => desc(id)),
)

type OwnClosing = ReturnType<ReturnType<typeof selectOwnClosings>['mapRows']>[number]

const toOwnClosing = ({
  signed_at,
  agrees,
  comment,
  answered_at,
  answer,
  cancelled,
  ...closing
}: OwnClosing) => ({
  ...closing,
  signed: signed_at === null ? null : { at: signed_at, agrees: agrees === 1, comment },
  answer: answered_at === null ? null : { at: answered_at, comment: answer },
  cancelled,
})

/**
 * The closings that have lines of the caller's employee, the newest first. A page has the `limit`
 * newest from before the closing `after`.
 * @throws DomainError NO_EMPLOYEE
 */
export const listOwnClosings = async (
  db: AuthorizedDb,
  { id, after, limit }: { [Name in 'id' | 'after' | 'limit']?: number | undefined },
) => {
  const user_id = db.claims.userId
  const { rows } = await db.batchOfAllBranches({
    check: requireOwnEmployee({ user_id }),
    rows: selectOwnClosings({ user_id, id: id ?? null, after: after ?? null, limit: limit ?? -1 }),
  })
  return rows.map(toOwnClosing)
}

const selectOwnLines = prepare((p: Params<{ user_id: number; id: number }>) =>
  qb
    .select(lineColumns)
    .from(closing_lines)
    .where(and(eq(closing_lines.closing_id, p.id), eq(closing_lines.employee_id, ownEmployeeId(p))))
    .orderBy(closing_lines.day),
)

export const listOwnLines = async (db: AuthorizedDb, id: number) =>
  (await db.batchOfAllBranches({ lines: selectOwnLines({ user_id: db.claims.userId, id }) })).lines

interface Signing {
  id: number
  user_id: number
  employee_id: string
  password_hash: string
  hash: string
}

/** Whether the completed closing has a row of the person that meets the condition. */
const ofPerson = (p: Params<{ id: number; employee_id: string }>, condition: Expression) =>
  sql`EXISTS (SELECT 1 FROM ${closing_people} AS person
    JOIN ${closings} AS closing ON closing.id = person.closing_id
    WHERE person.closing_id = ${p.id} AND person.employee_id = ${p.employee_id}
      AND closing.completed_at IS NOT NULL AND ${expression(condition)})`

export const isCancelled = (p: Params<{ id: number; employee_id: string }>): Rule => [
  ofPerson(p, 'closing.cancelled_at IS NOT NULL'),
  'CLOSING_CANCELLED',
]

const requireSignable = prepare((p: Params<Signing>) =>
  raiseIf(
    [not(ofPerson(p, 'true')), 'CLOSING_NOT_FOUND'],
    [not(isConfirmed(p)), 'WRONG_PASSWORD'],
    isCancelled(p),
    [not(ofPerson(p, hasLines)), 'NOTHING_TO_SIGN'],
    [not(ofPerson(p, eq(fieldsOf('person', 'hash').hash, p.hash))), 'SIGNATURE_OUTDATED'],
  ),
)

/**
 * Records that the caller has signed their own lines of a closing, or objects to them.
 * @throws DomainError CLOSING_NOT_FOUND, WRONG_PASSWORD, CLOSING_CANCELLED, NOTHING_TO_SIGN,
 * SIGNATURE_OUTDATED
 */
export const saveSignature = async (
  db: AuthorizedDb,
  signing: Omit<Signing, 'user_id'>,
  { details, words, at }: { details: string; words: SaltedComment; at: string },
): Promise<void> => {
  const user_id = db.claims.userId
  const { id: closing_id, employee_id } = signing
  await db.batchOfAllBranches({
    check: requireSignable({ ...signing, user_id }),
    ...insertEventWithComment(
      { event: 'signed', employee_id, closing_id, user_id, at, details },
      words,
    ),
  })
}
