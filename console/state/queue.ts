import { dataOf } from '../../sdk/api-client.ts'
import type { LogRow, LogStatus, LogSummary } from '../../sdk/api-types.ts'
import { api } from '../api/api.ts'
import { messageOf } from '../api/client.ts'
import type { Moved } from '../api/decide.ts'
import { readDays } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { addDays } from '../time.ts'
import type { Filter } from './filter.ts'
import { createStore } from './store.ts'

/** The list of logs, which stays while one of them is looked at. */

/** What happened to a row since it was listed. */
export interface Mark {
  state: 'deciding' | 'decided' | 'moved'
  moved?: Moved
}

interface Queue {
  filter: Filter
  rows: LogRow[]
  next: string | null
  /** How many rows made place for later ones. */
  dropped: number
  loading: boolean
  error?: string | undefined
  /** Counts of the filter without its branch and department: both are choices of the page. */
  summary?: LogSummary | undefined
  marks: ReadonlyMap<number, Mark>
  /** What is to be known of the day of a log, in the words of hours. */
  notes: ReadonlyMap<number, string[]>
  selection: ReadonlyMap<number, LogRow>
}

const PAGE = 50
const ROWS_MAX = 200

export const queue = createStore<Queue>({
  filter: {},
  rows: [],
  next: null,
  dropped: 0,
  loading: true,
  marks: new Map(),
  notes: new Map(),
  selection: new Map(),
})

/** Answers to an earlier question are dropped. */
let question = 0

const requestPage = (filter: Filter, cursor?: string) =>
  dataOf(api.v2.incidents.logs.$get({ query: { ...filter, nearby: true, limit: PAGE, cursor } }))

const requestSummary = async (): Promise<void> => {
  const { branch_office: _, department: __, ...filter } = queue.get().filter
  const asked = question
  const summary = await dataOf(api.v2.incidents.logs.summary.$get({ query: filter }))
  if (asked === question) queue.set({ summary })
}

const failed = (error: unknown) => queue.set({ loading: false, error: messageOf(error) })

const sameFilter = (a: Filter, b: Filter) =>
  JSON.stringify({ ...a, branch_office: 0, department: 0 }) ===
  JSON.stringify({ ...b, branch_office: 0, department: 0 })

const NOTED_DAYS = 31

/** Exceptions that most days have while they are reviewed: a mark for them would say nothing. */
const OF_MANY = ['pendientes', 'sin_sincronizar']

/** The exceptions of the days of logs, by log: what the last month of them has. */
export const readNotes = async (logs: readonly LogRow[]): Promise<Map<number, string[]>> => {
  const days = logs.map(({ local_at }) => local_at.slice(0, 10)).toSorted()
  const [first, to] = [days[0], days.at(-1)]
  if (!first || !to) return new Map()
  const [, from = first] = [first, addDays(to, -NOTED_DAYS)].toSorted()
  const { branch_office, department, employee_id } = queue.get().filter
  const place = { branch_office, department, employee_id }
  // The shift of a log may have begun the day before.
  const query = { ...place, from: addDays(from, -1), to, preview: true }
  const rows = await readDays(query)
  const ids = new Set(logs.map(({ log_id }) => log_id))
  const notes = new Map<number, string[]>()
  for (const { log_ids, exceptions, notices } of rows) {
    const names: string[] = exceptions.filter((name) => !OF_MANY.includes(name))
    if (notices.includes('repetida')) names.push('repetida')
    if (names.length > 0) for (const id of log_ids) if (ids.has(id)) notes.set(id, names)
  }
  return notes
}

/** Marks rows once the list is there: it never waits for them. */
const noteRows = async (logs: readonly LogRow[]): Promise<void> => {
  const asked = question
  const notes = await readNotes(logs).catch(() => new Map<number, string[]>())
  if (asked === question) queue.set({ notes: new Map([...queue.get().notes, ...notes]) })
}

/** Lists a filter from its beginning; what was selected under another filter is not any more. */
export const loadQueue = async (filter: Filter): Promise<void> => {
  const asked = ++question
  const { filter: before, summary } = queue.get()
  queue.set({
    filter,
    rows: [],
    next: null,
    dropped: 0,
    loading: true,
    error: undefined,
    summary: sameFilter(before, filter) ? summary : undefined,
    marks: new Map(),
    notes: new Map(),
    selection: new Map(),
  })
  try {
    const [page] = await Promise.all([requestPage(filter), requestSummary()])
    if (asked !== question) return
    queue.set({ rows: page.logs, next: page.next_cursor, loading: false })
    void noteRows(page.logs)
  } catch (error) {
    if (asked === question) failed(error)
  }
}

