/** `npm run closing -- preview|close|list|lines|unlock|cancel|opening` */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option, type OptionValues } from 'commander'
import type * as z from 'zod/mini'
import { COMMENT_MAX } from '../../src/core/log-values.ts'
import { addDays } from '../../src/core/time-zone.ts'
import { closingFile } from '../../src/payroll/closing-rows.http.ts'
import { readPersonLines } from '../../src/payroll/closing-rows.ts'
import { listClosings } from '../../src/payroll/closings.queries.ts'
import {
  cancelClosing,
  getClosing,
  makeClosing,
  previewClosing,
  toClosing,
} from '../../src/payroll/closings.ts'
import { CancelBody, ClosingBody, UnlockBody } from '../../src/payroll/payroll.schemas.ts'
import { listUnlocks } from '../../src/payroll/unlocks.queries.ts'
import { unlockDays } from '../../src/payroll/unlocks.ts'
import { getEmployee } from '../../src/people/employee-records.ts'
import { actAs, actAsOperator, payrollContextOf } from '../core/act-as.ts'
import { requireNoFile, writeNewFile } from '../core/new-file.ts'
import { collectPairs, numberLike } from '../core/option-parsers.ts'
import {
  commandGroup,
  confirmOrFail,
  databaseCommand,
  dayOrFail,
  placeOf,
} from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, ignoreEndOfReader, runCli } from '../core/run-cli.ts'
import { findOpening, insertOpening } from './rules-of-days.queries.ts'

const LISTED_MAX = 100

const AS_HELP = `
--as names an active user without a limit to branches, in whose name it is stored. The role is the
operator's choice: PAYROLL_ROLES are not asked for here. TIME_ZONE and MAX_SHIFT_HOURS are those of
the installation.`

const closingId = numberLike(/^[1-9]\d{0,14}$/, 'Not the number of a closing.')
const collectOpening = collectPairs(/^(.+)=(.+)$/, 'Not ID=DAY.')

const writingCommand = (name: string, description: string) =>
  databaseCommand(name, description)
    .requiredOption('--as <email>', 'the user in whose name it is stored')
    .addHelpText('after', AS_HELP)

const withSelection = <C extends Command>(command: C): C =>
  command
    .option('--group <name>', 'who is in this payroll group now; "" for those without one')
    .addOption(
      new Option('--person <id>', 'one person, such as for a settlement').conflicts('group'),
    )

const withFirstDays = <C extends Command>(command: C): C =>
  withSelection(command)
    .argument('<day>', 'the first day that stays open, YYYY-MM-DD')
    .option('--from <day>', 'the first day that is paid here, of all who are taken first')
    .option('--opening <id=day>', 'the same of one person; may be repeated', collectOpening)

/** The English messages for invalid fields, since the messages of the schemas are in Spanish. */
const RULES: Record<string, string> = {
  comment: `--comment needs a text of 1 to ${COMMENT_MAX} characters.`,
  payroll_group: '--group has an invalid character.',
  employee_id: '--person has an invalid character.',
}

/** Parses options with the schema that the API uses for the body of the request. */
const parseOrFail = <Schema extends z.ZodMiniType>(schema: Schema, body: object) => {
  const { success, data, error } = schema.safeParse(body)
  if (!success) {
    const wrong = error.issues.map(({ path: [name = ''] }) => RULES[String(name)])
    throw new CliError(wrong.map((rule) => rule ?? 'A day must be a date, YYYY-MM-DD.').join('\n'))
  }
  return data as z.output<Schema>
}

interface Selected {
  payroll_group: string | null
  employee_id: string | null
}

const selectionOf = ({ group = null, person = null }: OptionValues): Selected => ({
  payroll_group: group,
  employee_id: person,
})

const requestOf = (day: string, options: OptionValues) => {
  const { from, opening: openings, leavePending = false } = options
  const selection = selectionOf(options)
  const fields = { before: day, ...selection, from, openings, comment: options.comment }
  const { before, comment = null } = parseOrFail(ClosingBody, fields)
  return { ...selection, before, from, openings, leavePending, comment }
}

