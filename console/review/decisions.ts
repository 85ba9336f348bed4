import { type ApiError, dataOf } from '../../sdk/api-client.ts'
import type { LogDetail, LogRow, LogStatus } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { hasStatus } from '../session/client.ts'
import { untilAnswered } from '../session/repeat.ts'
import { signedIn } from '../session/session.ts'
import { groupBy } from '../ui/order.ts'
import { about, changed } from '../ui/queries.ts'
import { countedLogs } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { announceIfUnable } from './abilities.ts'
import { type Conflict, describeLog, type Outcome, summarize } from './decision-texts.ts'
import { type Mark, queue, reloadAfterBatch, updateLogs } from './queue.state.ts'

const { logs: logsApi, change_logs_status } = api.v2.incidents

const LOGS_PER_REQUEST = 100
const PARALLEL_READS = 6

/** One status change of logs that all have the same status. */
interface StatusChange {
  log_ids: number[]
  expected_status: LogStatus
  status: LogStatus
  comment?: string | undefined
}

const readLogs = async (ids: number[]): Promise<LogDetail[]> => {
  const query = { limit: 1 }
  const read = (log_id: number) => dataOf(logsApi[':log_id'].$get({ param: { log_id }, query }))
  const found: LogDetail[] = []
  for (let at = 0; at < ids.length; at += PARALLEL_READS) {
    found.push(...(await Promise.all(ids.slice(at, at + PARALLEL_READS).map(read))))
  }
  return found
}

/** Whether the last decision about a log is this change, made by this user. */
const hasThisChange = (
  { history: [last] }: LogDetail,
  { status, comment }: StatusChange,
): boolean =>
  last?.event === 'decided' &&
  last.user?.id === signedIn().user.id &&
  last.to_status === status &&
  last.comment === (comment ?? null)

const toConflict = (
  { log_id, status, history: [last] }: LogDetail,
  expected_status: LogStatus,
  message: string,
): Conflict => ({
  log_id,
  status,
  by: last?.user?.full_name ?? '',
  isOwn: last?.user?.id === signedIn().user.id,
  at: last?.created_at ?? '',
  comment: last?.comment ?? null,
  message: status === expected_status ? message : undefined,
})

/**
 * Reads the logs that a 409 response names, in fields such as `log_ids.3`. If it names none, all
 * logs of the change are read. A log that already has this change of this user counts as done.
 */
const readConflict = async (
  change: StatusChange,
  { errors, message }: ApiError,
): Promise<Outcome> => {
  const { log_ids, expected_status } = change
  const errorOf = (id: number) => errors[`log_ids.${log_ids.indexOf(id)}`]
  const named = log_ids.filter(errorOf)
  const found = await readLogs(named.length > 0 ? named : log_ids)
  const saved = found.filter((log) => hasThisChange(log, change))
  const others = found.filter((log) => !saved.includes(log))
  return {
    done: saved.map(({ log_id }) => log_id),
    conflicts: others.map((log) =>
      toConflict(log, expected_status, errorOf(log.log_id)?.[0] ?? message),
    ),
  }
}

/** Sends a block of logs. The service changes all of them or none. */
const sendBlock = (change: StatusChange, stop?: AbortSignal): Promise<Outcome> => {
  const { log_ids, comment = null } = change
  return untilAnswered(async () => {
    try {
      await dataOf(change_logs_status.$post({ json: { ...change, comment } }))
      return { done: log_ids, conflicts: [] }
    } catch (error) {
      if (hasStatus(error, 409)) return readConflict(change, error)
      throw error
    }
  }, stop)
}

interface SaveOptions {
  /** Called after each block with the number of logs that are decided. */
  onProgress?: ((decided: number) => void) | undefined
  /** Stops the decision before its next block, and ends the wait for a connection. */
  stop?: AbortSignal | undefined
}

/**
 * Sends changes in blocks, and shows what came of each block in its rows. Logs that are neither done
 * nor refused are sent again.
 * @param mark the mark of the rows that are done. Without it, their marks are removed.
 */
