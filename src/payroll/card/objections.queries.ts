import { and, eq, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { insertEventWithComment } from '../../core/db/person-events.queries.ts'
import { fieldsOf, first, hasRow, type Params, prepare, qb } from '../../core/db/query.ts'
import { raiseIf } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { columns, flag, number, orNull, text } from '../../core/db/text-query.ts'
import { log_seals } from '../../core/tables/evidence.ts'
import { log_events } from '../../core/tables/logs.ts'
import { closing_people, closings } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import type { SaltedComment } from '../../core/values/salted-hash.ts'
import { answerOf, isCancelled, isNewestSignature, wordsOf } from './own-closings.queries.ts'

/**
 * The open objections to closings that are not cancelled, within the scope. An objection is open while
 * it is the person's newest signature and has no answer.
 */
const openObjections = (scope: SQL) => sql`(
  SELECT signature.id, signature.closing_id, closing.before, signature.employee_id, e.full_name,
    person.branch_office, signature.created_at AS at,
    coalesce(${wordsOf('signature.id')}, '') AS comment
  FROM (SELECT * FROM ${log_events} INDEXED BY log_events_objections 
      WHERE event = 'signed' AND details ->> 'agrees' = 0) AS signature
    JOIN ${closing_people} AS person ON person.closing_id = signature.closing_id
      AND person.employee_id = signature.employee_id AND ${isInScope('person.branch_office', scope)}
    JOIN ${closings} AS closing ON closing.id = signature.closing_id AND closing.cancelled_at IS NULL
    JOIN ${employees} AS e ON e.employee_id = signature.employee_id
  WHERE ${isNewestSignature} AND ${answerOf} IS NULL) AS objection`

const objection = fieldsOf('objection', 'id', 'closing_id', 'employee_id')

const selectObjections = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select(
      columns({
        closing_id: number,
        before: text,
        employee_id: text,
        full_name: text,
        branch_office: text,
        at: text,
        comment: text,
      }),
    )
    .from(openObjections(p.scope))
    .orderBy(objection.id),
)

/** The open objections of the caller's scope, the oldest first. */
export const listObjections = async (db: AuthorizedDb) =>
  (await db.batch((scope) => ({ objections: selectObjections({ scope }) }))).objections

interface Objection {
  id: number
  employee_id: string
  user_id: number
  scope: Scope
}

const selectSignature = prepare((p: Params<Omit<Objection, 'user_id'>>) =>
  qb
    .select(columns({ id: number }))
    .from(openObjections(p.scope))
    .where(and(eq(objection.closing_id, p.id), eq(objection.employee_id, p.employee_id))),
)

const requireOpen = prepare((p: Params<Omit<Objection, 'scope'> & { signature: number }>) =>
  raiseIf(
    [
      sql`NOT EXISTS (SELECT 1 FROM ${log_events} AS signature WHERE signature.id = ${p.signature}
        AND ${answerOf} IS NULL)`,
      'OBJECTION_NOT_FOUND',
    ],
    isCancelled(p),
    [
      sql`${ownEmployeeId(p)} IS ${p.employee_id} OR EXISTS (SELECT 1 FROM ${log_events}
        WHERE id = ${p.signature} AND user_id = ${p.user_id})`,
      'OWN_OBJECTION',
    ],
  ),
)

/** The event id of a person's open objection to a closing, within the caller's scope. */
export const findObjection = async (
  db: AuthorizedDb,
  objection: { id: number; employee_id: string },
): Promise<number | undefined> =>
  (await db.batch((scope) => ({ row: first(selectSignature({ ...objection, scope })) }))).row?.id

/** @throws DomainError OBJECTION_NOT_FOUND, CLOSING_CANCELLED, OWN_OBJECTION */
export const saveAnswer = async (
  db: AuthorizedDb,
  objection: { id: number; employee_id: string; signature: number },
  { details, words, at }: { details: string; words: SaltedComment; at: string },
): Promise<void> => {
  const user_id = db.claims.userId
  const { employee_id } = objection
  await db.batch(() => ({
    check: requireOpen({ ...objection, user_id }),
    ...insertEventWithComment(
      { event: 'answered', employee_id, closing_id: null, user_id, at, details },
      words,
    ),
  }))
}

const selectSignatures = prepare((p: Params<{ id: number; scope: Scope }>) =>
  qb
    .select(columns({ employee_id: text, at: text, agrees: flag, seal: orNull(number) }))
    .from(
      sql`(SELECT person.employee_id, signature.created_at AS at,
          signature.details ->> 'agrees' AS agrees,
          (SELECT min(id) FROM ${log_seals} WHERE last_event_id >= signature.id) AS seal
        FROM ${closing_people} AS person
          JOIN ${closings} AS closing ON closing.id = person.closing_id
          JOIN ${log_events} AS signature ON ${isNewestSignature}
        WHERE person.closing_id = ${p.id} AND closing.cancelled_at IS NULL
          AND ${isInScope('person.branch_office', p.scope)})`,
    )
    .orderBy(({ employee_id }) => employee_id),
)

const requireClosing = prepare((p: Params<{ id: number }>) =>
  raiseIf([
    not(hasRow(closings, eq(closings.id, p.id), isNotNull(closings.completed_at))),
    'CLOSING_NOT_FOUND',
  ]),
)

/**
 * The newest signatures of a closing, one of each person within the caller's scope who has signed
 * or objected. Empty if the closing is cancelled.
 * @throws DomainError CLOSING_NOT_FOUND
 */
export const listSignatures = async (db: AuthorizedDb, id: number) => {
  const { signatures } = await db.batch((scope) => ({
    check: requireClosing({ id }),
    signatures: selectSignatures({ id, scope }),
  }))
  return signatures
}
