import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  fieldsOf,
  first,
  insertSelect,
  type Params,
  prepare,
  qb,
  valuesOf,
} from '../../core/db/query.ts'
import { raise, raiseIf } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { newestEventId, ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { day_reviews } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import { type StatusChange, statusStatements } from '../../logs/log-status.queries.ts'

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
  /** A JSON array of the roles that may decide logs. Null if the review approves none. */
  decide_roles: string | null
  forbid_self_approval: number
  user_id: number
}

interface Values extends Reviewed {
  comment: string | null
  /** The seconds that the caller confirms for the only day. Null if none were given. */
  confirmed_seconds: number | null
  /** The newest event that the review has seen. Null for the newest of all. */
  last_event_id: number | null
  at: string
}

/**
 * Raises if the caller's role may not decide the logs that the review approves. Raises unless each employee, or any of the employee's logs, is in the scope. Raises also for the
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
        [
          sql`${p.decide_roles} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${users}
            WHERE ${users.id} = ${p.user_id}
              AND ${users.role} IN ${valuesOf(p.decide_roles)})`,
          'FORBIDDEN',
        ],
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
      ...fieldsOf('given', 'employee_id', 'day'),
      comment: p.comment,
      confirmed_seconds: p.confirmed_seconds,
      user_id: p.user_id,
      last_event_id: sql`coalesce(${p.last_event_id}, ${newestEventId})`,
      created_at: p.at,
    },
    sql`FROM (SELECT value ->> 'employee_id' AS employee_id, value ->> 'day' AS day
      FROM json_each(${p.days})) AS given`,
  ),
)

/** Raises if a log of one of these people has changed since an event. */
const requireUnmoved = prepare((p: Params<{ days: string; since: number }>) =>
  raiseIf([
    sql`EXISTS (SELECT 1 FROM json_each(${p.days}) CROSS JOIN ${log_events} AS event
      ON event.employee_id = value ->> 'employee_id' AND event.id > ${p.since})`,
    'STATUS_MOVED',
  ]),
)

/** The pending logs of the only reviewed day that the review approves. */
export interface Approval {
  logIds: readonly number[]
  change: StatusChange
  /** The roles that may decide logs. */
  decideRoles: readonly string[]
}

interface Request {
  days: readonly DayOfPerson[]
  forbidSelfApproval: boolean
  approval: Approval | undefined
}

const reviewedIn = (
  db: AuthorizedDb,
  { days, forbidSelfApproval, approval }: Request,
): Reviewed => ({
  days: JSON.stringify(days),
  decide_roles: approval ? JSON.stringify(approval.decideRoles) : null,
  forbid_self_approval: forbidSelfApproval ? 1 : 0,
  user_id: db.claims.userId,
})

/**
 * Checks that the caller may review days of these people. Returns the id of the newest event.
 * @throws DomainError FORBIDDEN, UNKNOWN_EMPLOYEE, OWN_DAYS
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
 * Stores reviews of days, all or nothing. With an approval, the logs are approved first, and the
 * review has seen the events of that.
 * @throws DomainError FORBIDDEN, UNKNOWN_EMPLOYEE, OWN_DAYS, and the errors of `saveStatuses`
 */
export const saveReviews = async (
  db: AuthorizedDb,
  request: Request,
  review: Omit<Values, keyof Reviewed | 'last_event_id'> & { last_event_id: number },
): Promise<void> => {
  const values = { ...reviewedIn(db, request), ...review }
  const { approval } = request
  const { user_id, days, last_event_id: since } = values
  await db.batch((scope) => ({
    check: requireReviewable({ ...values, scope }),
    unmoved: approval && requireUnmoved({ days, since }),
    ...(approval && statusStatements(approval.logIds, approval.change, { user_id, scope })),
    reviews: insertReviews(approval ? { ...values, last_event_id: null } : values),
  }))
}
