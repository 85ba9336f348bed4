import type { Scope } from './scope.ts'
import { NO_ZONES, type StoredZones } from './zones.ts'

/**
 * What an isolate remembers of a database. Scopes and zones decide which query is sent, so they
 * must be known beforehand. `AuthorizedDb.batch` checks that they are current. If they are
 * outdated, another round trip is needed.
 */
export interface Memory {
  /** The scopes of users, by user id. A user who is missing is expected to have no scope. */
  scopes: Map<number, string>
  zones: StoredZones
  /** The size of the database that D1 reported last. Undefined before the first batch. */
  bytes?: number
}

const SCOPES_MAX = 10_000

export const emptyMemory = (): Memory => ({ scopes: new Map(), zones: NO_ZONES })

const byBinding = new WeakMap<object, Memory>()

export const memoryOf = (binding: object): Memory => {
  const memory = byBinding.get(binding) ?? emptyMemory()
  byBinding.set(binding, memory)
  return memory
}

/** Tests call this when they replace the database. */
export const forgetDatabase = (binding: object): void => {
  byBinding.delete(binding)
}

export const rememberScope = ({ scopes }: Memory, userId: number, scope: Scope): void => {
  scopes.delete(userId)
  if (scope === null) return
  if (scopes.size >= SCOPES_MAX) scopes.clear()
  scopes.set(userId, scope)
}
