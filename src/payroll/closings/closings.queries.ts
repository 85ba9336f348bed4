import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { raise } from '../../core/db/rules.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { fullName, newestClosingId } from '../../core/db/shared-expressions.ts'
import { intake_sources } from '../../core/tables/intake.ts'
import {
  closing_lines,
  closing_people,
  closings,
  isActiveClosing,
} from '../../core/tables/payroll.ts'
import { users } from '../../core/tables/users.ts'
import { servesScope } from '../../intake/sources.queries.ts'
import { type LineTotalName, TOTAL_NAMES, type Totals } from './closing-lines.ts'
import { signatureCounts } from './signatures.queries.ts'

/** In this subquery, `users` is the user who cancelled the closing, not the user who made it. */
const cancelledByName = sql<string | null>`(SELECT ${fullName} FROM ${users}
  WHERE ${users.id} = closing.cancelled_by)`

/** The SQL of the line totals in `closing-lines.ts`. */
export const LINE_TOTALS_SQL: Record<LineTotalName, SQL> = {
  days: sql`count(*) FILTER (WHERE worked_seconds IS NOT NULL
    AND (of_period OR paid_before_seconds = 0))`,
  period_seconds: sql`sum(difference_seconds) FILTER (WHERE of_period AND difference_seconds > 0)`,
  added_seconds: sql`sum(difference_seconds) FILTER (WHERE NOT of_period AND difference_seconds > 0)`,
  deducted_seconds: sql`-sum(difference_seconds) FILTER (WHERE difference_seconds < 0)`,
  held_seconds: sql`sum(held_seconds)`,
  exceptions_left: sql`sum(needs_look)`,
}

const jsonOf = (values: Record<string, SQL>): SQL =>
  sql`json_object(${sql.join(
    Object.entries(values).map(
      ([name, value]) => sql`${sql.raw(`'${name}'`)}, coalesce(${value}, 0)`,
    ),
    sql`, `,
  )})`

/** The totals of a closing. For a reader with a scope, only people and lines in the scope count. */
const totals = (scope: SQL) => {
  const stored = TOTAL_NAMES.map((name) => [name, sql.raw(`closing.${name}`)] as const)
  const ofPeople = {
    people: sql`count(*)`,
    pending: sql`sum(pending)`,
    pending_of_period: sql`sum(pending_of_period)`,
  }
  const rowsInScope = (table: SQL) =>
    sql`FROM ${table} WHERE closing_id = closing.id AND ${isInScope(sql`branch_office`, scope)}`
  return sql<Totals>`iif(${scope} IS NULL, ${jsonOf(Object.fromEntries(stored))}, json_patch(
    (SELECT ${jsonOf(ofPeople)} ${rowsInScope(sql`${closing_people}`)}),
    (SELECT ${jsonOf(LINE_TOTALS_SQL)} ${rowsInScope(sql`${closing_lines}`)})))`
}

const unsyncedInScope = (scope: SQL) => sql<string[]>`(SELECT json_group_array(value)
  FROM json_each(closing.unsynced) WHERE ${scope} IS NULL OR EXISTS (SELECT 1 FROM ${intake_sources}
    WHERE ${intake_sources}.source = value AND ${servesScope(scope)}))`

interface ListParams {
  scope: Scope
  /** Only closings with a smaller id. */
  before_id: number
  id: number | null
  limit: number
}

