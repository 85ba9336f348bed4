import { dataOf } from '../../sdk/api-client.ts'
import type { LogDetail, LogRow } from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { hasStatus, Interrupted, isLost } from './client.ts'
import { whenOnline } from './connection.ts'
import { signedIn } from './session.ts'

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
  message?: string | undefined
}

export interface Outcome {
  done: number[]
  moved: Moved[]
  /** Why the rest was not decided. */
  error?: unknown
}

const readLog = (log_id: number): Promise<LogDetail> =>
  dataOf(api.v2.incidents.logs[':log_id'].$get({ param: { log_id }, query: { limit: 1 } }))

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
  message: status === expected_status ? message : undefined,
})

/** The ids that a 409 names, as `log_ids.3`. */
const namedIds = (errors: Record<string, string[]>, ids: number[]): number[] =>
  Object.keys(errors).flatMap((field) => ids[Number(field.split('.')[1])] ?? [])

const send = (change: Change) =>
  dataOf(
    api.v2.incidents.change_logs_status.$post({
      json: { ...change, comment: change.comment ?? null },
    }),
  )

/**
 * Decides up to a hundred logs, all or none. A lost answer is asked for again: one log shows whether
 * the service did it. What was lost for want of a connection is not sent again by itself.
 */
export const decideBlock = async (change: Change): Promise<Outcome> => {
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
