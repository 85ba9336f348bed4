/** `npm run client -- list`, and `add|change|block|activate CODE` */
import { findClient } from '../../src/clients/clients.queries.ts'
import { commandGroup, databaseCommand, listCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { isWebUrl } from '../import/file.ts'
import { importOrFail } from '../import/import-or-fail.ts'
import { listClients, setClientStatus } from './clients.queries.ts'

const requireWebUrl = (url: string): void => {
  if (isWebUrl(url)) return
  throw new CliError('--url-base must be a URL such as https://cliente.example.com.')
}

const add = databaseCommand('add', 'add a client, active')
  .argument('<code>', 'the entry code, matched byte for byte')
  .requiredOption('--name <text>', "the client's name")
  .requiredOption('--url-base <url>', "origin of the client's installation")
  .onDatabase(async (db, code, options) => {
    requireWebUrl(options.urlBase)
    if (await findClient(db, code)) throw new CliError('That code exists already.')
    const client = { code, name: options.name, status: 'activo', url_base: options.urlBase }
    await importOrFail(db, { clients: [client] })
    console.log(`Added ${code} ${placeOf(options)}.`)
  })

const change = databaseCommand('change', "change a client's given fields")
  .argument('<code>', 'the entry code, matched byte for byte')
  .option('--name <text>', "the client's name")
  .option('--url-base <url>', "origin of the client's installation")
  .onDatabase(async (db, code, options) => {
    const stored = await findClient(db, code)
    if (!stored) throw new CliError('No client has that code.')
    const { name = stored.name, urlBase: url_base = stored.url_base } = options
    if (options.name === undefined && options.urlBase === undefined) {
      throw new CliError('Say what changes: --name or --url-base.')
    }
    requireWebUrl(url_base)
    await importOrFail(db, { clients: [{ code, name, status: stored.status, url_base }] })
    console.log(`Changed ${code} ${placeOf(options)}.`)
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
  change,
  statusCommand('block', 'make a code invalid', 'bloqueado', 'Blocked'),
  statusCommand('activate', 'make a code valid again', 'activo', 'Activated'),
])
if (import.meta.main) await runCli(program)
