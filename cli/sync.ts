/** `npm run sync -- since|push|pull`: brings the logs of another database in, and decisions back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { parse } from 'csv-parse'
import { ApiError, createClient, dataOf } from '../sdk/api-client.ts'
import type { IntakeItem, IntakeResult, LogChange } from '../sdk/api-types.ts'
import { FIRST_OWN_ID } from '../src/shared/log-values.ts'
import { sourceKey } from '../src/shared/text.ts'
import { CliError, runCli } from './run-cli.ts'

const DAY_MS = 86_400_000

/** The service takes 45 days; a day less, since time passes until a row is sent. */
const OLDEST_DAYS = 44
const ITEMS_A_CALL = 100
const CHANGES_A_CALL = 500

const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Not a whole number.')
  return Number(text)
}

const connect = (url: string) => {
  const token = process.env.CHECADA_TOKEN
  if (!token) throw new CliError('Set CHECADA_TOKEN, as npm run user -- token EMAIL prints it.')
  const fetchOrFail: typeof fetch = async (...request) => {
    for (;;) {
      const response = await fetch(...request).catch(() => undefined)
      if (!response) throw new CliError(`${url} does not respond.`)
      if (response.status !== 429) return response
      await sleep(Number(response.headers.get('Retry-After')) * 1_000)
    }
  }
  return createClient(url.replace(/\/+$/, ''), { token, fetch: fetchOrFail })
}

type Api = ReturnType<typeof connect>

/** Fails with the service's own message. */
const withMessage = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const fields = Object.values(error.errors).flat().join(' ')
    throw new CliError(`${error.status}: ${fields || error.message} (${error.requestId})`)
  }
}

const findSource = async (api: Api, source: string) =>
  (await withMessage(dataOf(api.v2.incidents.sources.$get()))).find(
    (one) => one.source === sourceKey(source),
  )

/** A row of the CSV, with the columns' names. */
type Row = Partial<Record<'log_id' | 'source_id' | 'employee_id' | 'kind' | 'recorded_at', string>>

const toItem = ({ log_id, source_id, employee_id, kind, recorded_at }: Row): IntakeItem => ({
  ...(log_id ? { log_id: Number(log_id) } : { source_id: source_id ?? '' }),
  employee_id: employee_id ?? '',
  kind: kind as IntakeItem['kind'],
  recorded_at: recorded_at ?? '',
})

/** The rows on standard input, in hundreds. */
async function* readHundreds(): AsyncGenerator<IntakeItem[]> {
  // mysql --batch separates its columns by tabs.
  const rows = process.stdin.pipe(
    parse({ columns: true, bom: true, delimiter: [',', '\t'], skip_empty_lines: true }),
  )
  let items: IntakeItem[] = []
  for await (const row of rows) {
    items.push(toItem(row as Row))
    if (items.length < ITEMS_A_CALL) continue
    yield items
    items = []
  }
  if (items.length > 0) yield items
}

const RESULTS = ['created', 'known', 'differs', 'refused'] as const

const since = new Command('since')
  .description('print the moment from which rows are to be sent: a day before what is complete')
  .requiredOption('--url <origin>', 'the address of the service')
  .requiredOption('--source <name>', 'the name of the source')
  .option('--days <count>', 'at least this many days back', wholeNumber, 1)
  .action(async ({ url, source, days }) => {
    const complete = (await findSource(connect(url), source))?.complete_until
    const oldest = Date.now() - OLDEST_DAYS * DAY_MS
    const start = complete ? Date.parse(complete) - days * DAY_MS : oldest
    console.log(new Date(Math.max(start, oldest)).toISOString().slice(0, 19).replace('T', ' '))
  })

const push = new Command('push')
  .description(
    'send the CSV of standard input: log_id or source_id, employee_id, kind, recorded_at',
  )
  .requiredOption('--url <origin>', 'the address of the service')
  .requiredOption('--source <name>', 'the name of the source')
  .option('--complete-until <moment>', 'everything until then is in the CSV (ISO 8601 with zone)')
  .action(async ({ url, source, completeUntil }) => {
    const api = connect(url)
    const send = (body: { logs: IntakeItem[]; complete_until?: string }): Promise<IntakeResult[]> =>
      withMessage(dataOf(api.v2.incidents.logs.$post({ json: { source, ...body } })))
    const counts = { created: 0, known: 0, differs: 0, refused: 0 }
    for await (const logs of readHundreds()) {
      for (const { result } of await send({ logs })) counts[result]++
    }
    // Only now: what failed before has been sent by none of these calls.
    if (completeUntil) await send({ logs: [], complete_until: completeUntil })
    console.log(RESULTS.map((result) => `${counts[result]} ${result}`).join(', '))

    const problems = (await findSource(api, source))?.problems ?? []
    for (const { result, reason, source_id, employee_id, count } of problems) {
      const log = source_id || 'a log without an id'
      const employee = employee_id && ` of employee ${employee_id}`
      console.error(`${reason ?? result}: ${log}${employee}, ${count} times`)
    }
    if (problems.length > 0) process.exitCode = 1
  })

const sqlText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The last decision of each log that the other database numbers. */
const lastDecisions = (changes: readonly LogChange[]): LogChange[] => [
  ...new Map(
    changes.filter(({ log_id }) => log_id < FIRST_OWN_ID).map((change) => [change.log_id, change]),
  ).values(),
]

const pull = new Command('pull')
  .description('print the decisions after an id as SQL for the other database, in one transaction')
  .requiredOption('--url <origin>', 'the address of the service')
  .requiredOption('--after <id>', 'the next_after that the other database keeps', wholeNumber)
  .option('--table <name>', 'its table of logs, with id and status', 'logs')
  .action(async ({ url, after: start, table }) => {
    const api = connect(url)
    const changes: LogChange[] = []
    let after: number = start
    for (;;) {
      const query = { after, limit: CHANGES_A_CALL, event: 'decided' as const }
      const page = await withMessage(dataOf(api.v2.incidents.changes.$get({ query })))
      if (page.next_after === after) break
      changes.push(...page.changes)
      after = page.next_after
    }
    console.log('START TRANSACTION;')
    for (const { log_id, to_status } of lastDecisions(changes)) {
      console.log(`UPDATE ${table} SET status = ${sqlText(to_status)} WHERE id = ${log_id};`)
    }
    console.log(`UPDATE checada_feed SET next_after = ${after};\nCOMMIT;`)
  })

const program = new Command('sync').description(
  'bring logs in from another database, and decisions back',
)
for (const command of [since, push, pull]) program.addCommand(command)
await runCli(program)
