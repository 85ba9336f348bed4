/** `npm run closing -- opening ID DAY` */
import { COMMENT_MAX } from '../../src/core/log-values.ts'
import { CancelBody } from '../../src/payroll/payroll.schemas.ts'
import { getEmployee } from '../../src/people/employee-records.ts'
import { actAs, payrollContextOf } from '../core/act-as.ts'
import { commandGroup, databaseCommand, dayOrFail, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { findOpening, insertOpening } from './rules-of-days.queries.ts'

const opening = databaseCommand('opening', 'move the first day of a person that is paid here back')
  .argument('<employee>')
  .argument('<day>', 'an earlier day, YYYY-MM-DD')
  .requiredOption(
    '--as <email>',
    'required: an active user without a limit to branches, in whose name it is stored',
  )
  .requiredOption('--comment <text>', 'required: why')
  .onDatabase(async (db, employee_id, day, options) => {
    const first_day = dayOrFail(day)
    const body = CancelBody.safeParse({ comment: options.comment })
    if (!body.success) {
      throw new CliError(`--comment needs a text of 1 to ${COMMENT_MAX} characters.`)
    }
    const { timeZone, now } = payrollContextOf(options)
    const payer = await actAs(db, options.as, timeZone)
    await getEmployee(payer, employee_id)
    const stored = await findOpening(db, employee_id)
    if (stored && stored <= first_day) {
      throw new CliError(
        `${employee_id} is paid here since ${stored}: only an earlier day may be said.`,
      )
    }
    const { comment } = body.data
    await insertOpening(payer, { employee_id, first_day, comment, at: now.toISOString() })
    console.log(
      `The next closing pays the days before.\n${employee_id} is paid here since ${first_day} ${placeOf(options)}.`,
    )
  })

export const program = commandGroup('closing', 'the first days that are paid here', [opening])
if (import.meta.main) await runCli(program)
