import { sql } from 'drizzle-orm'
import { build, type D1, query, run } from './query.ts'

/** How often a request has waited for the database. */
export interface Tally {
  roundTrips: number
}

const counted = (d1: D1, tally: Tally): D1 => ({
  prepare: (text) => d1.prepare(text),
  batch: (statements) => d1.batch(statements),
  onRoundTrip: () => {
    tally.roundTrips++
  },
})

/**
 * The database, as the primary sees it: whoever has just written, or been signed out, must find it so.
 */
export const primary = (binding: D1Database, tally: Tally): D1 => counted(binding, tally)

/**
 * The database, as the replica nearest to the caller sees it, a moment behind perhaps: for what an
 * app asks at launch, from anywhere, and nobody has just changed.
 */
export const nearest = (binding: D1Database, tally: Tally): D1 =>
  counted(binding.withSession('first-unconstrained'), tally)

const selectAwake = query(() => build.select({ awake: sql`1`.as('awake') }).from(sql`(SELECT 1)`))

/** Whether the database answers. */
export const isAwake = async (db: D1): Promise<boolean> => {
  try {
    return (await run(db, selectAwake({}))).length === 1
  } catch {
    return false
  }
}
