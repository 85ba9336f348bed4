import type { D1 } from './query.ts'

/**
 * The database, as the primary sees it: whoever has just written, or been signed out, must find it so.
 */
export const primary = (binding: D1Database): D1 => binding

/**
 * The database, as the replica nearest to the caller sees it, a moment behind perhaps: for what an
 * app asks at launch, from anywhere, and nobody has just changed.
 */
export const nearest = (binding: D1Database): D1 => binding.withSession('first-unconstrained')

/** Whether the database answers. */
export const isAwake = async (db: D1): Promise<boolean> => {
  try {
    return (await db.prepare('SELECT 1 AS awake').first('awake')) === 1
  } catch {
    return false
  }
}
