import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withBusyRetry } from './local-sqlite.ts'
import {
  localFile,
  migrationsOf,
  missingMigrations,
  requireNames,
  requireNoUnfinishedLocalRestore,
  requireSound,
} from './opening-check.ts'
import { CliError } from './run-cli.ts'

/**
 * The environment for wrangler. Its explorer is off because it runs SQL for anybody who reaches the
 * port. Its store of traces is off because it grows with each request. Telemetry and `Request.cf`
 * are off because nothing reads them. Wrangler's own files, such as logs, are in `.wrangler`, because
 * it hangs if it cannot write to the user's home. There Node keeps what it has compiled, too, since
 * wrangler's 15 MB are compiled at each start otherwise.
 */
export const wranglerEnv = {
  ...process.env,
  XDG_CONFIG_HOME: resolve('.wrangler', 'config'),
  NODE_COMPILE_CACHE: resolve('.wrangler', 'compiled'),
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

const TOO_OLD = `The local database was made by an earlier version, whose tables differ.
Move its folder (.wrangler/state, or the one of --persist-to) away, and start again.`

/** The table in which wrangler and D1 keep the names of the applied migrations. */
export const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

export const applyMigration = (db: DatabaseSync, name: string): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(readFileSync(join('drizzle', name), 'utf8'))
    db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
    db.exec('COMMIT')
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/**
 * Applies the migrations to the local database, and creates the database if there is none. It does
 * so without wrangler, which takes a second to start.
 */
export const migrateLocal = async (persistTo?: string): Promise<void> => {
  requireNoUnfinishedLocalRestore(persistTo)
  requireSound(persistTo)
  requireNames(persistTo)
  const file = localFile(persistTo)
  mkdirSync(dirname(file), { recursive: true })
  await withBusyRetry(() => {
    const db = new DatabaseSync(file)
    try {
      const missing = missingMigrations(migrationsOf(db))
      // The service uses this mode too, in which a restore notices that the database is in use.
      db.exec('PRAGMA journal_mode = WAL')
      if (missing.length > 0) db.exec(CREATE_MIGRATIONS)
      for (const name of missing) applyMigration(db, name)
    } catch (error) {
      throw /already exists/.test(String(error)) ? new CliError(TOO_OLD) : error
    } finally {
      db.close()
    }
  })
}
