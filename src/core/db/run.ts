import { DomainError } from '../errors.ts'
import type { D1, Results, Statement, Statements } from './query.ts'

/**
 * Another process holds the local database. SQLite has rolled the transaction back, so the
 * transaction can be repeated.
 */
const LOCKED_ERROR = /SQLITE_BUSY|database is locked/

/**
 * The error texts of D1 that pass by themselves: too many waiting requests, an export, a lost
 * connection, and a database that starts again
 * (developers.cloudflare.com/d1/observability/debug-d1). After some of them nobody knows whether the
 * transaction was written, so it is not repeated here: the caller repeats what may be repeated.
 */
const PASSING_ERROR =
  /D1 DB is overloaded|long-running export|Network connection lost|(D1 DB|to be|was) reset|transient issue on remote node|client disconnected/

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
 * @throws DomainError DATABASE_BUSY if the database stays locked, and at once for a passing error of
 * D1; DATABASE_FULL if the database cannot grow
 */
const retryWhileLocked = async <Out>(query: () => Promise<Out>): Promise<Out> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query()
    } catch (cause) {
      if (hasMessage(cause, FULL_ERROR)) {
        throw new DomainError('DATABASE_FULL', undefined, { cause })
      }
      const delay = DELAYS_MS[attempt]
      const locked = hasMessage(cause, LOCKED_ERROR)
      if (hasMessage(cause, PASSING_ERROR) || (locked && delay === undefined)) {
        throw new DomainError('DATABASE_BUSY', undefined, { cause })
      }
      if (!locked) throw cause
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

export const execute = async <Out>(d1: D1, statement: Statement<Out>): Promise<Out> => {
  d1.onRoundTrip?.()
  return statement.mapRows(await retryWhileLocked(() => statement.bind(d1).raw()))
}

/** Runs statements in one round trip and one transaction. If one fails, none has an effect. */
export const batch = async <const S extends Statements>(
  d1: D1,
  statements: S,
): Promise<Results<S>> => {
  d1.onRoundTrip?.()
  const list = Object.entries(statements).flatMap(([name, statement]) =>
    statement ? [{ name, statement }] : [],
  )
  const results = await retryWhileLocked(() =>
    d1.batch<Record<string, unknown>>(list.map(({ statement }) => statement.bind(d1))),
  )
  const bytes = results[0]?.meta.size_after
  if (bytes !== undefined) d1.onSize?.(bytes)
  const rows: Record<string, unknown> = {}
  list.forEach(({ name, statement }, i) => {
    rows[name] = statement.mapRows(results[i]?.results.map(Object.values) ?? [])
  })
  return rows as Results<S>
}