const save = async (
  changes: StatusChange[],
  mark?: Mark,
  { onProgress, stop }: SaveOptions = {},
): Promise<Outcome> => {
  const total: Outcome = { done: [], conflicts: [] }
  try {
    for (const change of changes) {
      let left = change.log_ids
      while (left.length > 0) {
        if (stop?.aborted) return { ...total, isStopped: true }
        const block = { ...change, log_ids: left.slice(0, LOGS_PER_REQUEST) }
        const { done, conflicts } = await sendBlock(block, stop)
        total.done.push(...done)
        total.conflicts.push(...conflicts)
        updateLogs(done, mark, change.status)
        for (const conflict of conflicts) {
          updateLogs([conflict.log_id], { state: 'conflict', conflict }, conflict.status)
        }
        onProgress?.(total.done.length)
        const settled = new Set([...done, ...conflicts.map(({ log_id }) => log_id)])
        left = left.filter((id) => !settled.has(id))
      }
    }
    return total
  } catch (error) {
    return { ...total, error }
  }
}

/** Groups logs by their status, since a request has one expected status. */
const idsByStatus = (logs: readonly LogRow[]) =>
  [...groupBy(logs, ({ status }) => status)].map(
    ([status, group]) => [status, group.map(({ log_id }) => log_id)] as const,
  )

/** What a decision changes. The list of logs keeps its rows. */
const countAgain = () => changed(about.logs, about.hours)

interface UndoableDecision {
  /** The logs as they were before. */
  logs: LogRow[]
  status: LogStatus
  /** What came of it, once it has ended. */
  saving: Promise<Outcome>
}

/**
 * The decisions that can be undone, the newest last. They were made since the page was loaded. The
 * service may still be saving some of them.
 */
let decisions: UndoableDecision[] = []

interface Decision extends SaveOptions {
  logs: LogRow[]
  status: LogStatus
  comment?: string | undefined
}

/**
 * Decides logs, marks their rows, and remembers the decision so that it can be undone. Logs that
 * already have the status are left out.
 */
export const runDecision = async ({ logs, status, comment, ...options }: Decision) => {
  const toChange = logs.filter((log) => log.status !== status)
  const ids = toChange.map(({ log_id }) => log_id)
  const changes = idsByStatus(toChange).map(([expected_status, log_ids]) => ({
    log_ids,
    expected_status,
    status,
    comment,
  }))
  const marksBefore = queue.get().marks
  updateLogs(ids, { state: 'deciding' })
  const saving = save(changes, { state: 'decided' }, options)
  const decision = { logs, status, saving }
  decisions = [...decisions, decision]
  const outcome = await saving
  for (const id of ids) {
    if (queue.get().marks.get(id)?.state === 'deciding') updateLogs([id], marksBefore.get(id))
  }
  if (outcome.done.length === 0) decisions = decisions.filter((one) => one !== decision)
  countAgain()
  /** Whether something was saved, and `undoLast` would undo this decision. */
  const undoable = decisions.at(-1) === decision
  return { ...outcome, undoable }
}

const UNDO_COMMENTS: Record<LogStatus, string> = {
  pending: 'Se deshizo la decisión anterior; queda en revisión.',
  approved: 'Se deshizo la decisión anterior; queda aprobada.',
  rejected: 'Se deshizo la decisión anterior; queda rechazada.',
}

/**
 * Undoes the user's last decision, after it is saved. The logs' history keeps the decision. The
 * undo is a new change.
 */
export const undoLast = async (): Promise<void> => {
  if (announceIfUnable()) return
  const last = decisions.at(-1)
  if (!last) return announce('No hay nada que deshacer.')
  decisions = decisions.slice(0, -1)
  announce('Deshaciendo…')
  const { logs, status: expected_status, saving } = last
  const saved = new Set((await saving).done)
  // The decision's own message says why nothing of it was saved.
  if (saved.size === 0) return
  const changes = idsByStatus(logs.filter(({ log_id }) => saved.has(log_id)))
  const outcome = await save(
    changes.map(([status, log_ids]) => ({
      log_ids,
      expected_status,
      status,
      comment: UNDO_COMMENTS[status],
    })),
  )
  // It is the last one again, so that the user can try again.
  if (outcome.error !== undefined) decisions = [...decisions, last]
  countAgain()
  const [only] = logs.length === 1 ? logs : []
  const what = only ? describeLog(only) : countedLogs(saved.size)
  const undone = outcome.done.length > 0 ? `Se deshizo: ${what}.` : ''
  if (saved.size > 1) void reloadAfterBatch()
  announce([undone, summarize({ ...outcome, done: [] }, 'pending')].filter(Boolean).join(' '))
}
