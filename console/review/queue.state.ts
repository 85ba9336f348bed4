import type { InfiniteData } from '@tanstack/preact-query'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { createStore } from '../session/store.ts'
import { about, queries } from '../ui/queries.ts'
import type { Conflict } from './decision-texts.ts'
import type { Filter } from './filter.ts'
import { logsQuery, NOTES } from './logs.queries.ts'

/**
 * What has happened to a row since the list was read: the user is deciding its log, the user has
 * decided it, or the log could not be changed.
 */
export interface Mark {
  state: 'deciding' | 'decided' | 'conflict'
  conflict?: Conflict
}

const NOTHING = {
  marks: new Map() as ReadonlyMap<number, Mark>,
  selection: new Map() as ReadonlyMap<number, LogRow>,
}

/** What the user has done in the list of logs. It is kept while one of its logs is open. */
export const queue = createStore({ filter: {} as Filter, ...NOTHING })

/** The list has only its last rows on screen. */
const ROWS_MAX = 200

export type LogPages = InfiniteData<{ logs: LogRow[]; next_cursor: string | null }>

/** The rows on the screen, and the number of rows that were removed to make room for them. */
export const shownOf = (list: LogPages | undefined) => {
  const all = list?.pages.flatMap(({ logs }) => logs) ?? []
  return { rows: all.slice(-ROWS_MAX), dropped: Math.max(0, all.length - ROWS_MAX) }
}

const listOf = (filter: Filter) => queries.getQueryData(logsQuery(filter).queryKey)

export const shownRows = (): LogRow[] => shownOf(listOf(queue.get().filter)).rows

/** The logs before and after a log of the list. Undefined at its ends, and if it is not in the list. */
export const neighborsOf = (
  log_id: number,
): [before?: LogRow | undefined, after?: LogRow | undefined] => {
  const rows = shownRows()
  const at = rows.findIndex((row) => row.log_id === log_id)
  return at === -1 ? [] : [rows[at - 1], rows[at + 1]]
}

/** Reads the first page of the list again, and clears the selection. */
export const reloadQueue = async (): Promise<void> => {
  queue.set(NOTHING)
  queries.removeQueries({ queryKey: NOTES })
  await queries.resetQueries({ queryKey: logsQuery(queue.get().filter).queryKey, exact: true })
  await queries.invalidateQueries({ queryKey: about.logs })
}

/** Begins the list of a filter, unless it is the one that is open. Returns whether it is that one. */
export const openQueue = (filter: Filter): boolean => {
  if (listOf(filter) && JSON.stringify(filter) === JSON.stringify(queue.get().filter)) return true
  queue.set({ ...NOTHING, filter })
  if (listOf(filter)) void reloadQueue()
  return false
}

/** Reads the list again after several logs were decided together, if a list has been opened. */
export const reloadAfterBatch = async (): Promise<void> => {
  if (listOf(queue.get().filter)) await reloadQueue()
}

export const isListDone = (): boolean => {
  const { filter, marks } = queue.get()
  return (
    filter.status === 'pending' &&
    shownRows().every(({ log_id }) => marks.get(log_id)?.state === 'decided')
  )
}

/** Logs by their ids, as the selection has them. */
export const byId = (logs: readonly LogRow[]) => new Map(logs.map((log) => [log.log_id, log]))

/**
 * Marks the rows of logs, in the list and in the selection, and gives them a status if there is one.
 * Decided logs are selected no more.
 * @param mark undefined removes their marks
 */
export const updateLogs = (ids: readonly number[], mark: Mark | undefined, status?: LogStatus) => {
  const changed = new Set(ids)
  const withStatus = <One extends Pick<LogRow, 'log_id' | 'status'>>(one: One): One =>
    changed.has(one.log_id) && status ? { ...one, status } : one
  // A row also shows the other logs of its day, so the statuses of those logs change too.
  // A decided log is not paid: no closing has seen the decision yet.
  const update = (log: LogRow): LogRow => ({
    ...withStatus(log),
    ...(changed.has(log.log_id) && status && status !== log.status && { locked: false }),
    ...(log.nearby && { nearby: log.nearby.map(withStatus) }),
  })
  const { filter, marks, selection } = queue.get()
  queries.setQueryData<LogPages>(
    logsQuery(filter).queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, logs: page.logs.map(update) })),
      },
  )
  const nextMarks = new Map(marks)
  for (const id of ids) {
    if (mark) nextMarks.set(id, mark)
    else nextMarks.delete(id)
  }
  const isDecided = ({ log_id }: LogRow) => mark?.state === 'decided' && changed.has(log_id)
  const selected = [...selection.values()].filter((log) => !isDecided(log))
  queue.set({ marks: nextMarks, selection: byId(selected.map(update)) })
}
