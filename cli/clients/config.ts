/** `npm run config -- list|get|set KEY` */
import { findConfigEntry } from '../../src/clients/clients.queries.ts'
import { commandGroup, databaseCommand, listCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { importOrFail } from '../import/import-or-fail.ts'
import { listConfig } from './clients.queries.ts'

const get = databaseCommand('get', "print an entry's value")
  .argument('<key>')
  .onDatabase(async (db, key) => {
    const entry = await findConfigEntry(db, key)
    if (!entry) throw new CliError('No entry has that key.')
    console.log(entry.valor)
  })

const set = databaseCommand('set', 'add an entry, or change its given fields')
  .argument('<key>')
  .argument('<valor>')
  .option('--tipo <text>', 'kind of entry, such as archivo or texto')
  .option('--nombre <text>', 'display name')
  .onDatabase(async (db, key, valor, options) => {
    const known = await findConfigEntry(db, key)
    const tipo = options.tipo ?? known?.tipo ?? 'texto'
    const nombre = options.nombre ?? known?.nombre ?? key
    await importOrFail(db, { config: [{ key, tipo, nombre, valor }] })
    console.log(`${known ? 'Changed' : 'Added'} ${key} ${placeOf(options)}.`)
  })

export const program = commandGroup('config', 'the configuration entries', [
  listCommand('list the configuration entries', 'entries', listConfig),
  get,
  set,
])
if (import.meta.main) await runCli(program)
