/** `npm run backup`: copies the database to a file, and tests that the copy can be restored. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withDeployed } from '../core/database.ts'
import { allOption, deployedTargets, inOrder } from '../core/each-installation.ts'
import { withBusyRetry } from '../core/local-sqlite.ts'
import {
  checkDeployed,
  checkLocal,
  LOCK_MS,
  localFile,
  migrationsOf,
} from '../core/opening-check.ts'
import { databaseCommand } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import type { Target } from '../core/target.ts'
import { captureWranglerOrFail } from '../core/wrangler.ts'
import { compareRestored, compareWithSource, countsOf, readCounts } from './compare.ts'
import { findContradictions, requireNoContradictions } from './contradictions.ts'
import { repairLineBreaks } from './line-breaks.ts'
import { compareWithMigrations, schemaAfter } from './project-schema.ts'
import { countRows, schemaOf } from './schema.ts'
import { makeScratch } from './scratch.ts'
import { sizesText } from './sizes.ts'
import { loadBackup, loadExport, writeSql } from './sql-file.ts'

const fileName = ({ installation = 'local' }: Target, now: Date): string =>
  `checada-${installation}-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.sql.gz`

const requireNone = (differences: string[], what: string): void => {
  if (differences.length === 0) return
  throw new CliError(`${what}, so no file was written. It ${differences.join('; it ')}.`)
}

/** Copies the local database in one read transaction, so that the copy is of one moment. */
const copyLocal = (target: Target, path: string): DatabaseSync => {
  checkLocal(target, { anyMigrations: true })
  const db = new DatabaseSync(localFile(target.persistTo), { readOnly: true, timeout: LOCK_MS })
  try {
    db.prepare('VACUUM INTO ?').run(path)
  } finally {
    db.close()
  }
  return new DatabaseSync(path)
}

/** Writes a snapshot of a deployed database as SQL. D1 is unavailable during the export. */
const exportDatabase = (installation: string, path: string): Promise<void> => {
  const args = ['d1', 'export', 'DB', '--remote', '--skip-confirmation', '--output', path]
  const message = 'wrangler could not export the database'
  return withBusyRetry(() => void captureWranglerOrFail(args, message, { installation }))
}

/** Copies a deployed database by wrangler's export, and compares the copy with the database. */
const copyDeployed = async (
  installation: string,
  path: string,
  scratch: string,
): Promise<DatabaseSync> => {
  // The export may contain a child row before its parent row, so foreign keys are not checked.
  const copy = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  await withDeployed(installation, async (db) => {
    await checkDeployed(db, installation, { anyMigrations: true })
    const exported = join(scratch, 'export.sql')
    const before = await readCounts(db)
    await exportDatabase(installation, exported)
    await loadExport(copy, exported)
    await repairLineBreaks(db, copy)
    const events = countRows(copy, 'log_events')
    const progress = showProgress('Comparing the audit')
    const onProgress = (compared: number) => progress.update(compared, events)
    const differences = await compareWithSource(db, copy, before, { onProgress }).finally(
      progress.stop,
    )
    requireNone(differences, 'The copy differs from the database')
  })
  return copy
}

/** Fails if a copy has another schema than its migrations make, so that `restore` refuses it. */
const requireOwnSchema = (copy: DatabaseSync): void => {
  const expected = schemaAfter(migrationsOf(copy), 'The file was written. The database')
  const differences = compareWithMigrations(expected, schemaOf(copy))
  if (differences.length === 0) return
  throw new CliError(`The file was written, but restore refuses it: the database is not as its migrations make it.
It ${differences.join('; it ')}. Correct the database, and back it up again.`)
}

/**
 * Writes a database to a file. The file gets its final name only if the copy passes the checks of
 * contradictions.ts, and if a test restore of the file equals the copy.
 */
const writeBackup = async (
  target: Target,
  path: string,
  { written, parent, sizes }: { written: string; parent: string; sizes: boolean },
) => {
  const { installation } = target
  const scratch = mkdtempSync(join(parent, 'one-'))
  const file = join(scratch, 'copy.sqlite')
  console.log('Copying the database.')
  const copy =
    installation === undefined
      ? copyLocal(target, file)
      : await copyDeployed(installation, file, scratch)
  const events = countRows(copy, 'log_events')
  const progress = showProgress('Comparing the seals')
  const contradictions = findContradictions(copy, (done) => progress.update(done, events))
  requireNoContradictions(await contradictions.finally(progress.stop), 'The copy')

  console.log('Restoring the copy into a scratch database.')
  await writeSql(copy, written)
  const restored = new DatabaseSync(join(scratch, 'restored.sqlite'))
  await loadBackup(restored, written, schemaOf(copy))
  requireNone(compareRestored(copy, restored), 'The restored copy differs')

  const counts = countsOf(copy)
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (sizes) console.log(sizesText(restored))
  restored.close()
  renameSync(written, path)
  console.log(`Restored and equal: ${counts.size} tables, ${rows} rows, ${events} audit events.`)
  console.log(path)
  try {
    requireOwnSchema(copy)
  } finally {
    copy.close()
    rmSync(scratch, { recursive: true })
  }
}

type Options = Target & { out: string; all?: true; sizes: boolean }

export const program = databaseCommand('backup', 'write a copy of the database to one file')
  .addOption(allOption('a file of each installation').conflicts(['installation', 'persistTo']))
  .option('--out <folder>', 'the folder of the files', 'backups')
  .option('--sizes', 'also print the bytes of each table and index', false)
  .action(async ({ out, all, sizes, ...target }: Options) => {
    const targets: Target[] = all ? deployedTargets({ all }) : [target]
    const now = new Date()
    const written = (one: Target) => join(out, `unfinished-${fileName(one, now)}`)
    const scratch = makeScratch(...targets.map(written))
    await inOrder(targets, async (one) => {
      const path = join(out, fileName(one, now))
      if (existsSync(path)) throw new CliError(`There is a file at ${path} already.`)
      if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(out)
      await writeBackup(one, path, { written: written(one), parent: scratch, sizes })
    })
  })

if (import.meta.main) await runCli(program)
