/** `npm run branch -- list` and `npm run branch -- zone NAME ZONE --from DAY` */
import { Command } from 'commander'
import { isDate, isTimeZone } from '../src/shared/time-zone.ts'
import { databaseCommand, placeOf, withDatabase } from './program.ts'
import { branchExists, insertZone, listBranches } from './queries.ts'
import { CliError, runCli } from './run-cli.ts'

const list = databaseCommand('list', 'list the branches with their time zones').action((options) =>
  withDatabase(options, async (db) => {
    const branches = await listBranches(db)
    if (branches.length === 0) console.log('No branches yet.')
    else console.table(branches)
  }),
)

const zone = databaseCommand('zone', 'set the time zone of a branch, from a local day on')
  .argument('<name>')
  .argument('<zone>', 'such as America/Tijuana')
  .option('--from <day>', 'the first day, YYYY-MM-DD; without it, the branch always had the zone')
  .action((name, time_zone, options) =>
    withDatabase(options, async (db) => {
      const { from: valid_from = '' } = options
      if (!isTimeZone(time_zone)) throw new CliError(`There is no time zone ${time_zone}.`)
      if (valid_from !== '' && !isDate(valid_from)) throw new CliError('--from needs a day.')
      if (!(await branchExists(db, name))) {
        console.error(`Warning: no employee is in the branch ${name}.`)
      }
      await insertZone(db, { branch_office: name, valid_from, time_zone })
      const from = valid_from && ` from ${valid_from} on`
      console.log(`${name} has the zone ${time_zone}${from} ${placeOf(options)}.`)
    }),
  )

const program = new Command('branch').description('the branches of the company')
for (const command of [list, zone]) program.addCommand(command)
await runCli(program)
