/** `npm run backup`: copies the database to a file, and tests that the copy can be restored. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Target } from '../core/database.ts'
import { allOption, deployedTargets, inOrder } from '../core/each-installation.ts'
import { databaseCommand, withDatabase } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { compareRestored, compareWithSource, readCounts } from './compare.ts'
import { exportDatabase } from './export.ts'
import { repairLineBreaks } from './line-breaks.ts'
import { countRows } from './schema.ts'
import { makeScratch } from './scratch.ts'
import { loadSql, writeSql } from './sql-file.ts'

const fileName = ({ installation = 'local' }: Target, now: Date): string =>
  `checada-${installation}-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.sql.gz`

const requireNone = (differences: string[], what: string): void => {
  if (differences.length === 0) return
  throw new CliError(`${what}, so no file was written. It ${differences.join('; it ')}.`)
}

/** Writes a database to a file. The file appears only once a test restore of it has matched. */
const writeBackup = (target: Target, path: string, written: string, parent: string) =>
  withDatabase(target, async (db) => {
    const scratch = mkdtempSync(join(parent, 'one-'))
    const exported = join(scratch, 'export.sql')
    const before = await readCounts(db)
    if (before.size === 0) throw new CliError('The database has no tables: nothing to copy.')
    console.log('Exporting the database.')
    await exportDatabase(target, exported, scratch)

    // The export may contain a child row before its parent row, so foreign keys are not checked.
    const copy = new DatabaseSync(join(scratch, 'copy.sqlite'), {
      enableForeignKeyConstraints: false,
    })
    await loadSql(copy, exported)
    await repairLineBreaks(db, copy)
    const events = countRows(copy, 'log_events')
    const progress = showProgress('Comparing the audit')
    const compared = compareWithSource(db, copy, before, (n) => progress.update(n, events))
    requireNone(await compared.finally(progress.stop), 'The copy differs from the database')

    console.log('Restoring the copy into a scratch database.')
    await writeSql(copy, written)
    const restored = new DatabaseSync(join(scratch, 'restored.sqlite'))
    await loadSql(restored, written, { isBackup: true })
    requireNone(compareRestored(copy, restored), 'The restored copy differs')

    const rows = [...before.keys()].reduce((sum, table) => sum + countRows(copy, table), 0)
    copy.close()
    restored.close()
    rmSync(scratch, { recursive: true })
    renameSync(written, path)
    console.log(`Restored and equal: ${before.size} tables, ${rows} rows, ${events} audit events.`)
    console.log(path)
  })

export const program = databaseCommand('backup', 'write a copy of the database to one file')
  .addOption(allOption('a file of each installation').conflicts(['installation', 'persistTo']))
  .option('--out <folder>', 'the folder of the files', 'backups')
  .action(async ({ out, all, ...target }: Target & { out: string; all?: true }) => {
    const targets: Target[] = all ? deployedTargets({ all }) : [target]
    const now = new Date()
    const written = (one: Target) => join(out, `unfinished-${fileName(one, now)}`)
    const scratch = makeScratch(...targets.map(written))
    await inOrder(targets, async (one) => {
      const path = join(out, fileName(one, now))
      if (existsSync(path)) throw new CliError(`There is a file at ${path} already.`)
      mkdirSync(out, { recursive: true })
      await writeBackup(one, path, written(one), scratch)
    })
  })

if (import.meta.main) await runCli(program)
