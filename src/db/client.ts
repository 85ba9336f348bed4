import type { D1 } from './query.ts'

/** The database of this request. Every question goes to the primary. */
export const connect = (binding: D1Database): D1 => binding

/** Whether the database answers. */
export const isAwake = async (db: D1): Promise<boolean> => {
  try {
    return (await db.prepare('SELECT 1 AS awake').first('awake')) === 1
  } catch {
    return false
  }
}
