/** `npm run import -- FILE`: real data in, whole or not at all. */
import { readFileSync } from 'node:fs'
import { importInto } from './import/run.ts'
import { Fault, onDatabase, start, withDatabase } from './program.ts'
import { showProgress } from './progress.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    // The parser's own words quote the file: only the place is safe to repeat.
    const at = /position (\d+)/.exec(String(error))?.[1]
    throw new Fault(`The file is not valid JSON in UTF-8${at ? ` (at character ${at})` : ''}.`)
  }
}

const program = onDatabase('import', 'import clients, modules, config, employees, users and logs')
  .argument('<file>', 'a JSON file; docs/import.md describes it')
  .option('--reset-passwords', "give stored users the file's passwords, and end their tokens")
  .action(async (path: string, options) => {
    let bytes: Uint8Array
    try {
      bytes = readFileSync(path)
    } catch {
      throw new Fault(`There is no readable file at ${path}.`)
    }
    const content = parse(bytes)
    await withDatabase(options, async (db) => {
      const progress = showProgress('Importing')
      const result = await importInto(db, content, {
        resetPasswords: options.resetPasswords ?? false,
        onProgress: progress.update,
      }).finally(progress.stop)
      if ('faults' in result) {
        const { faults } = result
        const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
        throw new Fault(`${faults.join('\n')}\n\n${count}; nothing was written.`)
      }
      const summary = Object.entries(result.imported).map(([list, count]) => `${count} ${list}`)
      console.log(`Imported ${summary.join(', ')}.`)
    })
  })

await start(program)
