/** `npm run source -- list` and `npm run source -- retire NAME` */
import { Command } from 'commander'
import { databaseCommand, placeOf, withDatabase } from './program.ts'
import { listSources, retireSource } from './queries.ts'
import { CliError, runCli } from './run-cli.ts'

const list = databaseCommand('list', 'list the sources of logs').action((options) =>
  withDatabase(options, async (db) => {
    const sources = await listSources(db)
    if (sources.length === 0) console.log('No sources yet.')
    else console.table(sources)
  }),
)

const retire = databaseCommand('retire', 'stop expecting logs of a source; its logs stay')
  .argument('<name>')
  .action((name, options) =>
    withDatabase(options, async (db) => {
      if (!(await retireSource(db, name, new Date())))
        throw new CliError('No source has that name.')
      console.log(`It counts again once it sends anything.\nRetired ${name} ${placeOf(options)}.`)
    }),
  )

const program = new Command('source').description('the time clocks and programs that send logs')
for (const command of [list, retire]) program.addCommand(command)
await runCli(program)
