import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** The branch whose logs alone an approver sees and decides; null for all branches. */
export type Scope = string | null

/** The scopes that an isolate has seen, by user id. Users who are absent are expected to have none. */
export type KnownScopes = Map<number, string>

const MOST_KNOWN = 10_000

const knownByBinding = new WeakMap<object, KnownScopes>()

/**
 * What this isolate knows of a database. An index is chosen before the database is asked, so a query
 * needs the scope in advance; an outdated one costs a second round trip and nothing else.
 */
export const knownScopes = (binding: object): KnownScopes => {
  const known = knownByBinding.get(binding) ?? new Map()
  knownByBinding.set(binding, known)
  return known
}

export const rememberScope = (known: KnownScopes, userId: number, scope: Scope): void => {
  known.delete(userId)
  if (scope === null) return
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(userId, scope)
}

/** Whether a branch is within a scope, for a statement that needs no index on branches. */
export const isInScope = (branch: AnyColumn, scope: SQL): SQL =>
  sql`(${scope} IS NULL OR ${branch} = ${scope})`
