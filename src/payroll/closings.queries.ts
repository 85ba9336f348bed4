import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import {
  closing_lines,
  closing_people,
  closings,
  employees,
  intake_sources,
  log_events,
  openings,
  unlocks,
  users,
} from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName } from '../core/db/shown.ts'
import { servesScope } from '../intake/sources.queries.ts'
import { countCancelled, newestClosing, newestUnlock } from '../logs/locks.queries.ts'
import { type Line, lineColumns } from './lines.queries.ts'
import type { Selection } from './selection.queries.ts'

/** Writing closings, a page at a time, and reading them. */

interface NewClosing extends Selection {
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
      last_event_id: sql`coalesce((SELECT max(id) FROM ${log_events}), 0)`,
      closings_before: newestClosing,
      cancellations_before: countCancelled,
      unlocks_before: newestUnlock,
      created_at: p.at,
    })
    .returning({ id: closings.id }),
)

/** Begins a closing that does not count yet: the newest event is read before people are. */
export const beginClosing = async (db: AuthorizedDb, closing: NewClosing): Promise<number> => {
  const [[created]] = await db.batchOfAllBranches(
    insertClosing({ ...closing, user_id: db.claims.userId }),
  )
  return requireRow(created).id
}

interface PageParams {
  id: number
  token: string
  /** JSON arrays of rows. */
  people: string
  lines: string
}

const isOpen = (p: Params<{ id: number; token: string }>) => sql`EXISTS (SELECT 1 FROM ${closings}
  WHERE id = ${p.id} AND token = ${p.token} AND completed_at IS NULL)`

/** Raises where the next closing has swept this one away. */
const requireOpen = prepare((p: Params<PageParams>) =>
  qb.select({ rule: raise([sql`NOT ${isOpen(p)}`, 'CLOSING_OUTDATED']) }).from(sql`(SELECT 1)`),
)

/** The values of a JSON object, in the order of the table's columns. */
const valuesOf = (columns: object): SQL =>
  sql.raw(
    Object.keys(columns)
      .map((name) => `value ->> '$.${name}'`)
      .join(', '),
  )

const { closing_id: _, ...personColumns } = getTableColumns(closing_people)

const insertPeople = prepare((p: Params<PageParams>) =>
  qb
    .insert(closing_people)
    .select(sql`SELECT ${p.id}, ${valuesOf(personColumns)} FROM json_each(${p.people})`),
)

const insertLines = prepare((p: Params<PageParams>) =>
  qb
    .insert(closing_lines)
    .select(sql`SELECT ${p.id}, ${valuesOf(lineColumns)} FROM json_each(${p.lines})`),
)

export type PersonRow = Omit<typeof closing_people.$inferSelect, 'closing_id'>

/**
 * Writes a page of people with their lines.
 * @throws DomainError CLOSING_OUTDATED
 */
export const writePage = async (
  db: AuthorizedDb,
  closing: { id: number; token: string },
  rows: { people: readonly PersonRow[]; lines: readonly Line[] },
): Promise<void> => {
  const values = {
    ...closing,
    people: JSON.stringify(rows.people),
    lines: JSON.stringify(rows.lines),
  }
  await db.batchOfAllBranches(requireOpen(values), insertPeople(values), insertLines(values))
}

/** What a closing comes to. */
export interface Totals {
  people: number
  days: number
  period_seconds: number
  added_seconds: number
  deducted_seconds: number
  held_seconds: number
  exceptions_left: number
  pending: number
  pending_of_period: number
}

interface Completion extends Totals {
  id: number
  token: string
  /** The sum of all differences. */
  sum: number
  /** How many lines. */
  lines: number
  unsynced: string
  hash: string
  at: string
}

