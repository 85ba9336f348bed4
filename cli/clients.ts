/** `npm run client -- list|add|block|activate CODE` */
import { Command } from 'commander'
import { findClient } from '../src/db/clients.ts'
import { Fault, importOrFail, onDatabase, printTable, start, withDatabase } from './program.ts'
import { listClients, setClientStatus } from './queries.ts'

const list = onDatabase('list', 'list the clients').action((options) =>
  withDatabase(options, async (db) => {
    const clients = await listClients(db)
    printTable(
      clients.map(({ code, name, status, url_base }) => ({ code, name, status, url_base })),
    )
    if (clients.length === 0) console.log('No clients yet.')
  }),
)

const add = onDatabase('add', 'add a client, active')
  .argument('<code>', 'the entry code, matched byte for byte')
  .requiredOption('--name <text>', "the client's name")
  .requiredOption('--url-base <url>', "base URL of the client's installation")
  .action((code, options) =>
    withDatabase(options, async (db) => {
      if (await findClient(db, code)) throw new Fault('That code exists already.')
      const client = { code, name: options.name, status: 'activo', url_base: options.urlBase }
      await importOrFail(db, { clients: [client] })
      console.log(`Added ${code}.`)
    }),
  )

/** A command that gives a client its status. */
const statusCommand = (name: string, description: string, status: string, done: string) =>
  onDatabase(name, description)
    .argument('<code>', 'the entry code, matched byte for byte')
    .action((code, options) =>
      withDatabase(options, async (db) => {
        if (!(await setClientStatus(db, code, status))) throw new Fault('No client has that code.')
        console.log(`${done} ${code}.`)
      }),
    )

const program = new Command('client').description('the clients and their entry codes')
program.addCommand(list)
program.addCommand(add)
program.addCommand(statusCommand('block', 'make a code answer "blocked"', 'bloqueado', 'Blocked'))
program.addCommand(statusCommand('activate', 'make a code valid again', 'activo', 'Activated'))
await start(program)
