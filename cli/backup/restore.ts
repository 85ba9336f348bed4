/**
 * `npm run restore -- FILE`: writes a backup to an empty database. No command uses a database whose
 * restore is unfinished. A local restore writes to a separate file, and a deployed database is
 * marked until the restore ends.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withDeployed } from '../core/database.ts'
import { isFile } from '../core/input-file.ts'
import { applyMigration } from '../core/local-database.ts'
import {
  LOCK_MS,
  localFile,
  migrationsOf,
  missingMigrations,
  requireSound,
  UNFINISHED_RESTORE_TABLE,
  unfinishedRestores,
} from '../core/opening-check.ts'
import { printable } from '../core/printable.ts'
import { databaseCommand, placeOf } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, isDiskFull, runCli } from '../core/run-cli.ts'
import type { Target } from '../core/target.ts'
import { type Counts, compareWithSource, countsOf, readCounts } from './compare.ts'
import { findContradictions, requireNoContradictions } from './contradictions.ts'
import { compareWithMigrations, schemaAfter } from './project-schema.ts'
import { finishRestore, restoreInto } from './restore-into.ts'
import { MIGRATIONS_TABLE, type SchemaEntry } from './schema.ts'
import { deleteAtExit, isLocked, makeScratch } from './scratch.ts'
import { loadBackup, readBackup } from './sql-file.ts'

const NOT_EMPTY =
  'The database is not empty, so nothing was restored. Name a new folder with --persist-to, or a new database.'

/** The migrations and the cron write to these tables, so an unused database may have rows in them. */
const NOT_OF_USERS = [MIGRATIONS_TABLE, 'notify_state']

/** The migration adds one row to each of these tables. */
const FIRST_ROWS = ['branch_zones', 'company', 'employee_shifts', 'payroll_groups']

const requireEmpty = (counts: Counts): void => {
  const isUsed = [...counts].some(
    ([table, rows]) => !NOT_OF_USERS.includes(table) && rows > Number(FIRST_ROWS.includes(table)),
  )
  if (isUsed) throw new CliError(NOT_EMPTY)
}

const reasonOf = (cause: unknown): string => {
  // The error of a damaged gzip has an empty message, or one about the stream.
  if (cause instanceof TypeError) return 'its compressed content is cut or damaged.'
  return cause instanceof Error ? cause.message : String(cause)
}

const readOrFail = <T>(path: string, reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    if (isDiskFull(cause)) throw cause
    throw new CliError(`${path} is not a whole backup: ${printable(reasonOf(cause))}`, { cause })
  })

/** Reads a backup, and returns the schema of its migrations. Fails if its own schema differs. */
const checkBackup = async (path: string): Promise<SchemaEntry[]> => {
  const { schema, migrations } = await readOrFail(path, readBackup(path))
  if (migrations.length === 0) throw new CliError(`${path} is not a backup: it has no migrations.`)
  const expected = schemaAfter(migrations, path)
  const differences = compareWithMigrations(expected, schema)
  if (differences.length === 0) return expected
  const version = `the database after ${migrations.at(-1)}`
  throw new CliError(`${path} is not ${version}: it ${differences.join('; it ')}.`)
}

/** Loads a backup into a new database file, checks that it is sound, and migrates it. */
const loadMigrated = async (
  path: string,
  schema: readonly SchemaEntry[],
  file: string,
): Promise<DatabaseSync> => {
  // The rules of the evidence check foreign keys too, and name the wrong row. SQLite's error does not.
  const copy = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  // Locks the file until `copy` is closed or this process ends, so that no other restore deletes
  // the file.
  copy.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
  await readOrFail(path, loadBackup(copy, path, schema))
  requireNoContradictions(await findContradictions(copy), path)
  for (const name of missingMigrations(migrationsOf(copy))) applyMigration(copy, name)
  return copy
}

/** Deletes the files of restores that were killed. Fails if another restore is running. */
const deleteUnfinished = (state?: string): void => {
  for (const path of unfinishedRestores(state)) {
    if (isLocked(path)) throw new CliError(`Another restore into this database runs (${path}).`)
    for (const file of [path, `${path}-journal`]) rmSync(file, { force: true })
  }
}

/** Fails if the local database is not empty, or if another process has it open. */
const requireUnused = (file: string): void => {
  if (!existsSync(file)) return
  const db = new DatabaseSync(file, { timeout: LOCK_MS / 10 })
  try {
    requireEmpty(countsOf(db))
    // Deletes the -wal and -shm files. Fails if another process has the database open.
    db.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if (!/locked/.test(String(error))) throw error
    throw new CliError('The database is in use: stop the service first. Nothing was restored.')
  } finally {
    db.close()
  }
}

/** Writes the backup to a separate file, which replaces the database after all checks. */
const restoreLocal = async (
  path: string,
  schema: readonly SchemaEntry[],
  state?: string,
): Promise<void> => {
  const file = localFile(state)
  deleteUnfinished(state)
  requireSound(state)
  requireUnused(file)
  mkdirSync(dirname(file), { recursive: true })
  const restoring = `${file}.restoring-${process.pid}`
  makeScratch()
  // If this process is killed, the file stays, so that every command refuses the database.
  deleteAtExit(restoring, `${restoring}-journal`)
  try {
    const copy = await loadMigrated(path, schema, restoring)
    copy.close()
    requireUnused(file)
    renameSync(restoring, file)
  } finally {
    for (const left of [restoring, `${restoring}-journal`]) rmSync(left, { force: true })
  }
}

/** Opens the database first: whether it can be used is known in seconds, and a file takes minutes. */
const restoreDeployed = async (path: string, installation: string): Promise<void> => {
  // Before wrangler starts, which uses it too.
  const scratch = makeScratch()
  await withDeployed(installation, async (db) => {
    const counts = await readCounts(db)
    if (!counts.has(UNFINISHED_RESTORE_TABLE)) requireEmpty(counts)
    const schema = await checkBackup(path)
    const copy = await loadMigrated(path, schema, join(scratch, 'copy.sqlite'))
    const progress = showProgress('Restoring')
    await restoreInto(db, copy, progress.update).finally(progress.stop)
    const except = [MIGRATIONS_TABLE, UNFINISHED_RESTORE_TABLE]
    const differences = await compareWithSource(db, copy, await readCounts(db), { except })
    if (differences.length > 0) {
      throw new CliError(`The file ${differences.join('; it ')}, compared with the database.`)
    }
    await finishRestore(db, copy)
  })
}

export const program = databaseCommand('restore', 'write a backup to an empty database')
  .argument('<file>', 'a file that npm run backup has written')
  .action(async (path: string, target: Target) => {
    if (!isFile(path)) throw new CliError(`There is no file at ${path}.`)
    const { installation, persistTo } = target
    if (installation === undefined) await restoreLocal(path, await checkBackup(path), persistTo)
    else await restoreDeployed(path, installation)
    console.log(`Restored all rows, tables, indexes and triggers ${placeOf(target)}.`)
  })

if (import.meta.main) await runCli(program)
