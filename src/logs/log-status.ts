import type { AuthorizedDb } from '../core/db/authorization.ts'
import { namesTable } from '../core/db/raise.ts'
import { DomainError, type ErrorCode, messageOf, messageOfAny } from '../core/errors.ts'
import type { LogStatus } from '../core/values/log-values.ts'
import { type SavedStatus, type StatusChange, saveStatuses } from './log-status.queries.ts'

/** The refusals of `statusStatements`, whose details are `RefusedLogs`. */
const REFUSALS: readonly ErrorCode[] = [
  'UNKNOWN_LOG_ID',
  'STATUS_MOVED',
  'LOG_CLOSED',
  'PAID_WITHOUT_COMMENT',
]

/** What the transaction says of the logs that it did not change. */
interface RefusedLogs {
  ids: readonly number[]
  /** What the status of each of `ids` is now. Only with STATUS_MOVED. */
  statuses?: readonly LogStatus[]
  /** More logs, which the caller may not change because they are paid. Only with STATUS_MOVED. */
  paid?: readonly number[]
}

/** An error about logs, each with its own message. The text is the message of the first log. */
export class LogsError extends DomainError {
  override name = 'LogsError'
  readonly messages: ReadonlyMap<number, string>

  constructor(code: ErrorCode, { ids, statuses = [], paid = [] }: RefusedLogs) {
    // The contract's 422 names the unknown log by its field.
    const named = code !== 'UNKNOWN_LOG_ID' && ids.length > 0
    const status = statuses.length === 1 && { status: statuses[0] }
    super({ code, details: named ? { ids, ...status } : undefined })
    const own = ids.map((id, i) => {
      const details = { ids: [id], status: statuses[i] }
      return [id, messageOfAny({ code, details })] as const
    })
    const others = paid.map((id) => [id, messageOf('LOG_CLOSED', { ids: [id] })] as const)
    this.messages = new Map([...own, ...others])
    this.text = own[0]?.[1] ?? this.text
  }
}

/**
 * Handles the error of a batch with `statusStatements`: names the logs that it refused to change. If
 * a write fails, the error is COMMENT_NOT_SAVED or STATUS_NOT_SAVED.
 */
export const explainFailure = (cause: unknown): never => {
  if (cause instanceof DomainError) {
    if (!REFUSALS.includes(cause.code)) throw cause
    throw new LogsError(cause.code, (cause.details ?? { ids: [] }) as RefusedLogs)
  }
  const code = namesTable(cause, 'log_comments') ? 'COMMENT_NOT_SAVED' : 'STATUS_NOT_SAVED'
  throw new DomainError(code, undefined, { cause })
}

/**
 * Changes the status of all of these logs or none. Each log gets an event, and the comment if one
 * is given. Returns the stored values in the order of the ids.
 */
export const changeLogStatuses = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  change: StatusChange,
): Promise<[SavedStatus, ...SavedStatus[]]> => {
  const saved = await saveStatuses(db, logIds, change).catch(explainFailure)
  const positions = new Map(logIds.map((id, position) => [id, position]))
  const position = ({ log_id }: SavedStatus) => positions.get(log_id) ?? 0
  return saved.toSorted((a, b) => position(a) - position(b)) as [SavedStatus, ...SavedStatus[]]
}
