/** `npm run config -- list|get|set KEY` */

import { Command } from 'commander'
import { findConfigEntry } from '../../src/clients/clients.queries.ts'
import { databaseCommand, placeOf, withDatabase } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { importOrFail } from '../import/import-or-fail.ts'
import { listConfig } from './clients.queries.ts'

const list = databaseCommand('list', 'list the configuration entries').action((options) =>
  withDatabase(options, async (db) => {
    const entries = await listConfig(db)
    if (entries.length === 0) console.log('No entries yet.')
    else console.table(entries)
  }),
)

const get = databaseCommand('get', "print an entry's value")
  .argument('<key>')
  .action((key, options) =>
    withDatabase(options, async (db) => {
      const entry = await findConfigEntry(db, key)
      if (!entry) throw new CliError('No entry has that key.')
      console.log(entry.valor)
    }),
  )

const set = databaseCommand('set', 'add an entry, or change its given fields')
  .argument('<key>')
  .argument('<valor>')
  .option('--tipo <text>', 'kind of entry, such as archivo or texto')
  .option('--nombre <text>', 'display name')
  .action((key, valor, options) =>
    withDatabase(options, async (db) => {
      const known = await findConfigEntry(db, key)
      const tipo = options.tipo ?? known?.tipo ?? 'texto'
      const nombre = options.nombre ?? known?.nombre ?? key
      await importOrFail(db, { config: [{ key, tipo, nombre, valor }] })
      console.log(`${known ? 'Changed' : 'Added'} ${key} ${placeOf(options)}.`)
    }),
  )

export const program = new Command('config').description('the configuration entries')
for (const command of [list, get, set]) program.addCommand(command)
if (import.meta.main) await runCli(program)
