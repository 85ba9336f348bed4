import { DomainError } from '../errors.ts'

/**
 * Another process holds the local database. SQLite has rolled the transaction back, so the
 * transaction can be repeated.
 */
const LOCKED_ERROR = /SQLITE_BUSY|database is locked/

/**
 * D1's error text for too many waiting requests
 * (developers.cloudflare.com/d1/observability/debug-d1).
 */
const OVERLOADED_ERROR = /D1 DB is overloaded/

/**
 * The error texts of D1 and SQLite for a database that cannot grow. Nothing of the transaction is
 * written.
 */
const FULL_ERROR = /Exceeded maximum DB size|SQLITE_FULL|database or disk is full/

/** The pauses before the repetitions, in milliseconds. Together they are less than a second. */
const DELAYS_MS = [20, 40, 80, 160, 320]

const hasMessage = (error: unknown, pattern: RegExp): boolean =>
  error instanceof Error && pattern.test(error.message)

/**
 * Repeats a query while the database is locked, for less than a second.
 * @throws DomainError DATABASE_BUSY if the database stays locked, and at once if D1 is overloaded;
 * DATABASE_FULL if the database cannot grow
 */
export const retryWhileLocked = async <Out>(query: () => Promise<Out>): Promise<Out> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query()
    } catch (cause) {
      if (hasMessage(cause, FULL_ERROR)) {
        throw new DomainError('DATABASE_FULL', undefined, { cause })
      }
      const delay = DELAYS_MS[attempt]
      const locked = hasMessage(cause, LOCKED_ERROR)
      if (hasMessage(cause, OVERLOADED_ERROR) || (locked && delay === undefined)) {
        throw new DomainError('DATABASE_BUSY', undefined, { cause })
      }
      if (!locked) throw cause
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}
