import type { LogDetail, LogRow } from '../../sdk/api-types.ts'
import { call } from './call.ts'
import { api, hasStatus, isLost } from './client.ts'
import { whenOnline } from './connection.ts'
import { signedIn } from './session.ts'

/** How many logs one call decides. */
const BLOCK = 100
const ATTEMPTS = 3
const RETRY_MS = 500
/** How many logs are read at once. */
const READERS = 6

export type Status = LogRow['status']

/** One status change of logs that all have the same status. */
export interface Change {
  log_ids: number[]
  expected_status: Status
  status: Status
  comment?: string | undefined
}

/** A log that somebody else decided first, as it stands now. */
export interface Moved {
  log_id: number
  status: Status
  by: string
  at: string
  comment: string | null
  /** Why it may not be changed, where its status is still the expected one. */
  refused?: string | undefined
}

export interface Outcome {
  done: number[]
  moved: Moved[]
  /** Why the rest was not decided. */
  error?: unknown
}

/** The connection was lost before the service heard of the decision. */
export class Interrupted extends Error {}

const readLog = (log_id: number): Promise<LogDetail> =>
  call(() => api.v2.incidents.logs[':log_id'].$get({ param: { log_id }, query: { limit: 1 } }))

/** Whether the last decision of a log is the one that was asked for here. */
const isOwn = ({ history: [last] }: LogDetail, { status, comment }: Change): boolean =>
  last?.event === 'decided' &&
  last.user?.id === signedIn().user.id &&
  last.to_status === status &&
  last.comment === (comment ?? null)

const readMany = async (ids: number[]): Promise<LogDetail[]> => {
  const logs: LogDetail[] = []
  for (let at = 0; at < ids.length; at += READERS) {
    logs.push(...(await Promise.all(ids.slice(at, at + READERS).map(readLog))))
  }
  return logs
}

const toMoved = (
  { log_id, status, history: [last] }: LogDetail,
  { expected_status }: Change,
  message: string,
): Moved => ({
  log_id,
  status,
  by: last?.user?.full_name ?? '',
  at: last?.created_at ?? '',
  comment: last?.comment ?? null,
  refused: status === expected_status ? message : undefined,
})

/** The ids that a 409 names, as `log_ids.3`. */
const namedIds = (errors: Record<string, string[]>, ids: number[]): number[] =>
  Object.keys(errors).flatMap((field) => ids[Number(field.split('.')[1])] ?? [])

const send = (change: Change) =>
  call(() =>
    api.v2.incidents.change_logs_status.$post({
      json: { ...change, comment: change.comment ?? null },
    }),
  )

/**
 * Decides up to a hundred logs, all or none. A lost answer is asked for again: one log shows whether
 * the service did it. What was lost for want of a connection is not sent again by itself.
 */
const decideBlock = async (change: Change): Promise<Outcome> => {
  const { log_ids } = change
  for (let attempt = 1; ; attempt++) {
    try {
      await send(change)
      return { done: log_ids, moved: [] }
    } catch (error) {
      if (hasStatus(error, 409)) {
        const named = namedIds(error.errors, log_ids)
        const logs = await readMany(named.length > 0 ? named : log_ids)
        const own = logs.filter((log) => isOwn(log, change)).map(({ log_id }) => log_id)
        const others = logs.filter((log) => !isOwn(log, change))
        const messageOf = ({ log_id }: LogDetail) =>
          error.errors[`log_ids.${log_ids.indexOf(log_id)}`]?.[0] ?? error.message
        const moved = others.map((log) => toMoved(log, change, messageOf(log)))
        return { done: own, moved }
      }
      if (!isLost(error) || attempt === ATTEMPTS) throw error
      const wasOffline = !navigator.onLine
      await whenOnline()
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt))
      const [first] = await readMany(log_ids.slice(0, 1)).catch(() => [])
      if (first && isOwn(first, change)) return { done: log_ids, moved: [] }
      if (wasOffline) throw new Interrupted('Se perdió la conexión y no se guardó.')
    }
  }
}

const without = (change: Change, ids: number[]): Change => {
  const settled = new Set(ids)
  return { ...change, log_ids: change.log_ids.filter((id) => !settled.has(id)) }
}

/** Groups logs by the status that each has: a call expects one. */
export const planChanges = (
  logs: readonly Pick<LogRow, 'log_id' | 'status'>[],
  status: Status,
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
  /** Called after each block. */
  onBlock?: (change: Change, outcome: Outcome) => void
  shouldStop?: () => boolean
}

/** Decides any number of logs in blocks; logs that others decided first are left out and reported. */
export const decide = async (
  changes: Change[],
  { onBlock, shouldStop }: Progress = {},
): Promise<Outcome> => {
  const total: Required<Pick<Outcome, 'done' | 'moved'>> = { done: [], moved: [] }
  const record = (change: Change, outcome: Outcome) => {
    total.done.push(...outcome.done)
    total.moved.push(...outcome.moved)
    onBlock?.(change, outcome)
  }
  try {
    for (const change of changes) {
      for (let at = 0; at < change.log_ids.length; at += BLOCK) {
        let block = { ...change, log_ids: change.log_ids.slice(at, at + BLOCK) }
        while (block.log_ids.length > 0) {
          if (shouldStop?.()) return total
          const outcome = await decideBlock(block)
          record(block, outcome)
          block = without(block, [...outcome.done, ...outcome.moved.map(({ log_id }) => log_id)])
        }
      }
    }
    return total
  } catch (error) {
    return { ...total, error }
  }
}
