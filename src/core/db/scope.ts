import { type SQL, sql } from 'drizzle-orm'
import { type Expression, expression } from './query.ts'

/**
 * The branches whose people and logs a caller may see and decide, as the JSON list in
 * `users.scope_branches`. Null for all branches.
 */
export type Scope = string | null

export const branchesOf = (scope: Scope): readonly string[] | null =>
  scope === null ? null : JSON.parse(scope)

/** Whether a branch is in a scope. SQLite cannot use an index on branches for this condition. */
export const isInScope = (branch: Expression, scope: SQL): SQL =>
  sql`(${scope} IS NULL OR ${expression(branch)} IN (SELECT value FROM json_each(${scope})))`
