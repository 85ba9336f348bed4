/** `npm run sync -- since|push|pull|compare`: exchanges logs and decisions with other databases. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { ApiError, createClient, dataOf } from '../../sdk/api-client.ts'
import type { IntakeItem, IntakeResult } from '../../sdk/api-types.ts'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { FIRST_SERVICE_ID, LOG_STATUSES, SOURCE_MAX } from '../../src/core/values/log-values.ts'
import { sourceKey } from '../../src/core/values/text.ts'
import { addDays, DAY_MS } from '../../src/core/values/time-zone.ts'
import { IntakeItem as ItemSchema } from '../../src/intake/intake.schemas.ts'
import { collectPairs, collectValues, notBlank, numberLike } from '../core/option-parsers.ts'
import { printable } from '../core/printable.ts'
import { commandGroup, dayOrFail } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { compareRows, type ServiceLog } from './compare-rows.ts'
import { FACT_COLUMNS, readSourceRows, type SourceRow } from './sync-rows.ts'

/**
 * The maximum age of the rows to send, in days. It is one day less than the service accepts, since
 * time passes until a row is sent.
 */
const OLDEST_DAYS = 44
const ITEMS_PER_CALL = 100
const CHANGES_PER_CALL = 500

/** The pause after a 429 that does not say how long to wait, in seconds. */
const DEFAULT_PAUSE = 60

const wholeNumber = numberLike(/^\d{1,15}$/, 'Not a whole number.')

const connect = (url: string) => {
  const token = process.env.CHECADA_TOKEN
  if (!token)
    throw new CliError('Set CHECADA_TOKEN to a token: docs/migrating.md says of which user.')
  const fetchOrFail: typeof fetch = async (...request) => {
    for (;;) {
      const response = await fetch(...request).catch(() => undefined)
      if (!response) throw new CliError(`${url} does not respond.`)
      if (response.status !== 429) return response
      await sleep((Number(response.headers.get('Retry-After')) || DEFAULT_PAUSE) * 1_000)
    }
  }
  const origin = url.replace(/\/+$/, '').replace(/\/api$/, '')
  return createClient(origin, { token, fetch: fetchOrFail })
}

type Api = ReturnType<typeof connect>

/** Turns an error of the service into a CliError with the service's message. */
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

const isLogNumber = (text: string): boolean =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) < FIRST_SERVICE_ID

/** An item, and the names of its invalid fields. The service reports only the first one. */
interface SentItem {
  item: IntakeItem
  wrong: string[]
}

const ID_FIELDS = 'log_id or source_id'
const WRONG_COLUMNS = 'number of columns, or no line break at the end'
const CUT_OFF = 'The last row is not whole, so the source does not count as complete.'

const wrongFields = (item: IntakeItem): string[] => {
  const issues = ItemSchema.safeParse(item).error?.issues ?? []
  const names = issues.map(({ path: [field] }) =>
    field === 'source_id' && item.source_id === '' ? ID_FIELDS : String(field),
  )
  return [...new Set(names)]
}

const toItem = ({ line, first, values }: SourceRow): SentItem => {
  const { log_id, source_id = '', employee_id = '', recorded_at = '' } = values ?? {}
  const kind = (values?.kind ?? '') as IntakeItem['kind']
  if (!values || (log_id && !isLogNumber(log_id))) {
    // An invalid item is sent anyway, so that the service lists it as a problem of the source.
    const name = [...(first || `line ${line}`)].slice(0, SOURCE_MAX).join('')
    const item = { source_id: name, employee_id: '', kind: '' as typeof kind, recorded_at: '' }
    return { item, wrong: [values ? 'log_id' : WRONG_COLUMNS] }
  }
  const id = log_id ? { log_id: Number(log_id) } : { source_id }
  const item = { ...id, employee_id, kind, recorded_at }
  return { item, wrong: wrongFields(item) }
}

/** Reads the rows on standard input, and returns them in groups of at most a hundred. */
async function* readHundreds(allowEmpty: boolean): AsyncGenerator<SentItem[]> {
  let items: SentItem[] = []
  const ids = ['log_id', 'source_id'] as const
  for await (const row of readSourceRows(process.stdin, { ids, allowEmpty })) {
    items.push(toItem(row))
    if (items.length < ITEMS_PER_CALL) continue
    yield items
    items = []
  }
  if (items.length > 0) yield items
}

