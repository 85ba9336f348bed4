import type { Scope } from './scope.ts'
import { NO_ZONES, type StoredZones } from './zones.ts'

/**
 * What this isolate knows about a database. An index and a period are chosen before the database is
 * asked, so a query needs the caller's scope and the branches' zones in advance. Each batch checks
 * both; outdated knowledge costs one more round trip.
 */
export interface Memory {
  /** The scopes of users, by id. Users who are absent are expected to have none. */
  scopes: Map<number, string>
  zones: StoredZones
}

const MOST_SCOPES = 10_000

export const emptyMemory = (): Memory => ({ scopes: new Map(), zones: NO_ZONES })

const byBinding = new WeakMap<object, Memory>()

/** The memory of a database, by its binding. */
export const memoryOf = (binding: object): Memory => {
  const memory = byBinding.get(binding) ?? emptyMemory()
  byBinding.set(binding, memory)
  return memory
}

/** For tests, which replace the database. */
export const forgetDatabase = (binding: object): void => {
  byBinding.delete(binding)
}

export const rememberScope = ({ scopes }: Memory, userId: number, scope: Scope): void => {
  scopes.delete(userId)
  if (scope === null) return
  if (scopes.size >= MOST_SCOPES) scopes.clear()
  scopes.set(userId, scope)
}
