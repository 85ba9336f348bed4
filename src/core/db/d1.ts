import type { D1 } from './query.ts'

/** The use that one request makes of the database. */
export interface DatabaseStats {
  /** Round trips so far. */
  roundTrips: number
  /** The size of the database in bytes, where a result has shown it. */
  bytes?: number
}

const recordStats = (source: Pick<D1Database, 'prepare' | 'batch'>, stats: DatabaseStats): D1 => ({
  prepare: (text) => source.prepare(text),
  batch: (statements) => source.batch(statements),
  onRoundTrip: () => {
    stats.roundTrips++
  },
  onSize: (bytes) => {
    stats.bytes = bytes
  },
})

/** Reads and writes the primary: callers must see their own writes and revocations. */
export const primary = (binding: D1Database, stats: DatabaseStats): D1 =>
  recordStats(binding, stats)

/**
 * Reads the nearest replica, which may lag behind the primary: for what an app reads at launch and
 * rarely changes.
 */
export const nearestReplica = (binding: D1Database, stats: DatabaseStats): D1 =>
  recordStats(binding.withSession('first-unconstrained'), stats)
