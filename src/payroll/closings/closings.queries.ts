import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { anyRow, raise } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { fullName, newestClosingId } from '../../core/db/shared-expressions.ts'
import { columns, json, number, orNull, text } from '../../core/db/text-query.ts'
import { intake_sources } from '../../core/tables/intake.ts'
import {
  closing_lines,
  closing_people,
  closings,
  isActiveClosing,
} from '../../core/tables/payroll.ts'
import { users } from '../../core/tables/users.ts'
import { servesScope } from '../../intake/sources.queries.ts'
import { TOTAL_NAMES, type Totals } from './closing-lines.ts'
import { LINE_TOTALS_SQL, type SignatureCounts, signatureCounts } from './lines.queries.ts'

const jsonOf = (values: Record<string, string>): SQL => {
  const members = Object.entries(values).map(([name, value]) => `'${name}', coalesce(${value}, 0)`)
  return sql.raw(`json_object(${members})`)
}

const STORED_TOTALS = Object.fromEntries(TOTAL_NAMES.map((name) => [name, `closing.${name}`]))

const PEOPLE_TOTALS = {
  people: 'count(*)',
  pending: 'sum(pending)',
  pending_of_period: 'sum(pending_of_period)',
}

/** The totals of a closing. For a reader with a scope, only people and lines in the scope count. */
const totals = (scope: SQL) => sql`iif(${scope} IS NULL, ${jsonOf(STORED_TOTALS)}, json_patch(
  (SELECT ${jsonOf(PEOPLE_TOTALS)} FROM ${closing_people}
    WHERE closing_id = closing.id AND ${isInScope('branch_office', scope)}),
  (SELECT ${jsonOf(LINE_TOTALS_SQL)} FROM ${closing_lines}
    WHERE closing_id = closing.id AND ${isInScope('branch_office', scope)})))`

