import { type ApiError, dataOf } from '../../sdk/api-client.ts'
import type { LogDetail, LogRow, LogStatus } from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { ConsoleError, hasStatus, isLost } from './client.ts'
import { whenOnline } from './connection.ts'
import { signedIn } from './session.ts'

const { logs, change_logs_status } = api.v2.incidents

/** How many logs one request decides. */
const BLOCK = 100
const ATTEMPTS = 3
const RETRY_MS = 500
/** How many logs are read at once. */
const READERS = 6

/** One status change of logs that all have the same status. */
export interface Change {
  log_ids: number[]
  expected_status: LogStatus
  status: LogStatus
  comment?: string | undefined
}

/** A log that somebody else decided first. */
export interface Moved {
  log_id: number
  status: LogStatus
  by: string
  at: string
  comment: string | null
  /** Why it cannot be changed although it has the expected status. */
  message?: string | undefined
}

export interface Outcome {
  done: number[]
  moved: Moved[]
  /** Why the rest was not decided. */
  error?: unknown
}

const readLogs = async (ids: number[]): Promise<LogDetail[]> => {
  const query = { limit: 1 }
  const read = (log_id: number) => dataOf(logs[':log_id'].$get({ param: { log_id }, query }))
  const found: LogDetail[] = []
  for (let at = 0; at < ids.length; at += READERS) {
    found.push(...(await Promise.all(ids.slice(at, at + READERS).map(read))))
  }
  return found
}

/** Whether the last decision about a log is this change, made by this user. */
const isOwn = ({ history: [last] }: LogDetail, { status, comment }: Change): boolean =>
  last?.event === 'decided' &&
  last.user?.id === signedIn().user.id &&
  last.to_status === status &&
  last.comment === (comment ?? null)

const toMoved = (
  { log_id, status, history: [last] }: LogDetail,
  expected_status: LogStatus,
  message: string,
): Moved => ({
  log_id,
  status,
  by: last?.user?.full_name ?? '',
  at: last?.created_at ?? '',
  comment: last?.comment ?? null,
  message: status === expected_status ? message : undefined,
})

/** Reads the logs of a 409. It names them in fields such as `log_ids.3`. */
const readConflict = async (change: Change, { errors, message }: ApiError): Promise<Outcome> => {
  const { log_ids, expected_status } = change
  const errorOf = (id: number) => errors[`log_ids.${log_ids.indexOf(id)}`]
  const named = log_ids.filter(errorOf)
  const found = await readLogs(named.length > 0 ? named : log_ids)
  const own = found.filter((log) => isOwn(log, change))
  const others = found.filter((log) => !own.includes(log))
  return {
    done: own.map(({ log_id }) => log_id),
    moved: others.map((log) => toMoved(log, expected_status, errorOf(log.log_id)?.[0] ?? message)),
  }
}

/**
 * Decides a block, all of it or nothing. When the response is lost, one log shows whether the service
 * did it, and the request is repeated if not. A change that was lost offline is not repeated.
 */
const decideBlock = async (change: Change): Promise<Outcome> => {
  const { log_ids, comment = null } = change
  for (let attempt = 1; ; attempt++) {
    try {
      await dataOf(change_logs_status.$post({ json: { ...change, comment } }))
      return { done: log_ids, moved: [] }
    } catch (error) {
      if (hasStatus(error, 409)) return readConflict(change, error)
      if (!isLost(error) || attempt === ATTEMPTS) throw error
      const wasOffline = !navigator.onLine
      await whenOnline()
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt))
      const [first] = await readLogs(log_ids.slice(0, 1)).catch(() => [])
      if (first && isOwn(first, change)) return { done: log_ids, moved: [] }
      if (wasOffline) throw new ConsoleError('Se perdió la conexión y no se guardó.')
    }
  }
}

/** Groups logs by their status: a request expects one. */
export const planChanges = (
  logs: readonly Pick<LogRow, 'log_id' | 'status'>[],
  status: LogStatus,
  comment?: string,
): Change[] => {
  const undecided = logs.filter((log) => log.status !== status)
  return [...Map.groupBy(undecided, (log) => log.status)].map(([expected_status, group]) => ({
    log_ids: group.map(({ log_id }) => log_id),
    expected_status,
    status,
    comment,
  }))
}

interface Progress {
  /** Called after each request. */
  onBlock?: (change: Change, outcome: Outcome) => void
  shouldStop?: (() => boolean) | undefined
}

/** Decides logs in blocks. Those that others decided first are left out and returned as `moved`. */
export const decide = async (
  changes: Change[],
  { onBlock, shouldStop }: Progress = {},
): Promise<Outcome> => {
  const total: Outcome = { done: [], moved: [] }
  try {
    for (const change of changes) {
      let left = change.log_ids
      while (left.length > 0) {
        if (shouldStop?.()) return total
        const block = { ...change, log_ids: left.slice(0, BLOCK) }
        const outcome = await decideBlock(block)
        total.done.push(...outcome.done)
        total.moved.push(...outcome.moved)
        onBlock?.(block, outcome)
        const settled = new Set([...outcome.done, ...outcome.moved.map(({ log_id }) => log_id)])
        left = left.filter((id) => !settled.has(id))
      }
    }
    return total
  } catch (error) {
    return { ...total, error }
  }
}
