import type { ZoneRule } from '../values/time-zone.ts'
import type { D1 } from './query.ts'
import type { Scope } from './scope.ts'

/** The round trips of one request, and what their results reported. */
export interface DatabaseStats {
  roundTrips: number
  /** The size of the database in bytes. Undefined until a result has reported it. */
  bytes?: number
}

const recordStats = (
  source: Pick<D1Database, 'prepare' | 'batch'>,
  { binding, stats }: { binding: D1Database; stats: DatabaseStats },
): D1 => ({
  prepare: (text) => source.prepare(text),
  batch: (statements) => source.batch(statements),
  onRoundTrip: () => {
    stats.roundTrips++
  },
  onSize: (bytes) => {
    stats.bytes = bytes
    memoryOf(binding).bytes = bytes
  },
})

/** Reads and writes the primary, so that callers see their own writes and revocations. */
export const primary = (binding: D1Database, stats: DatabaseStats = { roundTrips: 0 }): D1 =>
  recordStats(binding, { binding, stats })

/**
 * Reads the nearest replica, which may lag behind the primary. It is for data that apps read at
 * launch and that rarely changes.
 */
export const nearestReplica = (binding: D1Database, stats: DatabaseStats): D1 =>
  recordStats(binding.withSession('first-unconstrained'), { binding, stats })

export interface StoredZones {
  /** The id of the newest rule. */
  version: number
  rules: readonly ZoneRule[]
}

/** The rule that the migrations add. A new isolate assumes it, until a batch finds another version. */
const FIRST_ZONES: StoredZones = {
  version: 1,
  rules: [{ branch_office: null, valid_from: '', time_zone: 'America/Mexico_City' }],
}

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

export const emptyMemory = (): Memory => ({ scopes: new Map(), zones: FIRST_ZONES })

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

/** From this share of DB_LIMIT_MB on, log lines and /health warn. */
const WARN_AT = 0.8

/**
 * From this share on, requests that add logs, people or texts get a 507, so that decisions and
 * closings have room.
 */
const FULL_AT = 0.97

interface Limit {
  DB_LIMIT_MB: number
}

export const limitBytes = ({ DB_LIMIT_MB }: Limit): number => DB_LIMIT_MB * 1_000_000

/** The size in bytes from which the database counts as full. */
export const fullBytes = (limit: Limit): number => FULL_AT * limitBytes(limit)

/** A warning about the size of the database. Undefined while it has room. */
export const sizeWarning = (bytes: number, limit: Limit) => {
  const share = bytes / limitBytes(limit)
  if (share < WARN_AT) return undefined
  const text = `the database is at ${Math.floor(share * 100)} % of DB_LIMIT_MB`
  return share < FULL_AT
    ? { code: 'DATABASE_ALMOST_FULL' as const, text }
    : { code: 'DATABASE_FULL' as const, text: `${text} and takes no new logs` }
}