const selectClosings = prepare((p: Params<ListParams>) =>
  qb
    .select({
      id: sql<number>`closing.id`.as('closing_id'),
      before: sql<string>`closing.before`.as('before'),
      payroll_group: sql<string | null>`closing.payroll_group`.as('payroll_group'),
      employee_id: sql<string | null>`closing.employee_id`.as('employee_id'),
      totals: totals(p.scope).mapWith(JSON.parse).as('totals'),
      unsynced: unsyncedInScope(p.scope).mapWith(JSON.parse).as('unsynced'),
      signed: signatureCounts(p.scope).mapWith(JSON.parse).as('signed'),
      hash: sql<string | null>`closing.hash`.as('hash'),
      comment: sql<string | null>`closing.comment`.as('comment'),
      user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
      created_at: sql<string>`closing.created_at`.as('created_at'),
      cancelled_at: sql<string | null>`closing.cancelled_at`.as('cancelled_at'),
      cancelled_by: sql<number | null>`closing.cancelled_by`.as('cancelled_by'),
      cancelled_name: cancelledByName.as('cancelled_name'),
      cancel_comment: sql<string | null>`closing.cancel_comment`.as('cancel_comment'),
    })
    .from(sql`${closings} AS closing`)
    .innerJoin(users, sql`${users.id} = closing.user_id`)
    .where(
      sql`closing.completed_at IS NOT NULL AND closing.id < ${p.before_id}
        AND (${p.id} IS NULL OR closing.id = ${p.id})
        AND (${p.scope} IS NULL OR EXISTS (SELECT 1 FROM ${closing_people} AS closed
            WHERE closed.closing_id = closing.id AND ${isInScope(sql`closed.branch_office`, p.scope)})
          OR EXISTS (SELECT 1 FROM ${closing_lines} AS line
            WHERE line.closing_id = closing.id AND ${isInScope(sql`line.branch_office`, p.scope)}))`,
    )
    .orderBy(sql`closing.id DESC`)
    .limit(p.limit),
)

/** The statement for one completed closing. */
export const selectClosing = ({ id, scope }: { id: number; scope: Scope }) =>
  selectClosings({ id, scope, before_id: id + 1, limit: 1 })

/** Completed closings, newest first, with the totals that the caller may see. */
export const listClosings = async (
  db: AuthorizedDb,
  { beforeId, limit }: { beforeId: number; limit: number },
) => {
  const { rows } = await db.batch((scope) => ({
    rows: selectClosings({ scope, before_id: beforeId, id: null, limit }),
  }))
  return rows
}

export type StoredClosing = Awaited<ReturnType<typeof listClosings>>[number]

export const findClosing = async (db: AuthorizedDb, id: number) => {
  const { row } = await db.batch((scope) => ({ row: first(selectClosing({ id, scope })) }))
  return row
}

const selectPayingClosing = prepare((p: Params<{ people: string }>) =>
  qb
    .select({ id: sql<number>`closing.id`.as('closing_id') })
    .from(
      sql`json_each(${p.people}) AS person
        CROSS JOIN ${closing_people} AS closed ON closed.employee_id = value ->> '$[0]'
        CROSS JOIN ${closings} AS closing ON closing.id = closed.closing_id`,
    )
    .where(sql`${isActiveClosing} AND closing.before >= value ->> '$[1]'`)
    .groupBy(sql`closing.id`)
    .orderBy(sql`count(*) DESC, closing.id DESC`)
    .limit(1),
)

/**
 * Returns the id of the active closing that paid the largest number of these people up to their
 * `before` or later. If several closings paid equally many, it is the newest of them. Undefined if
 * no closing paid any of these people that far.
 */
export const findPayingClosing = async (
  db: AuthorizedDb,
  people: readonly (readonly [employee_id: string, before: string])[],
): Promise<number | undefined> => {
  const { closing } = await db.batchOfAllBranches({
    closing: first(selectPayingClosing({ people: JSON.stringify(people) })),
  })
  return closing?.id
}

const requireCancellable = prepare((p: Params<{ id: number }>) =>
  qb
    .select({
      rule: raise(
        [sql`count(*) = 0`, 'CLOSING_NOT_FOUND'],
        [sql`max(cancelled_at IS NOT NULL)`, 'CLOSING_CANCELLED'],
      ),
    })
    .from(closings)
    .where(sql`${closings.id} = ${p.id} AND ${closings.completed_at} IS NOT NULL`),
)

const updateCancelled = prepare(
  (p: Params<{ id: number; user_id: number; comment: string; at: string }>) =>
    qb
      .update(closings)
      .set({
        cancelled_at: p.at,
        cancelled_by: p.user_id,
        cancel_comment: p.comment,
        cancelled_after: newestClosingId,
      })
      .where(sql`${closings.id} = ${p.id}`),
)

/** @throws DomainError CLOSING_NOT_FOUND or CLOSING_CANCELLED */
export const saveCancellation = async (
  db: AuthorizedDb,
  { id, comment, at }: { id: number; comment: string; at: string },
) => {
  const user_id = db.claims.userId
  const { closing } = await db.batchOfAllBranches({
    check: requireCancellable({ id }),
    cancelled: updateCancelled({ id, user_id, comment, at }),
    closing: firstOrFail(selectClosing({ id, scope: null })),
  })
  return closing
}
