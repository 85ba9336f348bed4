/** `npm run branch -- list` and `npm run branch -- zone NAME ZONE --from DAY` */
import { addDays, isTimeZone } from '../../src/core/time-zone.ts'
import { listEmployeesOfPeriod } from '../../src/payroll/people.queries.ts'
import { notBlank } from '../core/option-parsers.ts'
import {
  commandGroup,
  confirmOrFail,
  dayOrFail,
  destructiveCommand,
  listCommand,
  placeOf,
} from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { isBranchInUse } from '../people/employees.queries.ts'
import { changeRule } from './change-rule.ts'
import { listBranches } from './rules-of-days.queries.ts'

const zone = destructiveCommand('zone', 'set the time zone of a branch, from a local day on')
  // The name '' stands for all branches without a zone of their own.
  .argument('<name>', 'the branch', notBlank)
  .argument('<zone>', 'such as America/Tijuana')
  .option(
    '--from <day>',
    'the first day, YYYY-MM-DD; without it, the branch always had the zone',
    notBlank,
  )
  .addHelpText(
    'after',
    '\nDays that a closing has paid keep their zone. Prints the pairs that change. Asks first where no\nemployee is in the branch.',
  )
  .onDatabase(async (db, name, time_zone, options) => {
    if (!isTimeZone(time_zone)) throw new CliError(`There is no time zone ${time_zone}.`)
    const from = options.from && dayOrFail(options.from)
    if (!(await isBranchInUse(db, name))) {
      const warning = `No employee is in the branch ${name}, and a zone is never deleted.`
      await confirmOrFail(`${warning} Set it`, options)
    }
    const rule = { list: 'branches', row: { branch_office: name, time_zone }, from } as const
    await changeRule(db, rule, options, (reader, days) =>
      listEmployeesOfPeriod(
        reader,
        { branch_office: name },
        // The period has one more day on each side, since a log may be on another day in the new
        // zone.
        { from: addDays(days.from, -1), before: addDays(days.to, 1), onPayroll: undefined },
      ),
    )
    const since = from ? ` from ${from} on` : ''
    console.log(`${name} has the zone ${time_zone}${since} ${placeOf(options)}.`)
  })

export const program = commandGroup('branch', 'the branches of the company', [
  listCommand('list the branches with their time zones', 'branches', listBranches),
  zone,
])
if (import.meta.main) await runCli(program)
