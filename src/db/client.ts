import type { D1 } from './query.ts'

/** The database of this request. Every question goes to the primary. */
export const connect = (binding: D1Database): D1 => binding
