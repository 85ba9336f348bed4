import { DomainError } from '../errors.ts'

/**
 * Another process holds the local database. SQLite rolls the transaction back, so it can be
 * repeated.
 */
const LOCKED = /SQLITE_BUSY|database is locked/

/** D1's own words (developers.cloudflare.com/d1/observability/debug-d1): too many requests wait. */
const OVERLOADED = /D1 DB is overloaded/

/** Milliseconds to wait before each repetition: less than a second in all. */
const DELAYS = [20, 40, 80, 160, 320]

const isBusy = (error: unknown, words: RegExp): boolean =>
  error instanceof Error && words.test(error.message)

/**
 * Repeats a query for a moment while the database is locked.
 * @throws DomainError DATABASE_BUSY where it stays locked, and at once where D1 is overloaded
 */
export const retryWhileLocked = async <Out>(query: () => Promise<Out>): Promise<Out> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query()
    } catch (cause) {
      const delay = DELAYS[attempt]
      const locked = isBusy(cause, LOCKED)
      if (isBusy(cause, OVERLOADED) || (locked && delay === undefined)) {
        throw new DomainError('DATABASE_BUSY', undefined, { cause })
      }
      if (!locked) throw cause
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}
