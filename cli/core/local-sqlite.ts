import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { D1 } from '../../src/core/db/query.ts'
import { CliError } from './run-cli.ts'

/**
 * Matches the error if another process, such as the service, has locked the local database. The
 * last alternative is the error of a service whose database does not respond in time.
 */
const BUSY = /locked|SQLITE_BUSY|Failed to get session commit token/i
const BUSY_RETRY_MS = 30_000
const STILL_BUSY = 'The database is busy: another process goes on using it. Try again later.'

/**
 * Repeats the work for up to 30 seconds while another process locks the database. Then it fails.
 */
export const withBusyRetry = async <T>(work: () => T | Promise<T>): Promise<T> => {
  for (const deadline = Date.now() + BUSY_RETRY_MS; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!BUSY.test(String(error))) throw error
      if (Date.now() > deadline) throw new CliError(STILL_BUSY)
      await sleep(50 + Math.random() * 100)
    }
  }
}

const SELECT_SIZE =
  'SELECT page_count * page_size AS size_after FROM pragma_page_count, pragma_page_size'

/** Gives an open SQLite file the interface of D1, but only the methods that the commands use. */
export const d1Of = (file: DatabaseSync): D1 => {
  const statement = (text: string, values: SQLInputValue[]) => {
    const run = () => ({
      results: file.prepare(text).all(...values),
      meta: file.prepare(SELECT_SIZE).get(),
    })
    const readArrays = () => {
      const query = file.prepare(text)
      query.setReturnArrays(true)
      return query.all(...values)
    }
    return {
      runNow: run,
      bind: (...bound: SQLInputValue[]) => statement(text, bound),
      run: () => withBusyRetry(run),
      all: () => withBusyRetry(run),
      raw: () => withBusyRetry(readArrays),
    }
  }
  const runAll = (statements: ReturnType<typeof statement>[]) => {
    file.exec('BEGIN')
    try {
      const results = statements.map(({ runNow }) => runNow())
      file.exec('COMMIT')
      return results
    } finally {
      if (file.isTransaction) file.exec('ROLLBACK')
    }
  }
  return {
    prepare: (text: string) => statement(text, []),
    batch: (statements: ReturnType<typeof statement>[]) => withBusyRetry(() => runAll(statements)),
  } as unknown as D1
}
