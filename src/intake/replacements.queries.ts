import { type SQL, sql } from 'drizzle-orm'
import { fieldsOf, insertSelect, type Params, prepare } from '../core/db/query.ts'
import { randomSalt } from '../core/tables/columns.ts'
import { log_comments, attendance_logs as logs } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import type { LogKind } from '../core/values/log-values.ts'
import { lastServiceId } from './items.queries.ts'

/** Inserts logs with a comment, such as those that people add by hand. */

interface Commented {
  source: string
  comment: string
  user_id: number
  at: string
}

/**
 * The inserts of logs and of their comments. The comments come first, because a log's first event
 * copies its comment. Their foreign key to the log is checked only at the end of the transaction.
 * @param rows the logs: `key` from 0 on, `employee_id`, `kind`, `recorded_at` and `source_id`
 */
export const insertCommented = (p: Params<Commented>, rows: SQL) => {
  const id = sql`${lastServiceId} + 1 + given.key`
  const dated = { created_at: p.at, updated_at: p.at }
  const comments = insertSelect(
    log_comments,
    {
      ...{ id: null, log_id: id, user_id: p.user_id, comment: p.comment, salt: randomSalt },
      ...dated,
    },
    sql`FROM ${rows} AS given`,
  )
  const added = insertSelect(
    logs,
    {
      id,
      ...fieldsOf('e', 'employee_id', 'branch_office', 'department'),
      ...fieldsOf('given', 'kind', 'recorded_at', 'source_id'),
      status: 'pending',
      source: p.source,
      recorded_by: p.user_id,
      comment_id: sql`(SELECT max(id) FROM ${log_comments} WHERE log_id = ${id})`,
      ...dated,
    },
    sql`FROM ${rows} AS given JOIN ${employees} AS e ON e.employee_id = given.employee_id`,
  ).returning({ log_id: logs.id })
  return { comments, added }
}

/** @param p.items the logs as a JSON list */
const insertItems = (p: Params<Commented & { items: string }>) =>
  insertCommented(
    p,
    sql`(SELECT key, value ->> 'employee_id' AS employee_id, value ->> 'kind' AS kind,
      value ->> 'recorded_at' AS recorded_at, value ->> 'source_id' AS source_id
    FROM json_each(${p.items}))`,
  )

type Replacements = Commented & { items: string }
const insertItemComments = prepare((p: Params<Replacements>) => insertItems(p).comments)
const insertItemLogs = prepare((p: Params<Replacements>) => insertItems(p).added)

interface Replacement {
  source_id: string
  employee_id: string
  kind: LogKind
  recorded_at: string
}

/**
 * The statements that add logs by hand in place of logs that the same transaction rejects, each with
 * the same comment. The times have been judged already.
 */
export const insertReplacements = (
  replacements: readonly Replacement[],
  { user_id, ...values }: { comment: string; user_id: number; at: string },
) => {
  const items = JSON.stringify(replacements)
  const row = { ...values, items, user_id, source: `manual:${user_id}` }
  return { addedComments: insertItemComments(row), added: insertItemLogs(row) }
}
