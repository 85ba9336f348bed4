import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  firstOrFail,
  insertSelect,
  jsonFields,
  type Params,
  prepare,
  qb,
} from '../../core/db/query.ts'
import { raiseIf } from '../../core/db/raise.ts'
import {
  cancellationCount,
  newestClosingId,
  newestEventId,
} from '../../core/db/shared-expressions.ts'
import { branch_zones } from '../../core/tables/company.ts'
import {
  closing_lines,
  closing_people,
  closings,
  employee_shifts,
} from '../../core/tables/payroll.ts'
import { people_changes } from '../../core/tables/users.ts'
import { type LineWithSpans, TOTAL_NAMES, type Totals } from './closing-lines.ts'
import { selectClosing, toClosing } from './closings.queries.ts'
import type { Selection } from './selection.queries.ts'

/** Writes a closing, a page at a time. */

/** Groups are among these changes too. */
const newestChangeId = sql<number>`coalesce((SELECT max(id) FROM ${people_changes}), 0)`

/** The sum of the newest ids of both tables of rules. It grows with every rule. */
const ruleIdSum = sql<number>`((SELECT max(id) FROM ${branch_zones}) + (SELECT max(id) FROM ${employee_shifts}))`

const selectSnapshot = prepare(() =>
  qb
    .select({
      last_event_id: newestEventId,
      closings_before: newestClosingId,
      cancellations_before: cancellationCount,
      changes_before: newestChangeId,
      rules_before: ruleIdSum,
    })
    .from(sql`(SELECT 1)`),
)

/**
 * Reads the newest ids of events, of closings, of changes of people and groups and of rules of hours,
 * and the number of cancellations. A closing fails if any of these, except events, is added later.
 */
export const readSnapshot = async (db: AuthorizedDb) => {
  const { snapshot } = await db.batch(() => ({ snapshot: firstOrFail(selectSnapshot({})) }))
  return snapshot
}

interface NewClosing extends Selection, Awaited<ReturnType<typeof readSnapshot>> {
  before: string
  comment: string | null
  token: string
  at: string
}

const insertClosing = prepare((p: Params<NewClosing & { user_id: number }>) =>
  qb
    .insert(closings)
    .values({
      before: p.before,
      payroll_group: p.payroll_group,
      employee_id: p.employee_id,
      user_id: p.user_id,
      comment: p.comment,
      token: p.token,
      last_event_id: p.last_event_id,
      closings_before: p.closings_before,
      cancellations_before: p.cancellations_before,
      created_at: p.at,
    })
    .returning({ id: closings.id }),
)

/** Begins a closing that does not count yet. Returns its id. */
export const beginClosing = async (db: AuthorizedDb, closing: NewClosing): Promise<number> => {
  const { created } = await db.batchOfAllBranches({
    created: firstOrFail(insertClosing({ ...closing, user_id: db.claims.userId })),
  })
  return created.id
}

interface NewPage {
  id: number
  token: string
  /** JSON arrays of rows. */
  people: string
  lines: string
}

const isUnfinished = (
  p: Params<{ id: number; token: string }>,
) => sql`EXISTS (SELECT 1 FROM ${closings}
  WHERE id = ${p.id} AND token = ${p.token} AND completed_at IS NULL)`

/** Raises if the row of this unfinished closing was deleted. Another closing deletes it. */
const requireUnfinished = prepare((p: Params<NewPage>) =>
  raiseIf([sql`NOT ${isUnfinished(p)}`, 'CLOSING_OUTDATED']),
)

const { closing_id: _, ...personColumns } = getTableColumns(closing_people)
const { closing_id: __, ...lineColumns } = getTableColumns(closing_lines)

const insertPeople = prepare((p: Params<NewPage>) =>
  insertSelect(
    closing_people,
    { closing_id: p.id, ...jsonFields(personColumns) },
    sql`FROM json_each(${p.people})`,
  ),
)

const insertLines = prepare((p: Params<NewPage>) =>
  insertSelect(
    closing_lines,
    { closing_id: p.id, ...jsonFields(lineColumns) },
    sql`FROM json_each(${p.lines})`,
  ),
)

/** @throws DomainError CLOSING_OUTDATED if the unfinished closing was deleted */
export const writePage = async (
  db: AuthorizedDb,
  closing: { id: number; token: string },
  rows: {
    people: readonly Omit<typeof closing_people.$inferSelect, 'closing_id'>[]
    lines: readonly LineWithSpans[]
  },
): Promise<void> => {
  const values = {
    ...closing,
    people: JSON.stringify(rows.people),
    lines: JSON.stringify(rows.lines),
  }
  await db.batchOfAllBranches({
    check: requireUnfinished(values),
    people: insertPeople(values),
    lines: insertLines(values),
  })
}

interface Completion extends Totals {
  id: number
  token: string
  lines: number
  unsynced: string
  hash: string
  at: string
  /** The id of the newest change of people and groups when the snapshot was read. */
  changes_before: number
  /** The sum of the newest ids of the rules of hours when the snapshot was read. */
  rules_before: number
}

/**
 * Raises unless all rows of the closing are stored, and no closing, cancellation, change of people and
 * groups, or rule of hours was added since its snapshot.
 */
const requireComplete = prepare((p: Params<Completion>) =>
  raiseIf([
    sql`NOT ${isUnfinished(p)} OR NOT EXISTS (SELECT 1 FROM ${closings} AS mine WHERE mine.id = ${p.id}
          AND (mine.closings_before, mine.cancellations_before)
            = (${newestClosingId}, ${cancellationCount})
          AND ${newestChangeId} = ${p.changes_before}
          AND ${ruleIdSum} = ${p.rules_before}
          AND (SELECT count(*) FROM ${closing_people} WHERE closing_id = mine.id) = ${p.people}
          AND (SELECT count(*) FROM ${closing_lines} WHERE closing_id = mine.id) = ${p.lines}
          AND (SELECT coalesce(sum(difference_seconds), 0) FROM ${closing_lines}
            WHERE closing_id = mine.id) = ${p.period_seconds} + ${p.added_seconds} - ${p.deducted_seconds})`,
    'CLOSING_OUTDATED',
  ]),
)

const totalsIn = (p: Params<Totals>) =>
  Object.fromEntries(TOTAL_NAMES.map((name) => [name, p[name]])) as Params<Totals>

const completeClosing = prepare((p: Params<Completion>) =>
  qb
    .update(closings)
    .set({
      ...totalsIn(p),
      unsynced: p.unsynced,
      hash: p.hash,
      completed_at: p.at,
    })
    .where(eq(closings.id, p.id))
    .returning({ id: closings.id }),
)

/**
 * Completes a closing. The trigger `closings_record_closed` writes its event.
 * @throws DomainError CLOSING_OUTDATED; then the closing stays unfinished and pays nothing
 */
export const finishClosing = async (db: AuthorizedDb, completion: Completion) => {
  const { id } = completion
  const { closing } = await db.batchOfAllBranches({
    check: requireComplete(completion),
    completed: completeClosing(completion),
    closing: firstOrFail(selectClosing({ id, scope: null })),
  })
  return toClosing(closing)
}