/** Raises unless everything of the closing is there, and nothing has come in since it began. */
const requireWhole = prepare((p: Params<Completion>) =>
  qb
    .select({
      rule: raise([
        sql`NOT ${isOpen(p)} OR NOT EXISTS (SELECT 1 FROM ${closings} AS mine WHERE mine.id = ${p.id}
          AND (mine.closings_before, mine.cancellations_before, mine.unlocks_before)
            = (${newestClosing}, ${countCancelled}, ${newestUnlock})
          AND (SELECT count(*) FROM ${closing_people} WHERE closing_id = mine.id) = ${p.people}
          AND (SELECT count(*) FROM ${closing_lines} WHERE closing_id = mine.id) = ${p.lines}
          AND (SELECT coalesce(sum(difference_seconds), 0) FROM ${closing_lines}
            WHERE closing_id = mine.id) = ${p.sum})`,
        'CLOSING_OUTDATED',
      ]),
    })
    .from(sql`(SELECT 1)`),
)

/** The first days that were said: of people who have none. */
const insertOpenings = prepare((p: Params<{ id: number; user_id: number; at: string }>) =>
  qb.insert(openings).select(
    sql`SELECT NULL, employee_id, opening, ${p.user_id}, NULL, ${newestClosing}, ${p.at}
      FROM ${closing_people} WHERE closing_id = ${p.id} AND opening IS NOT NULL`,
  ),
)

const completeClosing = prepare((p: Params<Completion>) =>
  qb
    .update(closings)
    .set({
      people: p.people,
      days: p.days,
      period_seconds: p.period_seconds,
      added_seconds: p.added_seconds,
      deducted_seconds: p.deducted_seconds,
      held_seconds: p.held_seconds,
      exceptions_left: p.exceptions_left,
      pending: p.pending,
      pending_of_period: p.pending_of_period,
      unsynced: p.unsynced,
      hash: p.hash,
      completed_at: p.at,
    })
    .where(sql`${closings.id} = ${p.id}`)
    .returning({ id: closings.id }),
)

const SWEEP_ROWS = sql.raw('2000')

/** CROSS JOIN: from the closings, of which few broke off, and never from all lines. */
const brokenOff = (table: SQL) => sql`rowid IN (SELECT row.rowid FROM ${closings} AS broken
  CROSS JOIN ${table} AS row ON row.closing_id = broken.id WHERE broken.completed_at IS NULL
  LIMIT ${SWEEP_ROWS})`

const sweepLines = prepare(() => qb.delete(closing_lines).where(brokenOff(sql`${closing_lines}`)))
const sweepPeople = prepare(() =>
  qb.delete(closing_people).where(brokenOff(sql`${closing_people}`)),
)
const sweepClosings = prepare(() =>
  qb.delete(closings).where(sql`${closings.completed_at} IS NULL`),
)
const countBroken = prepare(() =>
  qb
    .select({
      lines: sql<number>`count(*)`.as('lines'),
      people: sql<number>`(SELECT count(*) FROM ${closings} AS broken
        CROSS JOIN ${closing_people} AS taken ON taken.closing_id = broken.id
        WHERE broken.completed_at IS NULL)`.as('people'),
    })
    .from(
      sql`${closings} AS broken CROSS JOIN ${closing_lines} AS line ON line.closing_id = broken.id`,
    )
    .where(sql`broken.completed_at IS NULL`),
)

/** Deletes what broke off, a page at a time; another closing that is being written then fails. */
export const sweepBroken = async (db: AuthorizedDb): Promise<void> => {
  for (;;) {
    const [[left]] = await db.batchOfAllBranches(countBroken({}))
    if (left && left.lines > 0) await db.batchOfAllBranches(sweepLines({}))
    else if (left && left.people > 0) await db.batchOfAllBranches(sweepPeople({}))
    else break
  }
  await db.batchOfAllBranches(sweepClosings({}))
}

const cancelledUser = sql<string | null>`(SELECT trim(replace(first_name || ' ' || last_name || ' '
  || mother_last_name, '  ', ' ')) FROM ${users} AS canceller WHERE canceller.id = closing.cancelled_by)`