/** Returns the id of an item in the list of problems, which is '' if the id is invalid. */
const problemId = ({ item, wrong }: SentItem): string =>
  wrong.includes(ID_FIELDS) || wrong.includes('source_id')
    ? ''
    : (item.source_id ?? String(item.log_id))

const RESULTS = ['created', 'known', 'differs', 'refused'] as const

const apiCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .requiredOption('--url <origin>', 'the address of the service')

const since = apiCommand(
  'since',
  'print the moment from which rows are to be sent: a day before what is complete',
)
  .requiredOption('--source <name>', 'the name of the source')
  .option('--days <count>', 'at least this many days back', wholeNumber, 1)
  .action(async ({ url, source, days }) => {
    const complete = (await findSource(connect(url), source))?.complete_until
    const oldest = Date.now() - OLDEST_DAYS * DAY_MS
    const start = complete ? Date.parse(complete) - days * DAY_MS : oldest
    console.log(new Date(Math.max(start, oldest)).toISOString().slice(0, 19).replace('T', ' '))
  })

const push = apiCommand(
  'push',
  'send the rows of standard input: log_id or source_id, employee_id, kind, recorded_at',
)
  .requiredOption('--source <name>', 'the name of the source')
  .option(
    '--complete-until <moment>',
    'everything until then is among the rows (ISO 8601 with zone)',
    notBlank,
  )
  .option('--allow-empty', 'the query succeeded, so an empty input means that there are no rows')
  .action(async ({ url, source, completeUntil, allowEmpty = false }) => {
    const api = connect(url)
    const send = (body: { logs: IntakeItem[]; complete_until?: string }): Promise<IntakeResult[]> =>
      withMessage(dataOf(api.v2.incidents.logs.$post({ json: { source, ...body } })))
    const counts = { created: 0, known: 0, differs: 0, refused: 0 }
    const wrongById = new Map<string, string[]>()
    let isLastWrong = false
    for await (const sent of readHundreds(allowEmpty)) {
      isLastWrong = sent.at(-1)?.wrong.length !== 0
      const results = await send({ logs: sent.map(({ item }) => item) })
      for (const { result } of results) counts[result]++
      for (const one of sent) if (one.wrong.length > 0) wrongById.set(problemId(one), one.wrong)
    }
    // This call is the last one. If an earlier call fails, the source must not count as complete.
    if (completeUntil && !isLastWrong) await send({ logs: [], complete_until: completeUntil })
    const counted = RESULTS.map((result) => `${counts[result]} ${result}`)
    console.log(`${counted.join(', ')} at ${url}`)

    const problems = (await findSource(api, source))?.problems ?? []
    for (const { result, reason, detail, source_id, employee_id, count } of problems) {
      const log = source_id || 'a log without an id'
      const employee = employee_id && ` of employee ${employee_id}`
      const wrong = (reason === 'invalid' && wrongById.get(source_id)?.join(', ')) || detail
      const why = wrong ? ` (${wrong})` : ''
      console.error(printable(`${reason ?? result}${why}: ${log}${employee}, ${count} times`))
    }
    if (completeUntil && isLastWrong) console.error(CUT_OFF)
    if (problems.length > 0 || isLastWrong) process.exitCode = 1
  })

const sqlText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const collectWord = collectPairs(
  new RegExp(`^(${LOG_STATUSES.join('|')})=(.+)$`),
  `Not STATUS=WORD; a status is ${LOG_STATUSES.join(', ')}.`,
)

/** Parses the other database's names of the statuses, such as `approved=Aprobado,…`. */
const parseWords = (list: string): Record<string, string> =>
  list.split(',').reduce((words: Record<string, string>, pair) => collectWord(pair, words), {})

const LIMITED = `This token's user is limited to sources or branches, and would miss the other decisions:
an administrator removes these limits, in the console under Usuarios or over the API.`

const BEYOND = `The newest event here is older than --after: was an earlier backup restored here?
Then decisions may be lost here that are there: run compare. To bring all decisions again:
UPDATE checada_feed SET next_after = 0`

