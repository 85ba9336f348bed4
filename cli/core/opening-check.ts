/** Checks, before a database is opened, that it exists, is whole and has all migrations. */
import { createHash, createHmac } from 'node:crypto'
import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { readConfig, setupCommand } from './installation-file.ts'
import { readRows } from './rows.ts'
import { CliError } from './run-cli.ts'
import type { Target } from './target.ts'

const DEFAULT_STATE = join('.wrangler', 'state')
const NAMESPACE = 'miniflare-D1DatabaseObject'
/** How long to wait for another process, such as the service, that locks the local database. */
export const LOCK_MS = 30_000

/** The table that a deployed database has while a restore writes to it. */
export const UNFINISHED_RESTORE_TABLE = 'unfinished_restore'

/** The file of the local database. Its name is the id that Miniflare gives to the binding. */
export const localFile = (state = DEFAULT_STATE): string => {
  const [database] = readConfig().d1_databases as { database_id: string }[]
  const key = createHash('sha256').update(NAMESPACE).digest()
  const half = (data: string | Buffer) =>
    createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = half(database?.database_id ?? '')
  const id = Buffer.concat([name, half(name)]).toString('hex')
  return join(state, 'v3', 'd1', NAMESPACE, `${id}.sqlite`)
}

/** The paths of unfinished databases, whose restores are running or were killed. */
export const unfinishedRestores = (state?: string): string[] =>
  globSync(`${localFile(state)}.restoring-*`).filter((path) => /-\d+$/.test(path))

export const requireNoUnfinishedLocalRestore = (state?: string): void => {
  const [unfinished] = unfinishedRestores(state)
  if (!unfinished) return
  throw new CliError(
    `A restore of this database has not finished, or was interrupted (${unfinished}).
Run npm run restore again, which begins anew. Or delete that file to go on without a restore.`,
  )
}

export const projectMigrations = (): string[] =>
  readdirSync('drizzle')
    .filter((file) => file.endsWith('.sql'))
    .sort()

export const migrateCommand = ({ installation, persistTo }: Target): string => {
  if (installation !== undefined) return setupCommand(installation)
  return `npm run db:migrate${persistTo ? ` -- --persist-to ${persistTo}` : ''}`
}

/** Fails if a database, or a backup of one, has migrations that the project does not know. */
export const requireNoLaterMigrations = (applied: readonly string[], what: string): void => {
  const later = applied.filter((name) => !projectMigrations().includes(name))
  if (later.length === 0) return
  throw new CliError(
    `${what} is of a later version, which added ${later.join(', ')}. Use its commands.`,
  )
}

/** The project's migrations that are not among the applied ones, in their order. */
export const missingMigrations = (applied: readonly string[]): string[] =>
  projectMigrations().filter((name) => !applied.includes(name))

const lacksMigrations = (applied: readonly string[]): boolean =>
  missingMigrations(applied).length > 0

/** Fails unless the database has all of the project's migrations, and no later ones. */
const requireMigrations = (applied: readonly string[], target: Target): void => {
  requireNoLaterMigrations(applied, 'The database')
  if (!lacksMigrations(applied)) return
  const state = applied.length === 0 ? 'has no tables yet' : 'lacks migrations'
  throw new CliError(`The database ${state}: run ${migrateCommand(target)} first.`)
}

const SELECT_MIGRATIONS = 'SELECT name FROM d1_migrations ORDER BY id'

const namesOf = (rows: readonly object[]): string[] =>
  rows.map((row) => String((row as { name: unknown }).name))

/** The names of the applied migrations. Empty if the database has no table of migrations. */
export const migrationsOf = (db: DatabaseSync): string[] => {
  const hasTable = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'`).get()
  return hasTable ? namesOf(db.prepare(SELECT_MIGRATIONS).all()) : []
}

