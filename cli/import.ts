/** `npm run import -- FILE`: validates the whole file, then writes it. */
import { readFileSync } from 'node:fs'
import { importInto } from './import/run.ts'
import { databaseCommand, withDatabase } from './program.ts'
import { showProgress } from './progress.ts'
import { CliError, runCli } from './run-cli.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    // The parser's message quotes the file: only the position is safe to print.
    const at = /position (\d+)/.exec(String(error))?.[1]
    throw new CliError(`The file is not valid JSON in UTF-8${at ? ` (at character ${at})` : ''}.`)
  }
}

const program = databaseCommand(
  'import',
  'import clients, modules, config, employees, users and logs',
)
  .argument('<file>', 'a JSON file; docs/import.md describes it')
  .option('--reset-passwords', "give stored users the file's passwords, and end their tokens")
  .action(async (path: string, options) => {
    let bytes: Uint8Array
    try {
      bytes = readFileSync(path)
    } catch {
      throw new CliError(`There is no readable file at ${path}.`)
    }
    const content = parse(bytes)
    await withDatabase(options, async (db) => {
      const progress = showProgress('Importing')
      const result = await importInto(db, content, {
        resetPasswords: options.resetPasswords ?? false,
        onProgress: progress.update,
      }).finally(progress.stop)
      if ('errors' in result) {
        const { errors } = result
        const count = `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`
        throw new CliError(`${errors.join('\n')}\n\n${count}; nothing was written.`)
      }
      const summary = Object.entries(result.imported).map(([list, count]) => `${count} ${list}`)
      console.log(`Imported ${summary.join(', ')}.`)
    })
  })

await runCli(program)
