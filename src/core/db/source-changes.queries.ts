import { type SQL, sql } from 'drizzle-orm'
import { log_events } from '../tables/logs.ts'
import { users } from '../tables/users.ts'
import type { SOURCE_SUBJECTS } from '../values/log-values.ts'
import { personEventRow } from './person-events.queries.ts'
import { fieldsOf, insertSelect, literal, type Params } from './query.ts'

/**
 * The changes of clocks, of other sources of logs, and of the company, with who made them. They are
 * stored as events `ruled` only, which are sealed.
 */

interface ChangedField {
  field: string
  /** JSON, or a value that json_object() takes as it is. */
  before: SQL | null
  after: SQL | null
}

/** JSON of a condition. Null if it is not known. */
export const jsonBoolean = (condition: SQL): SQL =>
  sql`json(CASE WHEN ${condition} THEN 'true' WHEN NOT ${condition} THEN 'false' END)`

/** A JSON list of the fields whose values differ. */
export const changesOfFields = (fields: readonly ChangedField[]): SQL => {
  const rows = fields.map((change) => {
    const [field, before, after] = [change.field, change.before, change.after].map(literal)
    return sql`SELECT json_object('after', ${after}, 'before', ${before}, 'field', ${field}) AS change
      WHERE ${before} IS NOT ${after}`
  })
  return sql`(SELECT json_group_array(json(change)) FROM (${sql.join(rows, sql.raw(' UNION ALL '))}))`
}

interface SourceChange {
  subject: (typeof SOURCE_SUBJECTS)[number] | SQL
  /** '' for the company. */
  source: SQL | ''
  /** The clock's branch. Null for others. */
  branch: SQL | null
  /** A JSON list, as `changesOfFields` makes it. Nothing is recorded if it is empty. */
  changes: SQL
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
        ${literal(branch)} AS branch, ${changes} AS changes LIMIT -1) AS given
      LEFT JOIN ${users} AS author ON author.id = ${p.user_id}
      WHERE given.changes <> '[]'`,
  )