const unsyncedInScope = (scope: SQL) => sql`(SELECT json_group_array(value)
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
    .select(
      columns({
        id: number,
        before: text,
        payroll_group: orNull(text),
        employee_id: orNull(text),
        totals: json<Totals>(),
        unsynced: json<string[]>(),
        signed: json<SignatureCounts>(),
        hash: orNull(text),
        comment: orNull(text),
        user_id: number,
        full_name: text,
        created_at: text,
        cancelled_at: orNull(text),
        cancelled_by: orNull(number),
        cancelled_name: orNull(text),
        cancel_comment: orNull(text),
      }),
    )
    .from(
      sql`(SELECT closing.id, closing.before, closing.payroll_group, closing.employee_id,
          ${totals(p.scope)} AS totals, ${unsyncedInScope(p.scope)} AS unsynced,
          ${signatureCounts(p.scope)} AS signed, closing.hash, closing.comment,
          closing.user_id, ${fullName} AS full_name, closing.created_at, closing.cancelled_at,
          closing.cancelled_by, closing.cancel_comment,
          (SELECT ${fullName} FROM ${users} WHERE ${users.id} = closing.cancelled_by) AS cancelled_name
        FROM ${closings} AS closing JOIN ${users} ON ${users.id} = closing.user_id
        WHERE closing.completed_at IS NOT NULL AND closing.id < ${p.before_id}
          AND (${p.id} IS NULL OR closing.id = ${p.id})
          AND (${p.scope} IS NULL OR EXISTS (SELECT 1 FROM ${closing_people} AS closed
              WHERE closed.closing_id = closing.id AND ${isInScope('closed.branch_office', p.scope)})
            OR EXISTS (SELECT 1 FROM ${closing_lines} AS line
              WHERE line.closing_id = closing.id AND ${isInScope('line.branch_office', p.scope)})))`,
    )
    .orderBy(({ id }) => desc(id))
    .limit(p.limit),
)

/** The statement for one completed closing. */
export const selectClosing = ({ id, scope }: { id: number; scope: Scope }) =>
  selectClosings({ id, scope, before_id: id + 1, limit: 1 })

type ClosingRow = ReturnType<ReturnType<typeof selectClosing>['mapRows']>[number]

/** Turns a stored closing into the closing of a response. */
export const toClosing = ({
  id,
  before,
  payroll_group,
  employee_id,
  totals,
  ...row
}: ClosingRow) => {
  const { user_id, full_name, created_at, ...others } = row
  const { cancelled_at, cancelled_by, cancelled_name, cancel_comment, ...rest } = others
  return {
    id,
    before,
    payroll_group,
    employee_id,
    ...totals,
    ...rest,
    user: { id: user_id, full_name },
    created_at,
    cancelled:
      cancelled_at === null
        ? null
        : {
            at: cancelled_at,
            comment: cancel_comment ?? '',
            user: { id: cancelled_by ?? 0, full_name: cancelled_name ?? '' },
          },
  }
}

/** Completed closings, newest first, with the totals that the caller may see. */
export const listClosings = async (
  db: AuthorizedDb,
  { beforeId, limit }: { beforeId: number; limit: number },
) => {
  const { rows } = await db.batch((scope) => ({
    rows: selectClosings({ scope, before_id: beforeId, id: null, limit }),
  }))
  return rows.map(toClosing)
}

export const findClosing = async (db: AuthorizedDb, id: number) => {
  const { row } = await db.batch((scope) => ({ row: first(selectClosing({ id, scope })) }))
  return row && toClosing(row)
}

const selectPayingClosing = prepare((p: Params<{ people: string }>) =>
  qb
    .select(
      columns({ id: number, before: text, created_at: text, user_id: number, full_name: text }),
    )
    .from(
      sql`(SELECT closing.id, closing.before, closing.created_at, user_id, ${fullName} AS full_name
        FROM json_each(${p.people}) AS person
          CROSS JOIN ${closing_people} AS closed ON closed.employee_id = value ->> '$[0]'
          CROSS JOIN ${closings} AS closing ON closing.id = closed.closing_id
          CROSS JOIN ${users} ON ${users.id} = user_id
        WHERE ${isActiveClosing} AND closing.before >= value ->> '$[1]'
        GROUP BY closing.id ORDER BY count(*) DESC, closing.id DESC LIMIT 1)`,
    ),
)

/**
 * The active closing that paid the largest number of these people up to their `before` or later, and
 * who made it. If several closings paid equally many, it is the newest of them. Null if no closing
 * paid any of these people that far.
 */
export const findPayingClosing = async (
  db: AuthorizedDb,
  people: readonly (readonly [employee_id: string, before: string])[],
) => {
  const { closing } = await db.batchOfAllBranches({
    closing: first(selectPayingClosing({ people: JSON.stringify(people) })),
  })
  if (!closing) return null
  const { user_id, full_name, created_at, ...paid } = closing
  return { ...paid, user: { id: user_id, full_name }, created_at }
}

const requireCancellable = prepare((p: Params<{ id: number }>) =>
  qb
    .select({
      rule: raise(
        ['count(*) = 0', 'CLOSING_NOT_FOUND'],
        [anyRow('cancelled_at IS NOT NULL'), 'CLOSING_CANCELLED'],
      ),
    })
    .from(closings)
    .where(and(eq(closings.id, p.id), isNotNull(closings.completed_at))),
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
      .where(eq(closings.id, p.id)),
)

/**
 * Cancels a closing. Only a closing whose money was not paid out should be cancelled, but the
 * service cannot check this. The next closing pays the days of the cancelled closing again.
 * @throws DomainError CLOSING_NOT_FOUND, or CLOSING_CANCELLED if the closing is cancelled already
 */
export const cancelClosing = async (
  db: AuthorizedDb,
  { id, comment }: { id: number; comment: string },
  now: Date,
) => {
  const [user_id, at] = [db.claims.userId, now.toISOString()]
  const { closing } = await db.batchOfAllBranches({
    check: requireCancellable({ id }),
    cancelled: updateCancelled({ id, user_id, comment, at }),
    closing: firstOrFail(selectClosing({ id, scope: null })),
  })
  return toClosing(closing)
}
