import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { LOG_KINDS, LOG_STATUSES } from '../../shared/log-values.ts'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { raise } from '../core/rules.ts'
import { fullName } from '../core/shown.ts'
import {
  employees,
  isOneOf,
  log_events,
  attendance_logs as logs,
  period_closings,
  users,
} from '../schema.ts'

export interface Closing {
  /** The first day that stays open: a local date, and its start in UTC. */
  before: string
  before_at: string
  /** Null for everybody. */
  payroll_group: string | null
  comment: string | null
  time_zone: string
  max_shift_hours: number
}

const newestOfAll = sql`coalesce((SELECT max(id) FROM ${period_closings}
  WHERE payroll_group IS NULL), 0)`

/** The id of the closing that rules for a group: the newest of it and of everybody; 0 for none. */
export const rulingClosing = (group: SQL): SQL => sql`max(${newestOfAll},
  coalesce((SELECT max(id) FROM ${period_closings} WHERE payroll_group = ${group}), 0))`

/**
 * Whether a closing locks a log: the rule of the trigger `attendance_logs_locked`. Columns are named
 * with their table: Drizzle drops it in the selection of a single table.
 */
export const isLocked = sql<number>`EXISTS (SELECT 1 FROM ${period_closings} AS closing
  WHERE closing.id = ${rulingClosing(sql`${logs}.payroll_group`)}
    AND ${logs}.recorded_at < closing.before_at
    AND (SELECT to_status FROM ${log_events} WHERE log_id = ${logs}.id
      AND id <= closing.last_event_id ORDER BY id DESC LIMIT 1) <> 'pending')`

/** The latest day of the closings that a new one replaces; a closing for everybody replaces all. */
const replacedDay = (group: SQL): SQL => sql`(SELECT max(c.before) FROM ${period_closings} AS c
  WHERE CASE WHEN ${group} IS NULL THEN c.id >= ${newestOfAll} AND c.id = (
      SELECT max(id) FROM ${period_closings} WHERE payroll_group IS c.payroll_group)
    ELSE c.id = ${rulingClosing(group)} END)`

type GroupParams = Params<Pick<Closing, 'payroll_group' | 'before_at'>>

const pendingLogs = (p: GroupParams): SQL => sql`${logs} INDEXED BY attendance_logs_all
  WHERE ${logs.status} = 'pending' AND ${isOneOf(logs.kind, LOG_KINDS)}
    AND ${logs.recorded_at} < ${p.before_at}
    AND (${p.payroll_group} IS NULL OR ${logs.payroll_group} = ${p.payroll_group})`

/** A group whose last employee has moved still has logs: those of the two months before the day. */
const recentLogs = (p: GroupParams): SQL => sql`${logs} INDEXED BY attendance_logs_all
  WHERE ${isOneOf(logs.status, LOG_STATUSES)} AND ${isOneOf(logs.kind, LOG_KINDS)}
    AND ${logs.recorded_at} >= strftime('%Y-%m-%dT%H:%M:%fZ', ${p.before_at}, '-62 days')
    AND ${logs.recorded_at} < ${p.before_at} AND ${logs.payroll_group} = ${p.payroll_group}`

interface ClosingParams extends Closing {
  user_id: number
  leave_pending: number
  at: string
}

/** Raises unless this period may be closed. */
const requireClosable = prepare((p: Params<ClosingParams>) =>
  qb
    .select({
      rule: raise(
        [
          sql`${p.payroll_group} <> ''
          AND NOT EXISTS (SELECT 1 FROM ${employees} WHERE payroll_group = ${p.payroll_group})
          AND NOT EXISTS (SELECT 1 FROM ${period_closings} WHERE payroll_group = ${p.payroll_group})
          AND NOT EXISTS (SELECT 1 FROM ${recentLogs(p)})`,
          'closing:GROUP',
        ],
        [
          sql`${p.comment} IS NULL AND ${replacedDay(p.payroll_group)} > ${p.before}`,
          'closing:COMMENT',
        ],
        [
          sql`NOT ${p.leave_pending} AND EXISTS (SELECT 1 FROM ${pendingLogs(p)})`,
          'closing:PENDING',
        ],
      ),
    })
    .from(sql`(SELECT 1)`),
)