const hours = (seconds: number): string => `${(seconds / 3600).toFixed(2)} h`

const whomOf = ({ payroll_group, employee_id }: Selected): string => {
  if (employee_id !== null) return employee_id
  if (payroll_group === null) return 'everybody'
  return payroll_group === '' ? 'those without a group' : `the group ${payroll_group}`
}

type Preview = Awaited<ReturnType<typeof previewClosing>>
type Closing = ReturnType<typeof toClosing> & Partial<Preview>

const print = (closing: Preview | Closing): void => {
  const { inverted_days = 0, inverted_seconds = 0, closed_already: earlier } = closing as Closing
  const lines = [
    `${whomOf(closing)} until ${addDays(closing.before, -1)}: people ${closing.people}, days ${closing.days}`,
    `of the period:      ${hours(closing.period_seconds)}`,
    `of earlier days:    ${hours(closing.added_seconds)}`,
    `to deduct:          ${hours(closing.deducted_seconds)}`,
    `held:               ${hours(closing.held_seconds)}`,
    `pending logs:       ${closing.pending}, ${closing.pending_of_period} of the period`,
    `days to look at:    ${closing.exceptions_left}`,
    ...(inverted_days > 0
      ? [`may be inverted:    ${hours(inverted_seconds)}, days ${inverted_days}`]
      : []),
    ...(earlier
      ? [
          `closed already:     ${earlier.id}, until ${addDays(earlier.before, -1)}, by ${earlier.user.full_name}`,
        ]
      : []),
    ...(closing.unsynced.length > 0 ? [`not complete:       ${closing.unsynced.join(', ')}`] : []),
  ]
  console.log(lines.join('\n'))
}

const preview = withFirstDays(
  databaseCommand('preview', 'print what a closing would come to; nothing is written'),
).onDatabase(async (db, day, options) => {
  const context = payrollContextOf(options)
  const reader = await actAsOperator(db, options)
  const closing = await previewClosing(reader, requestOf(day, options), context)
  print(closing)
  if (closing.first_taken.length === 0) return
  console.log('\nTaken for the first time; `close` needs --from, or --opening for each:')
  console.table(closing.first_taken)
})

const close = withFirstDays(writingCommand('close', 'pay people up to a day, and store it'))
  .option('--leave-pending', 'close although logs are pending; their days are held')
  .option('--comment <text>', 'stored with the closing')
  .option('--yes', 'do it without asking')
  .onDatabase(async (db, day, options) => {
    const context = payrollContextOf(options)
    const payer = await actAs(db, options.as, context.timeZone)
    const request = requestOf(day, options)
    const until = addDays(request.before, -1)
    await confirmOrFail(`This pays ${whomOf(request)} until ${until}. Close`, options)
    const progress = showProgress('Closing')
    const closing = await makeClosing(payer, request, context, ({ done, total }) =>
      progress.update(done, total),
    ).finally(progress.stop)
    print(closing)
    console.log(`Closed as ${closing.id} ${placeOf(options)}.`)
  })

const list = databaseCommand(
  'list',
  `list the newest ${LISTED_MAX} closings and unlocks`,
).onDatabase(async (db, options) => {
  const reader = await actAsOperator(db, options)
  const page = { beforeId: Number.MAX_SAFE_INTEGER, limit: LISTED_MAX }
  const closings = (await listClosings(reader, page)).map(toClosing)
  if (closings.length === 0) return console.log('No closings yet.')
  console.table(
    closings.map((closing) => ({
      id: closing.id,
      until: addDays(closing.before, -1),
      whom: whomOf(closing),
      people: closing.people,
      paid: hours(closing.period_seconds + closing.added_seconds),
      to_deduct: hours(closing.deducted_seconds),
      by: closing.user.full_name,
      comment: closing.comment ?? '',
      cancelled: closing.cancelled?.comment ?? '',
    })),
  )
  const unlocks = await listUnlocks(reader, LISTED_MAX)
  if (unlocks.length === 0) return
  console.log('Unlocks')
  console.table(
    unlocks.map(({ id, from, to, comment, user, ...selected }) => {
      return { id, from, to, whom: whomOf(selected), by: user.full_name, comment }
    }),
  )
})

