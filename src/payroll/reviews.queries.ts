import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import { day_reviews, employees, attendance_logs as logs } from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { newestEventId, ownEmployeeId } from '../core/db/shared-expressions.ts'

export interface DayOfPerson {
  employee_id: string
  day: string
}

const selectNewestEventId = prepare(() =>
  qb.select({ id: newestEventId.as('newest_event_id') }).from(sql`(SELECT 1)`),
)

interface Reviewed {
  /** A JSON array of `DayOfPerson`. */
  days: string
  forbid_self_approval: number
  user_id: number
}

interface Values extends Reviewed {
  comment: string | null
  /** The seconds that the caller confirms for the only day. Null if none were given. */
  confirmed_seconds: number | null
  last_event_id: number
  at: string
}

/**
 * Raises unless each employee, or any of the employee's logs, is in the scope. Raises also for the
 * caller's own days if `forbid_self_approval` is 1.
 */
const requireReviewable = prepare((p: Params<Reviewed & { scope: Scope }>) => {
  const id = sql`value ->> 'employee_id'`
  const isKnown = sql`EXISTS (SELECT 1 FROM ${employees} WHERE employee_id = ${id}
      AND ${isInScope(employees.branch_office, p.scope)})
    OR EXISTS (SELECT 1 FROM ${logs} WHERE employee_id = ${id}
      AND ${isInScope(logs.branch_office, p.scope)})`
  return qb
    .select({
      rule: raise(
        [sql`NOT min(${isKnown})`, 'UNKNOWN_EMPLOYEE'],
        [sql`${p.forbid_self_approval} AND max(${id} IS ${ownEmployeeId(p)})`, 'OWN_DAYS'],
      ),
    })
    .from(sql`json_each(${p.days})`)
})

const insertReviews = prepare((p: Params<Values>) =>
  insertSelect(
    day_reviews,
    {
      id: null,
      employee_id: sql`value ->> 'employee_id'`,
      day: sql`value ->> 'day'`,
      comment: p.comment,
      confirmed_seconds: p.confirmed_seconds,
      user_id: p.user_id,
      last_event_id: p.last_event_id,
      created_at: p.at,
    },
    sql`FROM json_each(${p.days})`,
  ),
)

interface Request {
  days: readonly DayOfPerson[]
  forbidSelfApproval: boolean
}

const reviewedIn = (db: AuthorizedDb, { days, forbidSelfApproval }: Request): Reviewed => ({
  days: JSON.stringify(days),
  forbid_self_approval: forbidSelfApproval ? 1 : 0,
  user_id: db.claims.userId,
})

/**
 * Checks that the caller may review days of these people. Returns the id of the newest event.
 * @throws DomainError UNKNOWN_EMPLOYEE, OWN_DAYS
 */
export const checkReviewable = async (db: AuthorizedDb, request: Request): Promise<number> => {
  const reviewed = reviewedIn(db, request)
  const { newest } = await db.batch((scope) => ({
    check: requireReviewable({ ...reviewed, scope }),
    newest: first(selectNewestEventId({})),
  }))
  return newest?.id ?? 0
}

/**
 * Stores reviews of days, all or nothing.
 * @throws DomainError UNKNOWN_EMPLOYEE, OWN_DAYS
 */
export const saveReviews = async (
  db: AuthorizedDb,
  request: Request,
  review: Omit<Values, keyof Reviewed>,
): Promise<void> => {
  const values = { ...reviewedIn(db, request), ...review }
  await db.batch((scope) => ({
    check: requireReviewable({ ...values, scope }),
    reviews: insertReviews(values),
  }))
}
