import { sql } from 'drizzle-orm'
import { employees } from '../tables/people.ts'
import { people_changes, users } from '../tables/users.ts'
import type { PEOPLE_SUBJECTS } from '../values/log-values.ts'
import type { AuthorizedDb } from './authorization.ts'
import { OPERATOR } from './caller.queries.ts'
import { insertSelect, type Params, prepare } from './query.ts'

type Value = string | number | boolean | readonly string[] | null

/** One field of a change. `before` is null for a new subject, and `after` for a deleted subject. */
export interface FieldChange {
  field: string
  before: Value
  after: Value
}

/** The subject is named by its id, or a user by `email_key`, because a new user has no id yet. */
export type PeopleChange = { changes: readonly FieldChange[] } & (
  | { subject: (typeof PEOPLE_SUBJECTS)[number]; subject_id: string }
  | { subject: 'user'; email_key: string }
)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields of a record that differ from the stored one. All fields if no record is stored. */
export const changesOf = <Field extends string>(
  fields: readonly Field[],
  record: Record<Field, FieldChange['after']>,
  stored: Record<Field, FieldChange['before']> | undefined,
): FieldChange[] =>
  fields
    .filter((field) => !stored || !isSame(record[field], stored[field]))
    .map((field) => ({ field, before: stored ? stored[field] : null, after: record[field] }))

export const changeOf = (
  subject: (typeof PEOPLE_SUBJECTS)[number],
  id: string | number,
  changes: readonly FieldChange[],
): PeopleChange => ({ subject, subject_id: String(id), changes })

/** A change to a moment, which says that something was done then. */
export const changeToMoment = (field: string, at: Date): FieldChange => ({
  field,
  before: null,
  after: at.toISOString(),
})

/**
 * The branches of a change: both branches of a move, or else the employee's branch. Null for a
 * user.
 */
const branchesOfChange = sql`iif(json_each.value ->> 'subject' = 'employee', coalesce(
  (SELECT json_group_array(side.value) FROM json_each(json_each.value -> 'changes') AS change,
      json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS side
    WHERE change.value ->> 'field' = 'branch_office' AND side.value IS NOT NULL
    HAVING count(*) > 0),
  (SELECT json_array(branch_office) FROM ${employees}
    WHERE employee_id = json_each.value ->> 'subject_id')), NULL)`

/** Inserts changes, given as a JSON array of `PeopleChange`. */
const insertChanges = prepare(
  (p: Params<{ changes: string; at: string; user_id: number | null }>) =>
    insertSelect(
      people_changes,
      {
        id: null,
        at: p.at,
        user_id: p.user_id,
        subject: sql`value ->> 'subject'`,
        subject_id: sql`coalesce(value ->> 'subject_id', CAST((SELECT id FROM ${users}
          WHERE email_key = value ->> 'email_key') AS TEXT))`,
        changes: sql`value -> 'changes'`,
        branches: branchesOfChange,
      },
      sql`FROM json_each(${p.changes})`,
    ),
)

/** The user who is recorded as the author of a change. Null for an operator's command. */
export const changedBy = ({ claims: { userId } }: AuthorizedDb): number | null =>
  userId === OPERATOR.userId ? null : userId

/** @param user_id the user who made the changes; null for an operator's command */
export const recordChanges = (
  changes: readonly PeopleChange[],
  at: string,
  user_id: number | null,
) => insertChanges({ changes: JSON.stringify(changes), at, user_id })