const HAS_TABLES = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name <> 'd1_migrations'
  AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`

/** Fails if the local database has tables, but not the names of the migrations that made them. */
export const requireNames = (state?: string): void => {
  const file = localFile(state)
  if (!existsSync(file)) return
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MS })
  try {
    if (migrationsOf(db).length > 0 || !db.prepare(HAS_TABLES).get()) return
  } finally {
    db.close()
  }
  const values = projectMigrations().map((name) => `('${name}')`)
  const flags = `DB --local${state ? ` --persist-to ${state}` : ''}`
  throw new CliError(`The local database has tables, but its table d1_migrations is missing or empty.
Keep its folder: the names of the migrations can be written again, and nothing else was lost.
If this version made the tables, run these commands. Otherwise, run them in a checkout of the
version that made them, with the names of its drizzle/*.sql. Then run npm run db:migrate again.
  npx wrangler d1 migrations list ${flags}
  npx wrangler d1 execute ${flags} --command "INSERT INTO d1_migrations (name) VALUES ${values.join(', ')}"`)
}

const requireBytes = (file: string): void => {
  if (statSync(file).size > 0) return
  throw new Error(`database disk image is malformed: ${file} is empty`)
}

interface Opening {
  /** Whether the database may have other migrations than the project. */
  anyMigrations?: boolean
}

/** Fails unless the local database exists, is migrated, and has no unfinished restore. */
export const checkLocal = (target: Target, { anyMigrations = false }: Opening = {}): void => {
  const { persistTo = DEFAULT_STATE } = target
  if (!existsSync(persistTo)) {
    throw new CliError(`There is no folder ${persistTo}. ${migrateCommand(target)} creates it.`)
  }
  requireNoUnfinishedLocalRestore(persistTo)
  const file = localFile(persistTo)
  if (!existsSync(file)) requireMigrations([], target)
  requireBytes(file)
  requireNames(persistTo)
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MS })
  try {
    const applied = migrationsOf(db)
    if (applied.length === 0 || !anyMigrations) requireMigrations(applied, target)
  } finally {
    db.close()
  }
}

/**
 * Fails if pages of the local database cannot be read or contradict each other, or if its file has
 * no bytes. Also fails if the file or all tables are missing, but the journal is not empty.
 */
export const requireSound = (state?: string): void => {
  const file = localFile(state)
  const hasJournal = existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
  if (!existsSync(file)) {
    if (hasJournal) throw new Error(`database disk image is malformed: ${file} is gone`)
    return
  }
  requireBytes(file)
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MS })
  try {
    const [found] = db.prepare('PRAGMA quick_check(1)').all()
    const has = db.prepare('SELECT EXISTS (SELECT 1 FROM sqlite_schema) AS tables').get()
    // SQLite ignores a journal whose beginning is damaged, and then reads an empty database.
    const isLost = !has?.tables && hasJournal
    if (found?.quick_check === 'ok' && !isLost) return
    const reason = isLost ? `${file}-wal cannot be read` : found?.quick_check
    throw new Error(`database disk image is malformed: ${reason}`)
  } finally {
    db.close()
  }
}

export const unfinishedRestoreText = (installation: string): string =>
  `A restore of this database has not finished, or was interrupted.
Run npm run restore -- FILE --installation ${installation} again, which begins anew.`

export const checkDeployed = async (
  db: D1,
  installation: string,
  { anyMigrations = false }: Opening = {},
): Promise<void> => {
  const select = `SELECT name FROM sqlite_schema WHERE name IN ('${UNFINISHED_RESTORE_TABLE}', 'd1_migrations')`
  const tables = namesOf(await readRows<{ name: string }>(db, select))
  if (tables.includes(UNFINISHED_RESTORE_TABLE)) {
    throw new CliError(unfinishedRestoreText(installation))
  }
  const hasTable = tables.includes('d1_migrations')
  const applied = hasTable ? namesOf(await readRows<{ name: string }>(db, SELECT_MIGRATIONS)) : []
  if (applied.length === 0 || !anyMigrations) requireMigrations(applied, { installation })
}
