import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configuredDatabase, setupOf } from './installation-file.ts'
import { checkDeployed, checkLocal, type Opening } from './opening-check.ts'
import { CliError } from './run-cli.ts'

/** The database of a command: the deployed one of an installation, or the local one if none. */
export interface Target {
  installation?: string
  /** The folder of local state, if not the default one. Same as `wrangler dev --persist-to`. */
  persistTo?: string
}

/**
 * Matches the error if another process, such as the service, has locked the local database. The
 * last one is of a service whose database does not respond in time.
 */
const BUSY = /locked|SQLITE_BUSY|Failed to get session commit token/i
const BUSY_RETRY_MS = 30_000
const STILL_BUSY = 'The database is busy: another process goes on using it. Try again later.'

/** Retries for up to 30 seconds while another process locks the database. */
export const withBusyRetry = async <T>(work: () => Promise<T>): Promise<T> => {
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

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

const retryingStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
  const retrying = {
    bind: (...values: unknown[]) => retryingStatement(statement.bind(...values)),
    run: () => withBusyRetry(() => statement.run()),
    all: () => withBusyRetry(() => statement.all()),
    raw: () => withBusyRetry(() => statement.raw()),
    first: (...column: [string]) => withBusyRetry(() => statement.first(...column)),
  } as unknown as D1PreparedStatement
  originals.set(retrying, statement)
  return retrying
}

/** Repeats each query while another process locks the local database. */
export const retryingDatabase = (db: D1Database): Pick<D1Database, 'prepare' | 'batch'> => ({
  prepare: (text) => retryingStatement(db.prepare(text)),
  batch: (statements) =>
    withBusyRetry(() =>
      db.batch(statements.map((statement) => originals.get(statement) ?? statement)),
    ),
})

/** Writes a wrangler configuration that contains only the deployed database. */
const remoteConfig = (installation: string): string => {
  const { name, id } = configuredDatabase(installation)
  if (!id) {
    throw new CliError(`${installation} has no database yet: run ${setupOf(installation)} first.`)
  }
  const d1 = { binding: 'DB', database_name: name, database_id: id, remote: true }
  const path = join('.wrangler', `remote-${installation}.json`)
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, JSON.stringify({ name, d1_databases: [d1] }))
  return path
}

/**
 * Opens a command's database after the opening check, unless `opening` is false. A running service
 * may use the database at the same time.
 */
export const openDatabase = async (target: Target, opening: Opening | false = {}) => {
  const { installation, persistTo } = target
  if (installation === undefined && opening) checkLocal(target, opening)
  // Hides wrangler's notice of missing secrets, which no command needs.
  process.env.WRANGLER_LOG ??= 'error'
  // Importing wrangler takes seconds, which --help and wrong arguments should not wait for.
  const { getPlatformProxy } = await import('wrangler')
  const { env: bindings, dispose } = await withBusyRetry(() =>
    getPlatformProxy<Env>({
      ...(installation !== undefined && { configPath: remoteConfig(installation) }),
      ...(persistTo && { persist: { path: join(persistTo, 'v3') } }),
    }),
  )
  const db = retryingDatabase(bindings.DB)
  try {
    if (installation !== undefined && opening) {
      await checkDeployed(db, { ...target, installation }, opening)
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { db, close: dispose }
}
