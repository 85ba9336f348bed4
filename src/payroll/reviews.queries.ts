import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import { day_reviews, log_events, attendance_logs as logs } from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'

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
 * Stores that somebody has looked at a day: it leaves the list of exceptions until a log of it
 * changes.
 * @throws DomainError UNKNOWN_EMPLOYEE
 */
export const saveReview = async (db: AuthorizedDb, review: Review): Promise<void> => {
  const user_id = db.claims.userId
  await db.batch((scope) => [
    requireEmployee({ employee_id: review.employee_id, scope }),
    insertReview({ ...review, user_id }),
  ])
}
