import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import {
  employees,
  log_comments,
  attendance_logs as logs,
  randomSalt,
  users,
} from '../core/db/schema.ts'
import type { Scope } from '../core/db/scope.ts'
import type { LogKind } from '../core/log-values.ts'
import { isUnknownEmployee } from '../people/employees.queries.ts'
import { lastOwnId, logOfSecond } from './intake.queries.ts'

interface ManualLog {
  source: string
  source_id: string
  employee_id: string
  kind: LogKind
  /** UTC with milliseconds. */
  recorded_at: string
}

interface Values extends ManualLog {
  user_id: number
}

/** The id of the log with the same id in its source, or with the same employee, kind and second. */
const storedId = (p: Params<ManualLog>) => sql`coalesce(
  (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = ${p.source_id}),
  ${logOfSecond(p.employee_id, p.kind, p.recorded_at)})`

/** Raises unless the caller may add a log of this employee. */
const requireAddable = prepare((p: Params<Values & { forbid_own: number; scope: Scope }>) =>
  qb
    .select({
      rule: raise(
        [sql`${p.forbid_own} AND ${users.employee_id} = ${p.employee_id}`, 'OWN_LOG'],
        [isUnknownEmployee(p), 'UNKNOWN_EMPLOYEE'],
      ),
    })
    .from(users)
    .where(sql`${users.id} = ${p.user_id}`),
)

const selectStored = prepare((p: Params<ManualLog>) =>
  qb.select({ log_id: sql<number | null>`${storedId(p)}`.as('log_id') }).from(sql`(SELECT 1)`),
)

/**
 * Inserts the comment before its log, because the log's first event copies it. The foreign key to
 * the log is checked only at the end of the transaction.
 */
const insertComment = prepare((p: Params<Values & { comment: string; at: string }>) =>
  insertSelect(
    log_comments,
    {
      id: null,
      log_id: sql`${lastOwnId} + 1`,
      user_id: p.user_id,
      comment: p.comment,
      salt: randomSalt,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`WHERE ${storedId(p)} IS NULL`,
  ),
)

const insertLog = prepare((p: Params<Values & { at: string }>) =>
  insertSelect(
    logs,
    {
      id: sql`${lastOwnId} + 1`,
      employee_id: sql`employee_id`,
      kind: p.kind,
      recorded_at: p.recorded_at,
      status: sql`'pending'`,
      source: p.source,
      source_id: p.source_id,
      branch_office: sql`branch_office`,
      department: sql`department`,
      recorded_by: p.user_id,
      comment_id: sql`(SELECT max(id) FROM ${log_comments} WHERE log_id = ${lastOwnId} + 1)`,
      created_at: p.at,
      updated_at: p.at,
    },
    sql`FROM ${employees} WHERE employee_id = ${p.employee_id} AND ${storedId(p)} IS NULL`,
  ).returning({ log_id: logs.id }),
)

/**
 * Adds a log with its comment, in one transaction. Returns the id of the new log as `created`, or
 * the id of the existing one as `stored`.
 * @throws DomainError OWN_LOG or UNKNOWN_EMPLOYEE
 */
export const saveManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  { comment, forbidOwn, at }: { comment: string; forbidOwn: boolean; at: string },
) => {
  const values = { ...log, user_id: db.claims.userId, comment, at, forbid_own: forbidOwn ? 1 : 0 }
  const [, [stored], , [created]] = await db.batch((scope) => [
    requireAddable({ ...values, scope }),
    selectStored(values),
    insertComment(values),
    insertLog(values),
  ])
  return { created: created?.log_id, stored: stored?.log_id ?? undefined }
}
