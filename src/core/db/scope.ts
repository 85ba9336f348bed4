import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * The branches whose people and logs a caller may see and decide: the JSON list in
 * `users.scope_branches`; null for all branches.
 */
export type Scope = string | null

/** The branches of a scope; null for all. */
export const branchesOf = (scope: Scope): readonly string[] | null =>
  scope === null ? null : JSON.parse(scope)

/** Whether a branch is within a scope, for a statement that needs no index on branches. */
export const isInScope = (branch: AnyColumn | SQL, scope: SQL): SQL =>
  sql`(${scope} IS NULL OR ${branch} IN (SELECT value FROM json_each(${scope})))`
