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
export const sizeWarning = (bytes: number, limit: Limit): string | undefined => {
  const share = bytes / limitBytes(limit)
  const refusal = share >= FULL_AT ? ' and takes no new logs' : ''
  return share >= WARN_AT
    ? `the database is at ${Math.floor(share * 100)} % of DB_LIMIT_MB${refusal}`
    : undefined
}
