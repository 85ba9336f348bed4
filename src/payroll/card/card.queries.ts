import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { requireOwnEmployee } from '../../core/db/own-employee.ts'
import { insertEventWithComment, isConfirmed } from '../../core/db/person-events.queries.ts'
import { first, type Params, prepare, qb } from '../../core/db/query.ts'
import { type Rule, raiseIf } from '../../core/db/rules.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { statements } from '../../core/tables/agreements.ts'
import { log_seals } from '../../core/tables/evidence.ts'
import { log_events } from '../../core/tables/logs.ts'
import { closing_lines, closing_people, closings } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import type { SaltedComment } from '../../core/values/salted-hash.ts'
import type { LineTotalName } from '../closings/closing-lines.ts'
import { LINE_TOTALS_SQL } from '../closings/closings.queries.ts'
import { lineColumns } from '../closings/lines.queries.ts'
import { hasLines, linesOfPerson, newestSignatureId } from '../closings/signatures.queries.ts'

const sumOf = (name: LineTotalName) =>
  sql<number>`(SELECT coalesce(${LINE_TOTALS_SQL[name]}, 0) FROM ${linesOfPerson})`

/** The event id of the answer to the event `signature`. Null if there is none. */
const answerOf = sql`(SELECT max(id) FROM ${log_events} INDEXED BY log_events_person
  WHERE employee_id = signature.employee_id AND log_id IS NULL AND event = 'answered'
    AND details ->> 'signature' = signature.id)`

const wordsOf = (event: SQL) =>
  sql<string | null>`(SELECT nullif(text, '') FROM ${statements} WHERE event_id = ${event})`

const selectOwnEmployee = prepare((p: Params<{ user_id: number }>) =>
  qb.select({ employee_id: users.employee_id }).from(users).where(sql`${users.id} = ${p.user_id}`),
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
    .select({
      id: sql<number>`closing.id`.as('closing_id'),
      before: sql<string>`closing.before`.as('before'),
      days: sumOf('days').as('days'),
      period_seconds: sumOf('period_seconds').as('period_seconds'),
      added_seconds: sumOf('added_seconds').as('added_seconds'),
      deducted_seconds: sumOf('deducted_seconds').as('deducted_seconds'),
      // Unlike in the files of a closing, deductions are subtracted.
      total_seconds: sql<number>`(SELECT sum(difference_seconds) FROM ${linesOfPerson})`.as(
        'total_seconds',
      ),
      hash: sql<string>`person.hash`.as('hash'),
      signed_at: sql<string | null>`signature.created_at`.as('signed_at'),
      agrees: sql<number | null>`signature.details ->> 'agrees'`.as('agrees'),
      comment: wordsOf(sql`signature.id`).as('comment'),
      answered_at: sql<string | null>`answer.created_at`.as('answered_at'),
      answer: wordsOf(sql`answer.id`).as('answer'),
      cancelled: sql`closing.cancelled_at IS NOT NULL`.mapWith(Boolean).as('cancelled'),
    })
    .from(
      sql`${closing_people} AS person
        JOIN ${closings} AS closing ON closing.id = person.closing_id
        LEFT JOIN ${log_events} AS signature ON signature.id = ${newestSignatureId}
        LEFT JOIN ${log_events} AS answer ON answer.id = ${answerOf}`,
    )
    .where(
      sql`person.employee_id = ${ownEmployeeId(p)} AND closing.completed_at IS NOT NULL
        AND (${p.id} IS NULL OR closing.id = ${p.id})
        AND (${p.after} IS NULL OR closing.id < ${p.after}) AND ${hasLines}`,
    )
    .orderBy(sql`closing.id DESC`)
    .limit(p.limit),
)