/** The people of a closing who were taken first by it, as JSON. */
const firstTaken = (scope: SQL) => sql<FirstTaken[]>`(
  SELECT json_group_array(json_object('employee_id', e.employee_id, 'full_name', e.full_name,
    'first_log_at', taken.first_log_at, 'started_at', e.started_at, 'suggested', taken.suggested))
  FROM ${closing_people} AS taken JOIN ${employees} AS e ON e.employee_id = taken.employee_id
  WHERE taken.closing_id = closing.id AND taken.opening IS NOT NULL
    AND ${isInScope(sql`taken.branch_office`, scope)})`

export interface FirstTaken {
  employee_id: string
  full_name: string
  first_log_at: string | null
  started_at: string
  suggested: string
}

/** The sums of the lines that a reader with a scope sees. */
const linesInScope = (scope: SQL) => sql`(SELECT json_object(
    'days', count(*) FILTER (WHERE pairs > 0 AND of_period),
    'period_seconds', coalesce(sum(difference_seconds) FILTER (WHERE of_period AND difference_seconds > 0), 0),
    'added_seconds', coalesce(sum(difference_seconds) FILTER (WHERE NOT of_period AND difference_seconds > 0), 0),
    'deducted_seconds', coalesce(-sum(difference_seconds) FILTER (WHERE difference_seconds < 0), 0),
    'held_seconds', coalesce(sum(held_seconds), 0),
    'exceptions_left', count(*) FILTER (WHERE coalesce(needs_look, of_period AND exceptions <> ''
      AND (exceptions <> 'pendientes' OR ' ' || notices || ' ' LIKE '% manual %'))))
  FROM ${closing_lines} WHERE closing_id = closing.id AND ${isInScope(sql`branch_office`, scope)})`

const peopleInScope = (scope: SQL) => sql`(SELECT json_object('people', count(*),
    'pending', coalesce(sum(pending), 0), 'pending_of_period', coalesce(sum(pending_of_period), 0))
  FROM ${closing_people} WHERE closing_id = closing.id AND ${isInScope(sql`branch_office`, scope)})`

const unsyncedInScope = (scope: SQL) => sql<string[]>`(SELECT json_group_array(value)
  FROM json_each(closing.unsynced) WHERE ${scope} IS NULL OR EXISTS (SELECT 1 FROM ${intake_sources}
    WHERE ${intake_sources}.source = value AND ${servesScope(scope)}))`

const TOTALS = [
  ...['people', 'days', 'period_seconds', 'added_seconds', 'deducted_seconds', 'held_seconds'],
  ...['exceptions_left', 'pending', 'pending_of_period'],
]

const totals = (scope: SQL) => {
  const stored = sql.raw(TOTALS.map((name) => `'${name}', closing.${name}`).join(', '))
  return sql<Totals>`iif(${scope} IS NULL, json_object(${stored}),
    json_patch(${peopleInScope(scope)}, ${linesInScope(scope)}))`
}

interface ListParams {
  scope: Scope
  /** Only older ones. */
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
      first_taken: firstTaken(p.scope).mapWith(JSON.parse).as('first_taken'),
      unsynced: unsyncedInScope(p.scope).mapWith(JSON.parse).as('unsynced'),
      hash: sql<string | null>`closing.hash`.as('hash'),
      comment: sql<string | null>`closing.comment`.as('comment'),
      user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
      created_at: sql<string>`closing.created_at`.as('created_at'),
      cancelled_at: sql<string | null>`closing.cancelled_at`.as('cancelled_at'),
      cancelled_by: sql<number | null>`closing.cancelled_by`.as('cancelled_by'),
      cancelled_name: cancelledUser.as('cancelled_name'),
      cancel_comment: sql<string | null>`closing.cancel_comment`.as('cancel_comment'),
    })
    .from(sql`${closings} AS closing`)
    .innerJoin(users, sql`${users.id} = closing.user_id`)
    .where(
      sql`closing.completed_at IS NOT NULL AND closing.id < ${p.before_id}
        AND (${p.id} IS NULL OR closing.id = ${p.id})
        AND (${p.scope} IS NULL OR EXISTS (SELECT 1 FROM ${closing_people} AS taken
            WHERE taken.closing_id = closing.id AND ${isInScope(sql`taken.branch_office`, p.scope)})
          OR EXISTS (SELECT 1 FROM ${closing_lines} AS line
            WHERE line.closing_id = closing.id AND ${isInScope(sql`line.branch_office`, p.scope)}))`,
    )
    .orderBy(sql`closing.id DESC`)
    .limit(p.limit),
)

