import type { D1 } from './query.ts'

/** Counts the round trips of a request to the database. */
export interface RoundTripCounter {
  roundTrips: number
}

const countRoundTrips = (
  source: Pick<D1Database, 'prepare' | 'batch'>,
  counter: RoundTripCounter,
): D1 => ({
  prepare: (text) => source.prepare(text),
  batch: (statements) => source.batch(statements),
  onRoundTrip: () => {
    counter.roundTrips++
  },
})

/** Reads and writes the primary: callers must see their own writes and revocations. */
export const primary = (binding: D1Database, counter: RoundTripCounter): D1 =>
  countRoundTrips(binding, counter)

/**
 * Reads the nearest replica, which may lag behind the primary: for what an app reads at launch and
 * rarely changes.
 */
export const nearestReplica = (binding: D1Database, counter: RoundTripCounter): D1 =>
  countRoundTrips(binding.withSession('first-unconstrained'), counter)

/** Whether the database responds. */
export const ping = async (d1: D1): Promise<boolean> => {
  try {
    d1.onRoundTrip?.()
    return (await d1.prepare('SELECT 1 AS one').first('one')) === 1
  } catch {
    return false
  }
}