/**
 * The closings that have lines of the caller's employee, the newest first.
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
  return rows
}

const selectOwnLines = prepare((p: Params<{ user_id: number; id: number }>) =>
  qb
    .select(lineColumns)
    .from(closing_lines)
    .where(
      sql`${closing_lines.closing_id} = ${p.id}
        AND ${closing_lines.employee_id} = ${ownEmployeeId(p)}`,
    )
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
const ofPerson = (p: Params<{ id: number; employee_id: string }>, condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${closing_people} AS person
    JOIN ${closings} AS closing ON closing.id = person.closing_id
    WHERE person.closing_id = ${p.id} AND person.employee_id = ${p.employee_id}
      AND closing.completed_at IS NOT NULL AND ${condition})`

const isCancelled = (p: Params<{ id: number; employee_id: string }>): Rule => [
  ofPerson(p, sql`closing.cancelled_at IS NOT NULL`),
  'CLOSING_CANCELLED',
]

const requireSignable = prepare((p: Params<Signing>) =>
  raiseIf(
    [sql`NOT ${ofPerson(p, sql`true`)}`, 'CLOSING_NOT_FOUND'],
    [sql`NOT ${isConfirmed(p)}`, 'WRONG_PASSWORD'],
    isCancelled(p),
    [sql`NOT ${ofPerson(p, hasLines)}`, 'NOTHING_TO_SIGN'],
    [sql`NOT ${ofPerson(p, sql`person.hash = ${p.hash}`)}`, 'SIGNATURE_OUTDATED'],
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

const isObjection = sql`event = 'signed' AND details ->> 'agrees' = 0`

/**
 * The tables for objections to closings that are not cancelled, within the scope: `signature`,
 * `person`, `closing` and `e`.
 */
const objectionsOf = (scope: SQL) => sql`
  (SELECT * FROM ${log_events} INDEXED BY log_events_objections WHERE ${isObjection}) AS signature
  JOIN ${closing_people} AS person ON person.closing_id = signature.closing_id
    AND person.employee_id = signature.employee_id AND ${isInScope(sql`person.branch_office`, scope)}
  JOIN ${closings} AS closing ON closing.id = signature.closing_id AND closing.cancelled_at IS NULL
  JOIN ${employees} AS e ON e.employee_id = signature.employee_id`

/**
 * An objection is open while it is the person's newest signature and has no answer. Uses the tables
 * of `objectionsOf`.
 */
const isOpen = sql`signature.id = ${newestSignatureId} AND ${answerOf} IS NULL`

const selectObjections = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      closing_id: sql<number>`signature.closing_id`.as('closing_id'),
      before: sql<string>`closing.before`.as('before'),
      employee_id: sql<string>`signature.employee_id`.as('employee_id'),
      full_name: sql<string>`e.full_name`.as('full_name'),
      branch_office: sql<string>`person.branch_office`.as('branch_office'),
      at: sql<string>`signature.created_at`.as('at'),
      comment: sql<string>`coalesce(${wordsOf(sql`signature.id`)}, '')`.as('comment'),
    })
    .from(objectionsOf(p.scope))
    .where(isOpen)
    .orderBy(sql`signature.id`),
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
    .select({ signature: sql<number>`signature.id`.as('signature') })
    .from(objectionsOf(p.scope))
    .where(
      sql`${isOpen} AND person.closing_id = ${p.id} AND person.employee_id = ${p.employee_id}`,
    ),
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
  (await db.batch((scope) => ({ row: first(selectSignature({ ...objection, scope })) }))).row
    ?.signature

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
    .select({
      employee_id: sql<string>`person.employee_id`.as('employee_id'),
      at: sql<string>`signature.created_at`.as('at'),
      agrees: sql`signature.details ->> 'agrees'`.mapWith(Boolean).as('agrees'),
      seal: sql<number | null>`(SELECT min(id) FROM ${log_seals}
        WHERE last_event_id >= signature.id)`.as('seal'),
    })
    .from(
      sql`${closing_people} AS person
        JOIN ${closings} AS closing ON closing.id = person.closing_id
        JOIN ${log_events} AS signature ON signature.id = ${newestSignatureId}`,
    )
    .where(
      sql`person.closing_id = ${p.id} AND closing.cancelled_at IS NULL
        AND ${isInScope(sql`person.branch_office`, p.scope)}`,
    )
    .orderBy(sql`person.employee_id`),
)

const requireClosing = prepare((p: Params<{ id: number }>) =>
  raiseIf([
    sql`NOT EXISTS (SELECT 1 FROM ${closings} WHERE ${closings.id} = ${p.id}
      AND ${closings.completed_at} IS NOT NULL)`,
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
