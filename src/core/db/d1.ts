import { memoryOf } from './memory.ts'
import type { D1 } from './query.ts'

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
export const primary = (binding: D1Database, stats: DatabaseStats): D1 =>
  recordStats(binding, { binding, stats })

/**
 * Reads the nearest replica, which may lag behind the primary. It is for data that apps read at
 * launch and that rarely changes.
 */
export const nearestReplica = (binding: D1Database, stats: DatabaseStats): D1 =>
  recordStats(binding.withSession('first-unconstrained'), { binding, stats })
