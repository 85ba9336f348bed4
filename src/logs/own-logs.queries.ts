import { and, eq, ne, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { requireOwnEmployee } from '../core/db/own-employee.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import {
  hasAnyStatusAndKind,
  isLastDecision,
  ownEmployeeId,
  requestComment,
  visibleComment,
} from '../core/db/shared-expressions.ts'
import { log_comments, log_events, attendance_logs as logs } from '../core/tables/logs.ts'
import { periodIn } from '../core/values/period.ts'
import type { Zones } from '../core/values/time-zone.ts'
import { type LogFilter, withinScope } from './filter.queries.ts'

interface Period {
  user_id: number
  from: string
  before: string
  /** Only logs after this one of the caller's employee. Null for all. */
  after: number | null
}

const isOfCaller = (p: Params<Period>) => eq(logs.employee_id, ownEmployeeId(p))

/** @throws DomainError LOG_NOT_FOUND */
const requireOwnAfter = prepare((p: Params<Period>) =>
  raiseIf([
    sql`${p.after} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${logs} WHERE ${logs.id} = ${p.after} AND ${isOfCaller(p)})`,
    'LOG_NOT_FOUND',
  ]),
)

/** The index is named, because with old statistics SQLite may choose a different one. */
const ownLogs = (p: Params<Period>) => sql`(SELECT ${logs.id} AS id
  FROM ${logs} INDEXED BY attendance_logs_employee
  WHERE ${isOfCaller(p)}
    AND ${hasAnyStatusAndKind}
    AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
    AND (${p.after} IS NULL OR (${logs.recorded_at}, ${logs.id}) > (
      SELECT recorded_at, id FROM ${logs} AS previous WHERE previous.id = ${p.after}))) AS own`

const selectOwn = prepare((p: Params<Period>) =>
  qb
    .select({
      log_id: logs.id,
      status: logs.status,
      kind: logs.kind,
      recorded_at: logs.recorded_at,
      branch_office: logs.branch_office,
      received_at: sql<string>`${logs.created_at}`.as('received_at'),
      decided_at: sql<string | null>`${log_events.created_at}`.as('decided_at'),
      comment: visibleComment,
      request_comment: requestComment,
    })
    .from(ownLogs(p))
    .innerJoin(logs, eq(logs.id, sql`own.id`))
    .leftJoin(
      sql`${log_events} INDEXED BY log_events_log_id`,
      and(isLastDecision, ne(logs.status, sql`'pending'`)),
    )
    .leftJoin(log_comments, eq(log_comments.id, log_events.comment_id))
    .orderBy(logs.recorded_at, logs.id),
)

/**
 * The logs of the caller's own employee in a period, oldest first. Each log comes with its last
 * decision.
 * @throws DomainError NO_EMPLOYEE, or LOG_NOT_FOUND if there is no log `after` of the employee
 */
export const listOwnLogs = async (
  db: AuthorizedDb,
  periodOf: (zones: Zones) => Pick<LogFilter, 'from' | 'to'>,
  after: number | null,
) => {
  const user_id = db.claims.userId
  const { rows } = await db.batch((_, zones) => {
    const { from, before } = withinScope(periodOf(zones), null, zones)
    const values = { user_id, from, before, after }
    return {
      check: requireOwnEmployee({ user_id }),
      after: requireOwnAfter(values),
      rows: selectOwn(values),
    }
  })
  // The query has read the widest period of all branches. Each log must be in its own branch's
  // period.
  const period = periodOf(db.zones())
  return rows.filter(({ branch_office, recorded_at }) => {
    const { from, before } = periodIn(period, branch_office, db.zones())
    return recorded_at >= from && recorded_at < before
  })
}
