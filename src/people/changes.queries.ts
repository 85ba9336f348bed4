import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { FieldChange } from '../core/db/people-changes.queries.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName } from '../core/db/shared-expressions.ts'
import { columns, number, orNull, text } from '../core/db/text-query.ts'
import { log_events } from '../core/tables/logs.ts'
import { people_changes, users } from '../core/tables/users.ts'
import { type CHANGE_SUBJECTS, PEOPLE_SUBJECTS } from '../core/values/log-values.ts'

/** Whether the branch, or both branches of a move, are in the scope. */
const isWithinScope = (scope: SQL) => sql`(${scope} IS NULL OR (
  ${people_changes.branches} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(${people_changes.branches}) WHERE NOT ${isInScope('value', scope)})))`

interface ChangesPage {
  after: number
  limit: number
  /** The id of one employee or user. Null for all. */
  subject_id: string | null
}

type ChangeSubject = (typeof CHANGE_SUBJECTS)[number]

/** A change as both statements select it. */
const changeColumns = {
  id: number,
  at: text,
  user_id: orNull(number),
  full_name: orNull(text),
  subject: (subject: unknown) => subject as ChangeSubject,
  subject_id: text,
  changes: text,
}

const selectChanges = prepare((p: Params<ChangesPage & { subject: string; scope: Scope }>) =>
  qb
    .select(columns(changeColumns))
    .from(sql`(SELECT ${people_changes.id}, at, ${users.id} AS user_id, ${fullName} AS full_name, subject,
        subject_id, changes
      FROM ${people_changes} LEFT JOIN ${users} ON ${users.id} = ${people_changes.user_id}
      WHERE ${people_changes.id} > ${p.after} AND subject = ${p.subject}
        AND (${p.subject_id} IS NULL OR subject_id = ${p.subject_id}) AND ${isWithinScope(p.scope)}
      ORDER BY ${people_changes.id} LIMIT ${p.limit})`),
)

/** The sealed event of a change, and the JSON list of its changes, which follows the source. */
const changeEvent = sql`(SELECT id, created_at, user_id, source, details ->> 'rule' AS rule,
    details ->> 'branch' AS branch,
    substr(details ->> 'value', length(source) + 2) AS changes
  FROM ${log_events} INDEXED BY log_events_source
  WHERE event = 'ruled' AND source IS NOT NULL LIMIT -1) AS event`

/** Whether the clock's branch, or both branches of a move, are in the scope. */
const isClockInScope = (scope: SQL) => sql`(${scope} IS NULL OR (event.branch IS NOT NULL
  AND ${isInScope('event.branch', scope)}
  AND NOT EXISTS (SELECT 1 FROM json_each(event.changes) AS change,
      json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS side
    WHERE change.value ->> 'field' = 'branch_office' AND side.value IS NOT NULL
      AND NOT ${isInScope('side.value', scope)})))`

const selectSourceChanges = prepare((p: Params<ChangesPage & { subject: string; scope: Scope }>) =>
  qb
    .select(columns(changeColumns))
    .from(sql`(SELECT event.id, event.created_at AS at, ${users.id} AS user_id, ${fullName} AS full_name,
        event.rule AS subject, event.source AS subject_id, event.changes
      FROM ${changeEvent} LEFT JOIN ${users} ON ${users.id} = event.user_id
      WHERE event.id > ${p.after} AND event.rule = ${p.subject}
        AND (${p.subject_id} IS NULL OR event.source = ${p.subject_id}) AND ${isClockInScope(p.scope)}
      ORDER BY event.id LIMIT ${p.limit})`),
)

const selectorOf = (subject: ChangeSubject) =>
  (PEOPLE_SUBJECTS as readonly string[]).includes(subject) ? selectChanges : selectSourceChanges

/**
 * A page of the changes of a subject within the caller's scope, oldest first. Those of users have no
 * branch. It begins after the change with the id `page.after`. The changes of a forgotten person are
 * empty.
 */
export const listChanges = async (db: AuthorizedDb, subject: ChangeSubject, page: ChangesPage) => {
  const select = selectorOf(subject)
  const { rows } =
    subject === 'user'
      ? await db.batchOfAllBranches({ rows: select({ ...page, subject, scope: null }) })
      : await db.batch((scope) => ({ rows: select({ ...page, subject, scope }) }))
  return rows.map(({ user_id, full_name, changes, ...row }) => ({
    ...row,
    user: user_id === null ? null : { id: user_id, full_name: full_name ?? '' },
    changes: (changes === '' ? [] : JSON.parse(changes)) as FieldChange[],
  }))
}
