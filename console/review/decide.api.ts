import { type ApiError, dataOf } from '../../sdk/api-client.ts'
import type { LogDetail, LogRow, LogStatus } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { hasStatus } from '../session/client.ts'
import { untilAnswered } from '../session/repeat.ts'
import { signedIn } from '../session/session.ts'
import { groupBy } from '../ui/order.ts'

const { logs, change_logs_status } = api.v2.incidents

const LOGS_PER_REQUEST = 100
const PARALLEL_READS = 6

/** One status change of logs that all have the same status. */
export interface StatusChange {
  log_ids: number[]
  expected_status: LogStatus
  status: LogStatus
  comment?: string | undefined
}

/** A log that was not changed: somebody else decided it first, or the service refused. */
export interface Conflict {
  log_id: number
  status: LogStatus
  by: string
  /** Whether the user decided, in another window or with an act before this one. */
  isOwn: boolean
  at: string
  comment: string | null
  /** The service's reason, if the log cannot be changed although it has the expected status. */
  message?: string | undefined
}

export interface Outcome {
  done: number[]
  conflicts: Conflict[]
  /** The error that stopped the decision. The remaining logs are in neither list. */
  error?: unknown
}

const readLogs = async (ids: number[]): Promise<LogDetail[]> => {
  const query = { limit: 1 }
  const read = (log_id: number) => dataOf(logs[':log_id'].$get({ param: { log_id }, query }))
  const found: LogDetail[] = []
  for (let at = 0; at < ids.length; at += PARALLEL_READS) {
    found.push(...(await Promise.all(ids.slice(at, at + PARALLEL_READS).map(read))))
  }
  return found
}

/** Whether the last decision about a log is this change, made by this user. */
const isOwn = ({ history: [last] }: LogDetail, { status, comment }: StatusChange): boolean =>
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
  const own = found.filter((log) => isOwn(log, change))
  const others = found.filter((log) => !own.includes(log))
  return {
    done: own.map(({ log_id }) => log_id),
    conflicts: others.map((log) =>
      toConflict(log, expected_status, errorOf(log.log_id)?.[0] ?? message),
    ),
  }
}

/** Decides a block of logs, all or none. */
const decideBlock = (change: StatusChange, stop?: AbortSignal): Promise<Outcome> => {
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

/**
 * Groups logs by their status, since a request has one expected status. Logs that already have the
 * new status are left out.
 */
export const planChanges = (
  logs: readonly Pick<LogRow, 'log_id' | 'status'>[],
  status: LogStatus,
  comment?: string,
): StatusChange[] => {
  const undecided = logs.filter((log) => log.status !== status)
  return [...groupBy(undecided, (log) => log.status)].map(([expected_status, group]) => ({
    log_ids: group.map(({ log_id }) => log_id),
    expected_status,
    status,
    comment,
  }))
}

interface Progress {
  /** Called after each block, unless an error stops the decision. */
  onBlock?: (change: StatusChange, outcome: Outcome) => void
  /** Stops the decision before its next block, and ends the wait for a connection. */
  stop?: AbortSignal | undefined
}

/** Decides logs in blocks. Logs that could not be changed are returned as `conflicts`. */
export const decide = async (
  changes: StatusChange[],
  { onBlock, stop }: Progress = {},
): Promise<Outcome> => {
  const total: Outcome = { done: [], conflicts: [] }
  try {
    for (const change of changes) {
      let left = change.log_ids
      while (left.length > 0) {
        if (stop?.aborted) return total
        const block = { ...change, log_ids: left.slice(0, LOGS_PER_REQUEST) }
        const outcome = await decideBlock(block, stop)
        total.done.push(...outcome.done)
        total.conflicts.push(...outcome.conflicts)
        onBlock?.(block, outcome)
        const settled = new Set([...outcome.done, ...outcome.conflicts.map(({ log_id }) => log_id)])
        left = left.filter((id) => !settled.has(id))
      }
    }
    return total
  } catch (error) {
    return { ...total, error }
  }
}
