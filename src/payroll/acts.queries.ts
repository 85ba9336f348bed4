import { getTableColumns, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { insertSelect, jsonFields, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import {
  day_reviews,
  employees,
  log_events,
  attendance_logs as logs,
  unlock_people,
  unlocks,
  users,
} from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName } from '../core/db/shown.ts'
import { newestClosing } from '../logs/locks.queries.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import type { Selection } from './selection.queries.ts'

/** What people say of days: unlocks and reviews. */

interface Unlock extends Selection {
  from: string
  to: string
  comment: string
  at: string
}

const insertUnlock = prepare((p: Params<Unlock & { user_id: number }>) =>
  qb
    .insert(unlocks)
    .values({
      payroll_group: p.payroll_group,
      employee_id: p.employee_id,
      from_day: p.from,
      to_day: p.to,
      comment: p.comment,
      user_id: p.user_id,
      closings_before: newestClosing,
      created_at: p.at,
    })
    .returning({ id: unlocks.id }),
)

const { unlock_id: _, ...unlockedColumns } = getTableColumns(unlock_people)

const insertUnlockPeople = prepare((p: Params<{ people: string }>) =>
  insertSelect(
    unlock_people,
    { unlock_id: sql`(SELECT max(id) FROM ${unlocks})`, ...jsonFields(unlockedColumns) },
    sql`FROM json_each(${p.people})`,
  ),
)

interface UnlockedPerson {
  employee_id: string
  from_at: string
  until_at: string
}

/** Stores an unlock with its people, all or nothing. Returns its id. */
export const saveUnlock = async (
  db: AuthorizedDb,
  unlock: Unlock,
  people: readonly UnlockedPerson[],
): Promise<number> => {
  const values = { ...unlock, user_id: db.claims.userId }
  const [[created]] = await db.batchOfAllBranches(
    insertUnlock(values),
    insertUnlockPeople({ people: JSON.stringify(people) }),
  )
  if (!created) throw new Error('The unlock was not returned.')
  return created.id
}

interface Review {
  employee_id: string
  day: string
  comment: string | null
  at: string
}

/** Raises unless the employee is in the scope, or any of the employee's logs is. */
const requireEmployee = prepare((p: Params<{ employee_id: string; scope: Scope }>) =>
  qb
    .select({
      rule: raise([
        sql`${isUnknownEmployee(p)}
          AND NOT EXISTS (SELECT 1 FROM ${logs} WHERE employee_id = ${p.employee_id}
            AND ${isInScope(logs.branch_office, p.scope)})`,
        'UNKNOWN_EMPLOYEE',
      ]),
    })
    .from(sql`(SELECT 1)`),
)

const insertReview = prepare((p: Params<Review & { user_id: number }>) =>
  qb
    .insert(day_reviews)
    .values({
      employee_id: p.employee_id,
      day: p.day,
      comment: p.comment,
      user_id: p.user_id,
      last_event_id: sql`coalesce((SELECT max(id) FROM ${log_events}), 0)`,
      created_at: p.at,
    })
    .returning({ id: day_reviews.id }),
)

/**
 * Says that somebody has looked at a day.
 * @throws DomainError UNKNOWN_EMPLOYEE
 */
export const saveReview = async (db: AuthorizedDb, review: Review): Promise<void> => {
  const user_id = db.claims.userId
  await db.batch((scope) => [
    requireEmployee({ employee_id: review.employee_id, scope }),
    insertReview({ ...review, user_id }),
  ])
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