const ofId = (id: number) => ({ id, before_id: id + 1, limit: 1 })

const requireRow = <Row>(row: Row | undefined): Row => {
  if (!row) throw new Error('The closing was not returned.')
  return row
}

/**
 * Makes a closing count, with its openings and its event, in one transaction.
 * @throws DomainError CLOSING_OUTDATED, where nothing of it counts
 */
export const finishClosing = async (db: AuthorizedDb, completion: Completion) => {
  const { id, at } = completion
  const [, , , [closing]] = await db.batchOfAllBranches(
    requireWhole(completion),
    insertOpenings({ id, at, user_id: db.claims.userId }),
    completeClosing(completion),
    selectClosings({ ...ofId(id), scope: null }),
  )
  return requireRow(closing)
}

/** Completed closings, newest first, with what the caller's scope sees of them. */
export const listClosings = async (
  db: AuthorizedDb,
  { beforeId, limit }: { beforeId: number; limit: number },
) => {
  const [rows] = await db.batch((scope) => [
    selectClosings({ scope, before_id: beforeId, id: null, limit }),
  ])
  return rows
}

export type StoredClosing = Awaited<ReturnType<typeof listClosings>>[number]

export const findClosing = async (db: AuthorizedDb, id: number) => {
  const [[row]] = await db.batch((scope) => [selectClosings({ ...ofId(id), scope })])
  return row
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
        cancelled_after: newestClosing,
      })
      .where(sql`${closings.id} = ${p.id}`),
)

/**
 * Cancels a closing: nobody was paid by it.
 * @throws DomainError CLOSING_NOT_FOUND or CLOSING_CANCELLED
 */
export const cancelClosing = async (
  db: AuthorizedDb,
  { id, comment, at }: { id: number; comment: string; at: string },
) => {
  const user_id = db.claims.userId
  const [, , [closing]] = await db.batchOfAllBranches(
    requireCancellable({ id }),
    updateCancelled({ id, user_id, comment, at }),
    selectClosings({ ...ofId(id), scope: null }),
  )
  return requireRow(closing)
}

const selectUnlocks = prepare((p: Params<{ scope: Scope; limit: number }>) =>
  qb
    .select({
      id: sql<number>`unlock.id`.as('unlock_id'),
      payroll_group: sql<string | null>`unlock.payroll_group`.as('payroll_group'),
      employee_id: sql<string | null>`unlock.employee_id`.as('employee_id'),
      from: sql<string>`unlock.from_day`.as('from_day'),
      to: sql<string>`unlock.to_day`.as('to_day'),
      comment: sql<string>`unlock.comment`.as('comment'),
      user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
      created_at: sql<string>`unlock.created_at`.as('created_at'),
    })
    .from(sql`${unlocks} AS unlock`)
    .innerJoin(users, sql`${users.id} = unlock.user_id`)
    .where(
      sql`${p.scope} IS NULL OR EXISTS (SELECT 1 FROM unlock_people AS unlocked
        JOIN ${employees} AS e USING (employee_id)
        WHERE unlocked.unlock_id = unlock.id AND ${isInScope(sql`e.branch_office`, p.scope)})`,
    )
    .orderBy(sql`unlock.id DESC`)
    .limit(p.limit),
)

/** The newest unlocks of days, newest first. */
export const listUnlocks = async (db: AuthorizedDb, limit: number) =>
  (await db.batch((scope) => [selectUnlocks({ scope, limit })]))[0]
