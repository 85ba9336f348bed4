/** `npm run restore -- FILE`: writes a backup to an empty database, then compares the two. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Target } from '../core/database.ts'
import { databaseCommand, placeOf, withDatabase } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { compareWithSource, readCounts, readSchema } from './compare.ts'
import { restoreInto } from './restore-into.ts'
import { makeScratch } from './scratch.ts'
import { loadSql } from './sql-file.ts'

const NOT_EMPTY =
  'The database is not empty, so nothing was restored. Name a new folder with --persist-to, or a new database.'

const load = async (copy: DatabaseSync, path: string): Promise<void> => {
  try {
    await loadSql(copy, path, { isBackup: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(`${path} is not a whole backup: ${reason}`, { cause })
  }
}

export const program = databaseCommand('restore', 'write a backup to an empty database')
  .argument('<file>', 'a file that npm run backup has written')
  .action(async (path: string, target: Target) => {
    if (!existsSync(path)) throw new CliError(`There is no file at ${path}.`)
    const scratch = makeScratch()
    const copy = new DatabaseSync(join(scratch, 'copy.sqlite'))
    await load(copy, path)
    await withDatabase(target, async (db) => {
      if ((await readSchema(db)).length > 0) throw new CliError(NOT_EMPTY)
      const progress = showProgress('Restoring')
      await restoreInto(db, copy, progress.update).finally(progress.stop)
      const differences = await compareWithSource(db, copy, await readCounts(db))
      if (differences.length > 0) {
        throw new CliError(`The file ${differences.join('; it ')}, compared with the database.`)
      }
      console.log(`Restored all rows, tables, indexes and triggers ${placeOf(target)}.`)
    })
  })

if (import.meta.main) await runCli(program)
