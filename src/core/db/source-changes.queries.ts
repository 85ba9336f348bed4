import { type SQL, sql } from 'drizzle-orm'
import { log_events } from '../tables/logs.ts'
import { users } from '../tables/users.ts'
import type { SOURCE_SUBJECTS } from '../values/log-values.ts'
import { personEventRow } from './person-events.queries.ts'
import { insertSelect, type Params } from './query.ts'

/**
 * The changes of clocks, of other sources of logs, and of the company, with who made them. They are
 * stored as events `ruled` only, which are sealed.
 */

interface ChangedField {
  field: string
  /** JSON, or a value that json_object() takes as it is. */
  before: SQL
  after: SQL
}

/** JSON of a condition. Null if it is not known. */
export const jsonBoolean = (condition: SQL): SQL =>
  sql`json(CASE WHEN ${condition} THEN 'true' WHEN NOT ${condition} THEN 'false' END)`

/** A JSON list of the fields whose values differ. */
export const changesOfFields = (fields: readonly ChangedField[]): SQL =>
  sql`(SELECT json_group_array(json(change)) FROM (${sql.join(
    fields.map(
      ({ field, before, after }) =>
        sql`SELECT json_object('after', ${after}, 'before', ${before},
          'field', ${sql.raw(`'${field}'`)}) AS change WHERE ${before} IS NOT ${after}`,
    ),
    sql` UNION ALL `,
  )}))`

interface SourceChange {
  subject: (typeof SOURCE_SUBJECTS)[number] | SQL
  /** '' for the company. */
  source: SQL
  /** The clock's branch. Null for others. */
  branch: SQL
  /** A JSON list, as `changesOfFields` makes it. Nothing is recorded if it is empty. */
  changes: SQL
}

/** Records a change. It must come before the change itself in its transaction. */
export const insertSourceChange = (
  p: Params<{ user_id: number; at: string }>,
  { subject, source, branch, changes }: SourceChange,
) =>
  insertSelect(
    log_events,
    {
      ...personEventRow({
        event: sql`'ruled'`,
        closing_id: sql`NULL`,
        user_id: p.user_id,
        at: p.at,
        employee_id: sql`NULL`,
        details: sql`json_object('branch', given.branch, 'rule', given.subject, 'valid_from', NULL,
          'value', given.source || char(9) || given.changes)`,
      } as Parameters<typeof personEventRow>[0]),
      source: sql`given.source`,
      // An operator's command has no user.
      user_id: sql`(SELECT id FROM ${users} WHERE id = ${p.user_id})`,
      actor: sql`coalesce((SELECT actor_hash FROM ${users} WHERE id = ${p.user_id}), 'operator')`,
    },
    sql`FROM (SELECT ${typeof subject === 'string' ? sql.raw(`'${subject}'`) : subject} AS subject,
        ${source} AS source, ${branch} AS branch, ${changes} AS changes LIMIT -1) AS given
      WHERE given.changes <> '[]'`,
  )
