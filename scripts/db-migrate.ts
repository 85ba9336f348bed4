import { Command } from 'commander'
import { migrateLocal } from '../cli/core/local-database.ts'
import { persistToOption, placeOf } from '../cli/core/program.ts'
import { runCli } from '../cli/core/run-cli.ts'

const program = new Command('db:migrate')
  .description('apply the migrations to the local database, which is created if there is none')
  .addOption(persistToOption())
  .action(async ({ persistTo }) => {
    await migrateLocal(persistTo)
    console.log(`All migrations are applied ${placeOf({ persistTo })}.`)
  })

await runCli(program)