const insertClosing = prepare((p: Params<ClosingParams>) =>
  qb
    .insert(period_closings)
    .values({
      before: p.before,
      before_at: p.before_at,
      payroll_group: p.payroll_group,
      user_id: p.user_id,
      comment: p.comment,
      last_event_id: sql`coalesce((SELECT max(id) FROM ${log_events}), 0)`,
      time_zone: p.time_zone,
      max_shift_hours: p.max_shift_hours,
      created_at: p.at,
    })
    .returning({ id: period_closings.id }),
)

const shownClosing = {
  id: sql<number>`${period_closings.id}`.as('closing_id'),
  before: period_closings.before,
  payroll_group: period_closings.payroll_group,
  user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
  comment: period_closings.comment,
  last_event_id: period_closings.last_event_id,
  created_at: period_closings.created_at,
}

const selectClosings = prepare((p: Params<{ limit: number }>) =>
  qb
    .select(shownClosing)
    .from(period_closings)
    .innerJoin(users, sql`${users.id} = ${period_closings.user_id}`)
    .orderBy(sql`${period_closings.id} DESC`)
    .limit(p.limit),
)

/** The day of the closing before: the newest then of its group or of everybody. */
const previousDay = sql<string | null>`(SELECT earlier.before FROM ${period_closings} AS earlier
  WHERE earlier.id < ${period_closings}.id AND (earlier.payroll_group IS NULL
    OR earlier.payroll_group IS ${period_closings}.payroll_group) ORDER BY earlier.id DESC LIMIT 1)`

const selectClosing = prepare((p: Params<{ id: number }>) =>
  qb
    .select({ ...getTableColumns(period_closings), previous_day: previousDay.as('previous_day') })
    .from(period_closings)
    .where(sql`${period_closings.id} = ${p.id}`),
)

const selectTimes = prepare(() =>
  qb
    .select({
      id: period_closings.id,
      before_at: period_closings.before_at,
      payroll_group: period_closings.payroll_group,
      created_at: period_closings.created_at,
    })
    .from(period_closings)
    .orderBy(period_closings.id),
)

const countPending = prepare((p: GroupParams) =>
  qb.select({ count: sql<number>`count(*)`.as('count') }).from(pendingLogs(p)),
)

/**
 * Closes a period, in one transaction.
 * @throws RuleError closing:GROUP, closing:COMMENT or closing:PENDING
 */
export const insertPeriodClosing = async (
  db: AuthorizedDb,
  closing: Closing,
  { leavePending, at }: { leavePending: boolean; at: string },
) => {
  const user_id = db.claims.userId
  const values = { ...closing, user_id, leave_pending: leavePending ? 1 : 0, at }
  const [, , [created]] = await db.batchOfAllBranches(
    requireClosable(values),
    insertClosing(values),
    selectClosings({ limit: 1 }),
  )
  return created
}

/** The newest closings, newest first. */
export const listClosings = async (db: AuthorizedDb, limit: number) =>
  (await db.batchOfAllBranches(selectClosings({ limit })))[0]

/** A closing with its settings. */
export const findClosing = async (db: AuthorizedDb, id: number) =>
  (await db.batchOfAllBranches(selectClosing({ id })))[0][0]

export type StoredClosing = NonNullable<Awaited<ReturnType<typeof findClosing>>>

/** When each period was closed, and for whom: what arrived later was late. */
export const listClosingTimes = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches(selectTimes({})))[0]

export type ClosingTime = Awaited<ReturnType<typeof listClosingTimes>>[number]

/** How many logs of a group lie before a moment and wait for a decision. */
export const countPendingBefore = async (
  db: AuthorizedDb,
  values: Pick<Closing, 'payroll_group' | 'before_at'>,
) => (await db.batchOfAllBranches(countPending(values)))[0][0]?.count ?? 0
