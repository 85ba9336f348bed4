import { sql } from 'drizzle-orm'
import type { LogKind } from '../../shared/log-values.ts'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { isInScope, type Scope } from '../core/scope.ts'
import { employees, log_comments, attendance_logs as logs, randomSalt, users } from '../schema.ts'
import { lastOwnId, logOfSecond } from './intake.ts'

export interface ManualLog {
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

/** The stored log of the same id, else of the same employee, kind and second. */
const known = (p: Params<ManualLog>) => sql`coalesce(
  (SELECT id FROM ${logs} WHERE source = ${p.source} AND source_id = ${p.source_id}),
  ${logOfSecond(p.employee_id, p.kind, p.recorded_at)})`

/** Raises, and so aborts the batch, unless the caller may add a log of this employee. */
const requireAddable = prepare((p: Params<Values & { forbid_own: number; scope: Scope }>) =>
  qb
    .select({
      addable: sql`json_extract('{}', CASE
        WHEN ${p.forbid_own} AND ${users.employee_id} = ${p.employee_id} THEN 'log:OWN'
        WHEN NOT EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = ${p.employee_id}
          AND ${isInScope(employees.branch_office, p.scope)}) THEN 'log:NO_EMPLOYEE'
        ELSE '$' END)`.as('addable'),
    })
    .from(users)
    .where(sql`${users.id} = ${p.user_id}`),
)

const selectKnown = prepare((p: Params<ManualLog>) =>
  qb.select({ log_id: sql<number | null>`${known(p)}`.as('log_id') }).from(sql`(SELECT 1)`),
)

/** Before the log, whose first event copies it: the foreign key is checked at the end. */
const insertComment = prepare((p: Params<Values & { comment: string; at: string }>) =>
  qb.insert(log_comments).select(
    sql`SELECT NULL, ${lastOwnId} + 1, ${p.user_id}, ${p.comment}, ${randomSalt},
      ${p.at}, ${p.at} WHERE ${known(p)} IS NULL`,
  ),
)

const insertLog = prepare((p: Params<Values & { at: string }>) =>
  qb
    .insert(logs)
    .select(
      sql`SELECT ${lastOwnId} + 1, employee_id, ${p.kind}, ${p.recorded_at}, 'pending', ${p.source},
        ${p.source_id}, branch_office, department, payroll_group, ${p.user_id},
        (SELECT max(id) FROM ${log_comments} WHERE log_id = ${lastOwnId} + 1), ${p.at}, ${p.at}
      FROM ${employees} WHERE employee_id = ${p.employee_id} AND ${known(p)} IS NULL`,
    )
    .returning({ log_id: logs.id }),
)

const REJECTED = /\blog:(OWN|NO_EMPLOYEE)\b/

/**
 * Adds a log with its comment, in one transaction. Returns its id, or that of the log that is stored
 * already; or why the caller may not add it.
 */
export const saveManualLog = async (
  db: AuthorizedDb,
  log: ManualLog,
  { comment, forbidOwn, at }: { comment: string; forbidOwn: boolean; at: string },
) => {
  const values = { ...log, user_id: db.claims.userId, comment, at, forbid_own: forbidOwn ? 1 : 0 }
  try {
    const [, [before], , [created]] = await db.batchInScope((scope) => [
      requireAddable({ ...values, scope }),
      selectKnown(values),
      insertComment(values),
      insertLog(values),
    ])
    return { created: created?.log_id, known: before?.log_id ?? undefined }
  } catch (error) {
    const [, rejected] = REJECTED.exec(error instanceof Error ? error.message : '') ?? []
    if (!rejected) throw error
    return { rejected: rejected as 'OWN' | 'NO_EMPLOYEE' }
  }
}
