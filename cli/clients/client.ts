/** `npm run client -- list|add|block|activate CODE` */
import { findClient } from '../../src/clients/clients.queries.ts'
import { commandGroup, databaseCommand, listCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { isWebUrl } from '../import/file.ts'
import { importOrFail } from '../import/import-or-fail.ts'
import { listClients, setClientStatus } from './clients.queries.ts'

const add = databaseCommand('add', 'add a client, active')
  .argument('<code>', 'the entry code, matched byte for byte')
  .requiredOption('--name <text>', "the client's name")
  .requiredOption('--url-base <url>', "base URL of the client's installation")
  .onDatabase(async (db, code, options) => {
    if (!isWebUrl(options.urlBase)) {
      throw new CliError('--url-base must be a URL such as https://cliente.example.com.')
    }
    if (await findClient(db, code)) throw new CliError('That code exists already.')
    const client = { code, name: options.name, status: 'activo', url_base: options.urlBase }
    await importOrFail(db, { clients: [client] })
    console.log(`Added ${code} ${placeOf(options)}.`)
  })

const statusCommand = (name: string, description: string, status: string, done: string) =>
  databaseCommand(name, description)
    .argument('<code>', 'the entry code, matched byte for byte')
    .onDatabase(async (db, code, options) => {
      if (!(await setClientStatus(db, code, status))) throw new CliError('No client has that code.')
      console.log(`${done} ${code} ${placeOf(options)}.`)
    })

export const program = commandGroup('client', 'the clients and their entry codes', [
  listCommand('list the clients', 'clients', listClients),
  add,
  statusCommand('block', 'make a code invalid', 'bloqueado', 'Blocked'),
  statusCommand('activate', 'make a code valid again', 'activo', 'Activated'),
])
if (import.meta.main) await runCli(program)
