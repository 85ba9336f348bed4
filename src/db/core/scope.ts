import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * The branches whose people and logs alone a caller sees and decides, as the JSON list in
 * `users.scope_branches`; null for all branches.
 */
export type Scope = string | null

/** The branches of a scope; null for all. */
export const branchesOf = (scope: Scope): readonly string[] | null =>
  scope === null ? null : JSON.parse(scope)

/** The scopes that an isolate has seen, by user id. Users who are absent are expected to have none. */
export type KnownScopes = Map<number, string>

const MOST_KNOWN = 10_000

const knownByBinding = new WeakMap<object, KnownScopes>()

/**
 * What this isolate knows of a database. An index is chosen before the database is asked, so a query
 * needs the scope in advance; an outdated one costs a second round trip and nothing else.
 */
export const knownScopes = (binding: object): KnownScopes => {
  const scopes = knownByBinding.get(binding) ?? new Map()
  knownByBinding.set(binding, scopes)
  return scopes
}

export const rememberScope = (scopes: KnownScopes, userId: number, scope: Scope): void => {
  scopes.delete(userId)
  if (scope === null) return
  if (scopes.size >= MOST_KNOWN) scopes.clear()
  scopes.set(userId, scope)
}

/** Whether a branch is within a scope, for a statement that needs no index on branches. */
export const isInScope = (branch: AnyColumn | SQL, scope: SQL): SQL =>
  sql`(${scope} IS NULL OR ${branch} IN (SELECT value FROM json_each(${scope})))`
