/** `npm run demo -- --logs N`: loads the demo data, and adds N generated logs. */
import { Command } from 'commander'
import { withDatabase } from '../core/database.ts'
import { numberLike } from '../core/option-parsers.ts'
import { persistToOption, placeOf } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { addLogs, isAnyDayLocked } from './demo-logs.ts'
import { loadDemo } from './load-demo.ts'

const CLOSED = `A closing has paid days that these logs would be of, and no decided log may be added there.
Nothing was added. Ask for fewer logs, or use another database: --persist-to FOLDER.`

export const program = new Command('demo')
  .description('load the demo data into an empty local database; --logs adds to any database')
  .addOption(persistToOption())
  .option(
    '--logs <count>',
    'add this many generated logs',
    numberLike(/^\d{1,15}$/, 'Not a count.'),
    0,
  )
  .action(async (options) => {
    await withDatabase(options, async (db) => {
      const loaded = await loadDemo(db)
      console.log(
        loaded
          ? `Loaded the demo data ${placeOf(options)}.`
          : 'The database is not empty: no demo data was loaded.',
      )
      if (options.logs === 0) return
      if (await isAnyDayLocked(db, options.logs)) throw new CliError(CLOSED)
      const progress = showProgress('Adding logs')
      await addLogs(db, options.logs, (added) => progress.update(added, options.logs))
      progress.stop()
      console.log(`Added ${options.logs} logs ${placeOf(options)}.`)
    })
  })

if (import.meta.main) await runCli(program)