/** Writes to standard output, which a reader such as `head` may close early. */
const writeOut = (chunks: AsyncIterable<string>): Promise<void> =>
  pipeline(Readable.from(chunks), process.stdout, { end: false }).catch(ignoreEndOfReader)

const lines = databaseCommand('lines', 'write what a closing pays, a row for each day')
  .argument('<id>', "the closing's number", closingId)
  .argument('<file>', 'a new file, or - for standard output')
  .addOption(new Option('--by <rows>', 'a row for each').choices(['employee', 'week']))
  .addOption(new Option('--format <format>').choices(['csv', 'ndjson']).default('csv'))
  .onDatabase(async (db, id: number, path: string, { by, format, ...target }) => {
    requireNoFile(path)
    const reader = await actAsOperator(db, target)
    const closing = await getClosing(reader, id)
    const progress = showProgress('Writing')
    const counted = async function* () {
      let people = 0
      for await (const page of readPersonLines(reader, id)) {
        yield page
        people += page.length
        if (path !== '-') progress.update(people, closing.people)
      }
    }
    const { formats, pages } = closingFile(counted(), by)
    const { head, line } = formats[format as keyof typeof formats]
    const chunks = async function* () {
      yield head
      for await (const rows of pages) yield rows.map(line).join('')
    }
    await (path === '-' ? writeOut(chunks()) : writeNewFile(path, chunks())).finally(progress.stop)
    if (path !== '-') console.log(`Wrote closing ${id}, people ${closing.people}, to ${path}.`)
  })

const unlock = withSelection(
  writingCommand('unlock', 'let logs of days be decided again, until the next closing'),
)
  .argument('<from>', 'the first day')
  .argument('<to>', 'the last day')
  .requiredOption('--comment <text>', 'why')
  .onDatabase(async (db, from, to, options) => {
    const context = payrollContextOf(options)
    const body = { from, to, ...selectionOf(options), comment: options.comment }
    const { comment } = parseOrFail(UnlockBody, body)
    const request = { from, to, ...selectionOf(options), comment }
    const id = await unlockDays(await actAs(db, options.as, context.timeZone), request, context)
    console.log(
      `What was paid stands; the next closing pays the difference.\nUnlocked as ${id} ${placeOf(options)}.`,
    )
  })

const cancelCommand = writingCommand('cancel', 'cancel a closing by which nobody was paid')
  .argument('<id>', "the closing's number", closingId)
  .requiredOption('--comment <text>', 'why')
  .onDatabase(async (db, id: number, options) => {
    const { comment } = parseOrFail(CancelBody, { comment: options.comment })
    const context = payrollContextOf(options)
    const payer = await actAs(db, options.as, context.timeZone)
    await cancelClosing(payer, { id, comment }, context)
    console.log(`The next closing pays its days again.\nCancelled ${id} ${placeOf(options)}.`)
  })

const opening = writingCommand('opening', 'move the first day of a person that is paid here back')
  .argument('<employee>')
  .argument('<day>', 'an earlier day, YYYY-MM-DD')
  .requiredOption('--comment <text>', 'why')
  .onDatabase(async (db, employee_id, day, options) => {
    const first_day = dayOrFail(day)
    const { comment } = parseOrFail(CancelBody, { comment: options.comment })
    const { timeZone, now } = payrollContextOf(options)
    const payer = await actAs(db, options.as, timeZone)
    await getEmployee(payer, employee_id)
    const said = await findOpening(db, employee_id)
    if (said && said <= first_day) {
      throw new CliError(
        `${employee_id} is paid here since ${said}: only an earlier day may be said.`,
      )
    }
    await insertOpening(payer, { employee_id, first_day, comment, at: now.toISOString() })
    console.log(
      `The next closing pays the days before.\n${employee_id} is paid here since ${first_day} ${placeOf(options)}.`,
    )
  })

export const program = commandGroup('closing', 'what is paid, and to whom', [
  preview,
  close,
  list,
  lines,
  unlock,
  cancelCommand,
  opening,
])
if (import.meta.main) await runCli(program)
