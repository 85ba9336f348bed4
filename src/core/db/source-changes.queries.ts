import { type SQL, sql } from 'drizzle-orm'
import { log_events } from '../tables/logs.ts'
import { users } from '../tables/users.ts'
import type { SOURCE_SUBJECTS } from '../values/log-values.ts'
import { personEventRow } from './person-events.queries.ts'
import { fieldsOf, insertSelect, literal, type Params, UNION_ALL } from './query.ts'

/**
 * The changes of clocks, of other sources of logs, and of the company, with who made them. They are
 * stored as events `ruled` only, which are sealed.
 */

/** JSON of a condition. Null if it is not known. */
export const jsonBoolean = (condition: SQL): SQL =>
  sql`json(CASE WHEN ${condition} THEN 'true' WHEN NOT ${condition} THEN 'false' END)`

/** Of each field, its value before and after: JSON, or a value that json_object() takes as it is. */
export type ChangedFields = Record<string, readonly [before: SQL | null, after: SQL | null]>

/** A JSON list of the fields whose values differ. */
const changesOf = (fields: ChangedFields): SQL => {
  const rows = Object.entries(fields).map(([name, values]) => {
    const [field, before, after] = [name, ...values].map(literal)
    return sql`SELECT json_object('after', ${after}, 'before', ${before}, 'field', ${field}) AS change
      WHERE ${before} IS NOT ${after}`
  })
  return sql`(SELECT json_group_array(json(change)) FROM (${sql.join(rows, UNION_ALL)}))`
}

interface SourceChange {
  subject: (typeof SOURCE_SUBJECTS)[number] | SQL
  /** '' for the company. */
  source: SQL | ''
  /** The clock's branch. Null for others. */
  branch: SQL | null
  /** Nothing is recorded if no field changes. */
  changes: ChangedFields
}

/**
 * Records a change. It must come before the change itself in its transaction. An operator's command
 * has no user.
 */
export const insertSourceChange = (
  p: Params<{ user_id: number; at: string }>,
  { subject, source, branch, changes }: SourceChange,
) =>
  insertSelect(
    log_events,
    {
      ...personEventRow({
        event: 'ruled',
        closing_id: null,
        user_id: sql`author.id`,
        at: p.at,
        employee_id: null,
        details: sql`json_object('branch', given.branch, 'rule', given.subject, 'valid_from', NULL,
          'value', given.source || char(9) || given.changes)`,
      }),
      ...fieldsOf('given', 'source'),
      actor: sql`coalesce(author.actor_hash, 'operator')`,
    },
    sql`FROM (SELECT ${literal(subject)} AS subject, ${literal(source)} AS source,
        ${literal(branch)} AS branch, ${changesOf(changes)} AS changes LIMIT -1) AS given
      LEFT JOIN ${users} AS author ON author.id = ${p.user_id}
      WHERE given.changes <> '[]'`,
  )
