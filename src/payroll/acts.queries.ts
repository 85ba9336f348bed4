import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import {
  day_reviews,
  employees,
  log_events,
  attendance_logs as logs,
  unlock_people,
  unlocks,
} from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { newestClosing } from '../logs/locks.queries.ts'
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

const insertUnlockPeople = prepare((p: Params<{ people: string }>) =>
  qb.insert(unlock_people).select(
    sql`SELECT (SELECT max(id) FROM ${unlocks}), value ->> '$.employee_id', value ->> '$.from_at',
      value ->> '$.until_at' FROM json_each(${p.people})`,
  ),
)

export interface UnlockedPerson {
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
        sql`NOT EXISTS (SELECT 1 FROM ${employees} WHERE employee_id = ${p.employee_id}
            AND ${isInScope(employees.branch_office, p.scope)})
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