export const reloadQueue = () => loadQueue(queue.get().filter)

/** Adds the next page; at most 200 rows stay on screen, the last ones. */
export const loadMore = async (): Promise<void> => {
  const { filter, next, rows } = queue.get()
  if (!next) return
  const asked = question
  queue.set({ loading: true, error: undefined })
  try {
    const page = await requestPage(filter, next)
    if (asked !== question) return
    const all = [...rows, ...page.logs]
    queue.set({
      rows: all.slice(-ROWS_MAX),
      next: page.next_cursor,
      dropped: queue.get().dropped + Math.max(0, all.length - ROWS_MAX),
      loading: false,
    })
    void noteRows(page.logs)
  } catch (error) {
    if (asked === question) failed(error)
  }
}

/** Lists again, where a list is open, what many decisions at once have changed. */
export const relistAfterMany = async (): Promise<void> => {
  if (queue.get().summary) await reloadQueue()
}

/** Whether everything that waited on screen has been decided. */
export const isListDone = (): boolean => {
  const { filter, rows, marks } = queue.get()
  const isDecided = ({ log_id }: LogRow) => marks.get(log_id)?.state === 'decided'
  return filter.status === 'pending' && rows.every(isDecided)
}

let summaryTimer: ReturnType<typeof setTimeout> | undefined

/** Counts again once a series of decisions has paused. */
export const refreshSummary = (): void => {
  clearTimeout(summaryTimer)
  // Where no list is open there is nothing to count, and no filter that bounds it.
  if (!queue.get().summary) return
  summaryTimer = setTimeout(() => requestSummary().catch(() => {}), 600)
}

export const toggleSelected = (log: LogRow, selected: boolean): void => {
  const selection = new Map(queue.get().selection)
  if (selected) selection.set(log.log_id, log)
  else selection.delete(log.log_id)
  queue.set({ selection })
}

/** Whether the user may decide a log: some installations let nobody decide their own. */
export const mayDecide = ({ own }: Pick<LogRow, 'own'>): boolean => {
  const { user, forbid_self_approval } = signedIn()
  return user.may_decide && !(forbid_self_approval && own)
}

/** The rows on screen that may still be decided. */
export const openRows = (): LogRow[] => {
  const { rows, marks } = queue.get()
  return rows.filter((log) => !marks.has(log.log_id) && mayDecide(log))
}

export const selectPage = (selected: boolean): void =>
  queue.set({ selection: new Map(selected ? openRows().map((log) => [log.log_id, log]) : []) })

/** Every log that matches now and that the user may decide, on screen or not. */
export const readOpenLogs = async (filter: Filter): Promise<LogRow[]> => {
  const found: LogRow[] = []
  let cursor: string | undefined
  do {
    const query = { ...filter, limit: 200, cursor }
    const page = await dataOf(api.v2.incidents.logs.$get({ query }))
    found.push(...page.logs.filter(mayDecide))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return found
}

/** Selects every log that matches now and that the user may decide. Returns how many there are. */
export const selectAllMatching = async (): Promise<number> => {
  const asked = question
  const found = await readOpenLogs(queue.get().filter)
  if (asked === question) queue.set({ selection: new Map(found.map((log) => [log.log_id, log])) })
  return found.length
}

/** Changes how logs stand, in the list and in the selection. */
export const updateLogs = (ids: readonly number[], mark: Mark | undefined, status?: LogStatus) => {
  const changed = new Set(ids)
  const { rows, marks, selection } = queue.get()
  const stand = <One extends Pick<LogRow, 'log_id' | 'status'>>(one: One): One =>
    changed.has(one.log_id) && status ? { ...one, status } : one
  // Other rows of the day show it too.
  const update = (log: LogRow): LogRow => ({
    ...stand(log),
    ...(log.nearby && { nearby: log.nearby.map(stand) }),
  })
  const nextMarks = new Map(marks)
  for (const id of ids) {
    if (mark) nextMarks.set(id, mark)
    else nextMarks.delete(id)
  }
  const kept = [...selection.values()].filter(
    ({ log_id }) => !(mark?.state === 'decided' && changed.has(log_id)),
  )
  queue.set({
    rows: rows.map(update),
    marks: nextMarks,
    selection: new Map(kept.map((log) => [log.log_id, update(log)])),
  })
}