const pull = apiCommand(
  'pull',
  'print the decisions after an id as SQL for the other database, in one transaction',
)
  .requiredOption('--after <id>', 'the next_after that the other database keeps', wholeNumber)
  .option('--source <name>', 'the source of push; may be repeated (default: legado)', collectValues)
  .option('--table <name>', 'its table of logs, with id and status', 'logs')
  .option('--words <list>', 'its words: pending=Pendiente,approved=Aprobado', parseWords, {})
  .action(async ({ url, source: sources = ['legado'], after: start, table, words }) => {
    const api = connect(url)
    /** The sources whose rows are of the other database. Imported logs have the source ''. */
    const own = new Set(['', ...sources.map(sourceKey)])
    const others = new Set<string>()
    /** The last status of each log that has a number of the other database. */
    const decided = new Map<number, string>()
    // Reads the last handled event again. If it is missing, the service was restored or replaced.
    let after = Math.max(start - 1, 0)
    for (;;) {
      const query = { after, limit: CHANGES_PER_CALL, event: 'decided' as const }
      const page = await withMessage(dataOf(api.v2.incidents.changes.$get({ query })))
      // The next page begins after this one, so the omitted decisions would never be read.
      if (page.is_limited) throw new CliError(LIMITED)
      if (page.next_after < start) throw new CliError(BEYOND)
      if (page.next_after === after) break
      for (const { id, log_id, source, to_status } of page.changes) {
        if (id <= start || log_id >= FIRST_SERVICE_ID) continue
        if (own.has(source)) decided.set(log_id, to_status)
        else others.add(source)
      }
      after = page.next_after
    }
    if (others.size > 0) {
      const names = [...others].sort().map((name) => `--source ${JSON.stringify(name)}`)
      console.error(`Left out decisions on rows of other sources: ${names.join(' ')}`)
    }
    console.log('START TRANSACTION;')
    for (const [id, status] of decided) {
      const text = sqlText(words[status] ?? status)
      console.log(`UPDATE ${table} SET status = ${text} WHERE id = ${id};`)
    }
    console.log(`UPDATE checada_feed SET next_after = ${after};\nCOMMIT;`)
  })

async function* readStored(api: Api, from: string, to: string): AsyncGenerator<ServiceLog> {
  const query = { format: 'ndjson' as const, from, to }
  const res = await api.v2.incidents.export.$get({ query })
  if (!res.ok) await withMessage(dataOf(Promise.resolve(res) as never))
  const bytes = res.body as unknown as AsyncIterable<Uint8Array>
  for await (const line of linesOf(textOf(bytes))) if (line !== '') yield JSON.parse(line)
}

/** The maximum number of differences of one kind that are printed. */
const PRINTED_MAX = 100

const compare = apiCommand(
  'compare',
  'compare the rows of standard input with the logs of some days, both ways; 1 if any differs',
)
  .requiredOption('--from <day>', 'the first day, YYYY-MM-DD; the rows begin a day earlier')
  .requiredOption('--to <day>', 'the last day; the rows end a day later')
  .action(async ({ url, from, to }) => {
    if (dayOrFail(from) > dayOrFail(to)) throw new CliError(`${from} is after ${to}.`)
    const rows = new Map<string, NonNullable<SourceRow['values']>>()
    const expected = { ids: ['log_id'], facts: [...FACT_COLUMNS, 'status'] } as const
    for await (const { line, values } of readSourceRows(process.stdin, expected)) {
      if (!values) throw new CliError(`Row ${line} is not whole: ${WRONG_COLUMNS}.`)
      const { log_id = '' } = values
      if (rows.has(log_id)) throw new CliError(`Row ${line} has the log_id ${log_id} once more.`)
      rows.set(log_id, values)
    }
    const logs = readStored(connect(url), addDays(from, -2), addDays(to, 2))
    const isLegacy = ({ log_id }: ServiceLog) => log_id < FIRST_SERVICE_ID
    const found = await compareRows(rows, logs, { from, to, isLegacy })
    const { count, changed, missingThere, missingHere } = found
    for (const lines of [changed, missingThere, missingHere]) {
      for (const line of lines.slice(0, PRINTED_MAX)) console.error(printable(line))
      if (lines.length > PRINTED_MAX) console.error(`… and ${lines.length - PRINTED_MAX} more`)
    }
    const differing = changed.length + missingThere.length + missingHere.length
    const missing = `${missingHere.length} missing here, ${missingThere.length} missing there`
    const detail = differing > 0 ? `: ${missing}, ${changed.length} changed` : ''
    console.log(`${count} logs compared, ${differing} differ${detail}`)
    if (differing > 0) process.exitCode = 1
  })

export const program = commandGroup(
  'sync',
  'bring logs in from another database, and decisions back',
  [since, push, pull, compare],
)
if (import.meta.main) await runCli(program)
