import { eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { FieldChange } from '../core/db/people-changes.queries.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName } from '../core/db/shared-expressions.ts'
import { log_events } from '../core/tables/logs.ts'
import { people_changes, users } from '../core/tables/users.ts'
import {
  type CHANGE_SUBJECTS,
  PEOPLE_SUBJECTS,
  type SOURCE_SUBJECTS,
} from '../core/values/log-values.ts'

/** Whether the branch, or both branches of a move, are in the scope. */
const isWithinScope = (scope: SQL) => sql`(${scope} IS NULL OR (
  ${people_changes.branches} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(${people_changes.branches}) WHERE NOT ${isInScope(sql`value`, scope)})))`

interface ChangesPage {
  after: number
  limit: number
  /** The id of one employee or user. Null for all. */
  subject_id: string | null
}

const selectChanges = prepare((p: Params<ChangesPage & { subject: string; scope: Scope }>) =>
  qb
    .select({
      id: people_changes.id,
      at: people_changes.at,
      user: { id: sql<number>`${users.id}`.as('changed_by'), full_name: fullName.as('full_name') },
      subject: people_changes.subject,
      subject_id: people_changes.subject_id,
      changes: people_changes.changes,
    })
    .from(people_changes)
    .leftJoin(users, eq(users.id, people_changes.user_id))
    .where(
      sql`${people_changes.id} > ${p.after} AND ${people_changes.subject} = ${p.subject}
        AND (${p.subject_id} IS NULL OR ${people_changes.subject_id} = ${p.subject_id})
        AND ${isWithinScope(p.scope)}`,
    )
    .orderBy(people_changes.id)
    .limit(p.limit),
)

/** The sealed event of a change, and the JSON list of its changes, which follows the source. */
const changeEvent = sql`(SELECT id, created_at, user_id, source, details ->> 'rule' AS rule,
    details ->> 'branch' AS branch,
    substr(details ->> 'value', length(source) + 2) AS changes
  FROM ${log_events} INDEXED BY log_events_source
  WHERE event = 'ruled' AND source IS NOT NULL LIMIT -1) AS event`

/** Whether the clock's branch, or both branches of a move, are in the scope. */
const isClockInScope = (scope: SQL) => sql`(${scope} IS NULL OR (event.branch IS NOT NULL
  AND ${isInScope(sql`event.branch`, scope)}
  AND NOT EXISTS (SELECT 1 FROM json_each(event.changes) AS change,
      json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS side
    WHERE change.value ->> 'field' = 'branch_office' AND side.value IS NOT NULL
      AND NOT ${isInScope(sql`side.value`, scope)})))`

/** They have the columns of `selectChanges`. */
const selectSourceChanges = prepare((p: Params<ChangesPage & { subject: string; scope: Scope }>) =>
  qb
    .select({
      id: sql<number>`event.id`.as('event_id'),
      at: sql<string>`event.created_at`.as('changed_at'),
      user: { id: sql<number>`${users.id}`.as('changed_by'), full_name: fullName.as('full_name') },
      subject: sql<(typeof SOURCE_SUBJECTS)[number]>`event.rule`.as('rule'),
      subject_id: sql<string>`event.source`.as('source'),
      changes: sql<string>`event.changes`.as('changed_fields'),
    })
    .from(changeEvent)
    .leftJoin(users, sql`${users.id} = event.user_id`)
    .where(
      sql`event.id > ${p.after} AND event.rule = ${p.subject}
        AND (${p.subject_id} IS NULL OR event.source = ${p.subject_id})
        AND ${isClockInScope(p.scope)}`,
    )
    .orderBy(sql`event.id`)
    .limit(p.limit),
)

type ChangeSubject = (typeof CHANGE_SUBJECTS)[number]

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
  return rows.map(({ user, changes, ...row }) => ({
    ...row,
    user: user?.id == null ? null : user,
    changes: (changes === '' ? [] : JSON.parse(changes)) as FieldChange[],
  }))
}
