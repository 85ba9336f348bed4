/** `npm run import -- FILE`: validates a whole file, then writes its rows. */
import { readFileSync, statSync } from 'node:fs'
import { withDatabase } from '../core/database.ts'
import { configuredSettings } from '../core/installation-file.ts'
import { confirmOrFail, destructiveCommand, placeOf } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { FILE_BYTES_MAX, FILE_TOO_LARGE, parseJson } from './json.ts'
import { importInto } from './run.ts'

const SHOWN_MAX = 200

const readFile = (path: string): Buffer => {
  try {
    // Node reads 2 GB at most, and its error would look like one of the disk.
    if (statSync(path).size > FILE_BYTES_MAX) throw new CliError(FILE_TOO_LARGE)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`There is no readable file at ${path}.`)
  }
}

const shortened = (lines: string[]): string => {
  const hidden = lines.length - SHOWN_MAX
  return [...lines.slice(0, SHOWN_MAX), ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n')
}

export const program = destructiveCommand(
  'import',
  'import clients, modules, config, employees, users, logs',
)
  .argument('<file>', 'a JSON file; docs/migrating.md describes it')
  .option('--reset-passwords', "give stored users the file's passwords, and end their tokens")
  .option('--update-pending', 'take its decisions on logs that nobody has decided here')
  .option('--dry-run', 'validate and compare, but write nothing')
  .action(async (path: string, options) => {
    const content = parseJson(readFile(path))
    if (options.resetPasswords && !options.dryRun) {
      await confirmOrFail("Give stored users the file's passwords and end their tokens", options)
    }
    await withDatabase(options, async (db) => {
      const progress = showProgress(options.dryRun ? 'Comparing' : 'Importing')
      const result = await importInto(db, content, {
        resetPasswords: options.resetPasswords ?? false,
        updatePending: options.updatePending ?? false,
        dryRun: options.dryRun ?? false,
        settings: configuredSettings(options),
        onProgress: progress.update,
      }).finally(progress.stop)
      if ('errors' in result) {
        const { errors } = result
        const count = `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`
        throw new CliError(`${shortened(errors)}\n\n${count}; nothing was written.`)
      }
      if (result.warnings.length > 0) {
        console.error(`Valid all the same, but look at:\n${shortened(result.warnings)}\n`)
      }
      if (result.kept.length > 0) {
        console.error(
          `The file says otherwise, and what is here stays:\n${result.kept.join('\n')}\n`,
        )
      }
      for (const [list, { created, changed, kept }] of Object.entries(result.imported)) {
        if (created + changed + kept === 0) continue
        console.log(`${list}: ${created} new, ${changed} changed, ${kept} kept`)
      }
      console.log(options.dryRun ? 'Nothing was written.' : `Imported ${placeOf(options)}.`)
    })
  })

if (import.meta.main) await runCli(program)
