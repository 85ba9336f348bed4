import { dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { LogRow, LogStatus, LogSummary } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { messageOf } from '../session/client.ts'
import { can, signedIn } from '../session/session.ts'
import { createStore } from '../session/store.ts'
import { rememberPeople } from '../ui/person.queries.ts'
import { addDays, laterOf } from '../ui/time.ts'
import { readDays } from './days.api.ts'
import type { Conflict } from './decide.api.ts'
import type { Filter } from './filter.ts'

const { logs: logsApi } = api.v2.incidents

/**
 * What has happened to a row since the list was read: the user is deciding its log, the user has
 * decided it, or the log could not be changed.
 */
export interface Mark {
  state: 'deciding' | 'decided' | 'conflict'
  conflict?: Conflict
}

const PAGE_SIZE = 50
const ROWS_MAX = 200

const EMPTY = {
  rows: [] as LogRow[],
  next: null as string | null,
  /** The number of rows that were removed from the screen to make room for later ones. */
  dropped: 0,
  loading: true,
  error: undefined as string | undefined,
  marks: new Map() as ReadonlyMap<number, Mark>,
  /**
   * By log id: the exceptions of the log's day that are not in `UNMARKED`, and `repetida` if the
   * day has this notice.
   */
  notes: new Map() as ReadonlyMap<number, string[]>,
  /** Why the notes of some rows could not be read. */
  notesProblem: undefined as string | undefined,
  selection: new Map() as ReadonlyMap<number, LogRow>,
}

/** The list of logs. It is kept while one of its logs is open. */
export const queue = createStore({
  filter: {} as Filter,
  /** The counts for every branch and department. The filter's other fields apply to them. */
  summary: undefined as LogSummary | undefined,
  ...EMPTY,
})

/** Counts the lists that were requested. A response that belongs to an earlier list is dropped. */
let listing = 0

const requestPage = (filter: Filter, cursor?: string) =>
  dataOf(logsApi.$get({ query: { ...filter, nearby: true, limit: PAGE_SIZE, cursor } }))

const requestSummary = async (): Promise<void> => {
  const { branch_office: _, department: __, ...query } = queue.get().filter
  const current = listing
  const summary = await dataOf(logsApi.summary.$get({ query }))
  if (current === listing) queue.set({ summary })
}

const sameSummary = (a: Filter, b: Filter) =>
  JSON.stringify({ ...a, branch_office: 0, department: 0 }) ===
  JSON.stringify({ ...b, branch_office: 0, department: 0 })

const NOTED_DAYS = 31

/** Exceptions that the list does not mark, because most days have them before a review. */
const UNMARKED = ['pendientes', 'sin_sincronizar']

/**
 * Reads the notes of logs. Logs that are over a month older than the newest log get no notes.
 * @param place what the logs have in common. Only the days of this place are read.
 */
export const readNotes = async (
  logs: readonly LogRow[],
  place: Pick<Filter, 'branch_office' | 'department' | 'employee_id'>,
): Promise<Map<number, string[]>> => {
  const notes = new Map<number, string[]>()
  const days = logs.map(({ local_at }) => local_at.slice(0, 10)).sort()
  const [first, to] = [days[0], days.at(-1)]
  if (!first || !to) return notes
  const from = laterOf(first, addDays(to, -NOTED_DAYS))
  // A log may belong to a shift that began the day before.
  const rows = await readDays({ ...place, from: addDays(from, -1), to, preview: true })
  const ids = new Set(logs.map(({ log_id }) => log_id))
  for (const { log_ids, exceptions, notices } of rows) {
    const names: string[] = exceptions.filter((name) => !UNMARKED.includes(name))
    if (notices.includes('repetida')) names.push('repetida')
    if (names.length > 0) for (const id of log_ids) if (ids.has(id)) notes.set(id, names)
  }
  return notes
}

/** Adds notes to rows on the screen. If the notes cannot be read, the list says so. */
const noteRows = async (logs: readonly LogRow[]): Promise<void> => {
  const current = listing
  const { branch_office, department, employee_id } = queue.get().filter
  const place = { branch_office, department, employee_id }
  try {
    const notes = await readNotes(logs, place)
    if (current === listing) queue.set({ notes: new Map([...queue.get().notes, ...notes]) })
  } catch (error) {
    if (current === listing) queue.set({ notesProblem: messageOf(error) })
  }
}

/** Reads a page and adds its rows to the list, which keeps only its last 200 rows on screen. */
const readPage = async (cursor?: string): Promise<void> => {
  const current = listing
  queue.set({ loading: true, error: undefined })
  try {
    const [page] = await Promise.all([
      requestPage(queue.get().filter, cursor),
      cursor === undefined && requestSummary(),
    ])
    if (current !== listing) return
    const { rows, dropped } = queue.get()
    const all = [...rows, ...page.logs]
    queue.set({
      rows: all.slice(-ROWS_MAX),
      next: page.next_cursor,
      dropped: dropped + Math.max(0, all.length - ROWS_MAX),
      loading: false,
    })
    rememberPeople(page.logs.map(({ employee }) => employee))
    void noteRows(page.logs)
  } catch (error) {
    if (current === listing) queue.set({ loading: false, error: messageOf(error) })
  }
}

/** Reads the first page of a filter's logs and clears the selection. */
export const loadQueue = async (filter: Filter): Promise<void> => {
  listing++
  const { filter: before, summary } = queue.get()
  queue.set({ ...EMPTY, filter, summary: sameSummary(before, filter) ? summary : undefined })
  await readPage()
}

/** Makes the list read its rows again when it is shown the next time. */
export const forgetQueue = (): void => queue.set(EMPTY)

export const reloadQueue = () => loadQueue(queue.get().filter)

export const loadMore = async (): Promise<void> => {
  const { next } = queue.get()
  if (next) await readPage(next)
}

/** Reads the list again after several logs were decided together, if a list has been opened. */
export const reloadAfterBatch = async (): Promise<void> => {
  if (queue.get().summary) await reloadQueue()
}

export const isListDone = (): boolean => {
  const { filter, rows, marks } = queue.get()
  const isDecided = ({ log_id }: LogRow) => marks.get(log_id)?.state === 'decided'
  return filter.status === 'pending' && rows.every(isDecided)
}

let summaryTimer: ReturnType<typeof setTimeout> | undefined

/** Reads the counts again, once for a series of quick decisions. */
export const refreshSummary = (): void => {
  clearTimeout(summaryTimer)
  // Before a list has been opened there is no filter, and the summary would count every log.
  if (!queue.get().summary) return
  summaryTimer = setTimeout(() => requestSummary().catch(() => {}), 600)
}

const byId = (logs: readonly LogRow[]) => new Map(logs.map((log) => [log.log_id, log]))

export const toggleSelected = (log: LogRow, selected: boolean): void => {
  const selection = new Map(queue.get().selection)
  if (selected) selection.set(log.log_id, log)
  else selection.delete(log.log_id)
  queue.set({ selection })
}

/**
 * Whether the user may decide a log. An installation can forbid users to decide their own logs.
 * Logs that users requested are always decided by somebody else.
 */
export const mayDecide = ({ own, source }: Pick<LogRow, 'own' | 'source'>): boolean => {
  const { forbid_self_approval } = signedIn()
  return can('decide') && !(own && (forbid_self_approval || source.startsWith('request:')))
}

/** Whether the user may decide a log now. A paid log is decided by users who may also pay. */
export const isDecidable = (log: Pick<LogRow, 'own' | 'source' | 'locked'>): boolean =>
  mayDecide(log) && (!log.locked || can('pay'))

/** The rows on the screen that have no mark and that can be decided. */
export const openRows = (): LogRow[] => {
  const { rows, marks } = queue.get()
  return rows.filter((log) => !marks.has(log.log_id) && isDecidable(log))
}

export const selectPage = (selected: boolean): void =>
  queue.set({ selection: byId(selected ? openRows() : []) })

/** Reads all logs of a filter that can be decided, even if they are not on the screen. */
export const readDecidableLogs = async (filter: Filter): Promise<LogRow[]> => {
  const decidable: LogRow[] = []
  const query = { ...filter, limit: 200 }
  for await (const { logs } of pagesOf((cursor) => logsApi.$get({ query: { ...query, cursor } }))) {
    decidable.push(...logs.filter(isDecidable))
  }
  return decidable
}

/** Selects every log of the list that can be decided, and returns their number. */
export const selectAllMatching = async (): Promise<number> => {
  const current = listing
  const logs = await readDecidableLogs(queue.get().filter)
  if (current === listing) queue.set({ selection: byId(logs) })
  return logs.length
}

export const updateLogs = (ids: readonly number[], mark: Mark | undefined, status?: LogStatus) => {
  const changed = new Set(ids)
  const { rows, marks, selection } = queue.get()
  const withStatus = <One extends Pick<LogRow, 'log_id' | 'status'>>(one: One): One =>
    changed.has(one.log_id) && status ? { ...one, status } : one
  // A row also shows the other logs of its day, so the statuses of those logs change too.
  // A decided log is not paid: no closing has seen the decision yet.
  const update = (log: LogRow): LogRow => ({
    ...withStatus(log),
    ...(changed.has(log.log_id) && status && status !== log.status && { locked: false }),
    ...(log.nearby && { nearby: log.nearby.map(withStatus) }),
  })
  const nextMarks = new Map(marks)
  for (const id of ids) {
    if (mark) nextMarks.set(id, mark)
    else nextMarks.delete(id)
  }
  const isDecided = ({ log_id }: LogRow) => mark?.state === 'decided' && changed.has(log_id)
  const selected = [...selection.values()].filter((log) => !isDecided(log))
  queue.set({ rows: rows.map(update), marks: nextMarks, selection: byId(selected.map(update)) })
}
