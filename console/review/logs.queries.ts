import { queryOptions } from '@tanstack/preact-query'
import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { HoursDay, LogRow } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { ConsoleError, hasStatus } from '../session/client.ts'
import { rowsOf } from '../session/files.ts'
import { rememberPeople } from '../ui/person.queries.ts'
import { about, pagesQuery } from '../ui/queries.ts'
import { addDays, dayOf, HOUR_MS, laterOf } from '../ui/time.ts'
import { isDecidable } from './abilities.ts'
import type { Filter } from './filter.ts'

const { logs, hours } = api.v2.incidents

/** What is known of the days of the list's rows. */
export const NOTES = [...about.logList, 'notes']

const keys = {
  list: (filter: Filter) => [...about.logList, filter],
  summary: (filter: Filter) => [...about.logs, 'summary', filter],
  notes: (...parts: unknown[]) => [...NOTES, ...parts],
  one: (log_id: number) => [...about.logs, log_id],
}

const PAGE_SIZE = 50

/** As long as a session without a key press. */
const KEPT_MS = 30 * 60_000

/** The list of logs. It is kept while one of its logs is open, and read again when it is asked for. */
export const logsQuery = (filter: Filter) => ({
  ...pagesQuery(keys.list(filter), async (cursor) => {
    const query = { ...filter, nearby: true, limit: PAGE_SIZE, cursor }
    const page = await dataOf(logs.$get({ query }))
    rememberPeople(page.logs.map(({ employee }) => employee))
    return page
  }),
  staleTime: Infinity,
  gcTime: KEPT_MS,
})

const COUNT_PAUSE_MS = 600

/** The counts for every branch and department. The filter's other fields apply to them. */
export const summaryQuery = ({ branch_office: _, department: __, ...query }: Filter) =>
  queryOptions({
    queryKey: keys.summary(query),
    queryFn: async ({ client, queryKey, signal }) => {
      // A series of quick decisions counts once: each ends the read of the one before.
      if (client.getQueryData(queryKey)) await new Promise((go) => setTimeout(go, COUNT_PAUSE_MS))
      signal.throwIfAborted()
      return dataOf(logs.summary.$get({ query }))
    },
  })

/** Reads all logs of a filter that can be decided, even if they are not on the screen. */
export const readDecidableLogs = async (filter: Filter): Promise<LogRow[]> => {
  const decidable: LogRow[] = []
  const query = { ...filter, limit: 200 }
  for await (const page of pagesOf((cursor) => logs.$get({ query: { ...query, cursor } }))) {
    decidable.push(...page.logs.filter(isDecidable))
  }
  return decidable
}

/** The person's logs up to 25 hours before and after are read, as in the list. */
const NEARBY_MS = 25 * HOUR_MS

export const logQuery = (log_id: number) =>
  queryOptions({
    queryKey: keys.one(log_id),
    queryFn: async () => {
      const detail = logs[':log_id'].$get({ param: { log_id }, query: {} })
      const log = await dataOf(detail).catch((error) => {
        throw hasStatus(error, 404) ? new ConsoleError('Esa checada no existe.') : error
      })
      const { employee_id } = log.employee
      const [from, to] = [-NEARBY_MS, NEARBY_MS].map((ms) =>
        new Date(Date.parse(log.recorded_at) + ms).toISOString(),
      )
      const page = await dataOf(logs.$get({ query: { employee_id, from, to, limit: 50 } }))
      return { ...log, nearby: page.logs.filter((one) => one.log_id !== log_id) }
    },
  })

export type HoursQuery = Omit<Parameters<typeof hours.$get>[0]['query'], 'format'>

/** Reads the rows of the hours: days, or the totals of employees or weeks. */
export const readHours = <Row>(query: HoursQuery) =>
  rowsOf<Row>(hours.$get({ query: { ...query, format: 'ndjson' } }))

export const readDays = (query: HoursQuery) => readHours<HoursDay>(query)

export const daysQuery = (query: HoursQuery) =>
  queryOptions({ queryKey: [...about.hours, 'days', query], queryFn: () => readDays(query) })

const NOTED_DAYS = 31

/** Exceptions that the list does not mark, because most days have them before a review. */
const UNMARKED = ['pendientes', 'sin_sincronizar']

type Place = Pick<Filter, 'branch_office' | 'department' | 'employee_id'>

/**
 * By log id, the exceptions of the log's day that are not in `UNMARKED`, and `repetida` if the day
 * has this notice. Logs that are over a month older than the newest log get no notes.
 * @param place what the logs have in common. Only the days of this place are read.
 */
export const notesQuery = (listed: readonly LogRow[], place: Place) => {
  const ids = listed.map(({ log_id }) => log_id)
  return queryOptions({
    queryKey: keys.notes(place, ids),
    queryFn: async () => {
      const notes = new Map<number, string[]>()
      const days = listed.map(({ local_at }) => dayOf(local_at)).sort()
      const [first, to] = [days[0], days.at(-1)]
      if (!first || !to) return notes
      const from = laterOf(first, addDays(to, -NOTED_DAYS))
      // A log may belong to a shift that began the day before.
      const rows = await readDays({ ...place, from: addDays(from, -1), to, preview: true })
      for (const { log_ids, exceptions, notices } of rows) {
        const names: string[] = exceptions.filter((name) => !UNMARKED.includes(name))
        if (notices.includes('repetida')) names.push('repetida')
        if (names.length > 0) for (const id of log_ids) if (ids.includes(id)) notes.set(id, names)
      }
      return notes
    },
    staleTime: Infinity,
  })
}

/**
 * The period in which the effect of a log's rejection is shown. It begins two days before the log's
 * day, since a shift has at most 36 hours. A rejection may also change the following days. Only 28
 * of them are read.
 */
const DAYS_BEFORE = 2
const DAYS_AFTER = 28

/** The days whose hours would change if a log were rejected, with their new hours. */
export const daysIfRejected = ({ log_id, local_at }: LogRow) => {
  const day = dayOf(local_at)
  const period = { from: addDays(day, -DAYS_BEFORE), to: addDays(day, DAYS_AFTER) }
  return queryOptions({
    queryKey: [...about.hours, 'if rejected', log_id],
    queryFn: () => readDays({ ...period, preview: true, preview_rejected: log_id }),
  })
}

/** The days that a log may be part of: its own day, or the day before if a shift began then. */
export const daysOfLog = ({ log_id, employee: { employee_id }, local_at }: LogRow) => {
  const day = dayOf(local_at)
  return queryOptions({
    queryKey: [...about.hours, 'of log', log_id],
    queryFn: () => readDays({ from: addDays(day, -1), to: day, preview: true, employee_id }),
  })
}
