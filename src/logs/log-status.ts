import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DbError, RuleError } from '../core/db/db-errors.ts'
import { namesTable } from '../core/db/rules.ts'
import { DomainError } from '../core/domain-errors.ts'
import {
  findCurrent,
  type SavedStatus,
  type StatusChange,
  saveStatuses,
} from './log-status.queries.ts'

export type { StatusChange }

/** Which of these ids no log has, in their order. */
export const findUnknownLogIds = async (db: AuthorizedDb, logIds: readonly number[]) => {
  const current = await findCurrent(db, logIds)
  return logIds.filter((id) => !current.has(id))
}

/** Why the logs could not be changed, in the order of the responses: 403, 422, 409. */
const explainRejection = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  { forbidOwn, expectedStatus }: StatusChange,
): Promise<DomainError> => {
  const current = await findCurrent(db, logIds)
  const currentLogs = [...current.values()]
  if (forbidOwn && currentLogs.some((log) => log.own)) return new DomainError('OWN_LOG')

  const unknown = logIds.filter((id) => !current.has(id))
  if (unknown.length > 0) return new DomainError('UNKNOWN_LOG_ID', { logIds: unknown })

  const logs = logIds.flatMap((id) => current.get(id) ?? [])
  const moved = logs.filter(({ status }) => expectedStatus && status !== expectedStatus)
  const locked = logs.filter((log) => log.locked && !moved.includes(log)).map(({ id }) => id)
  const [log] = moved
  if (!log && locked.length > 0) return new DomainError('LOG_CLOSED', { locked })
  // Neither: another request has changed the data since the batch failed.
  return new DomainError('STATUS_MOVED', log && { log, moved, locked })
}

/**
 * Changes the status of logs, each with its comment and its event: all or nothing. Returns the
 * stored values in the order of the ids. A failed write is COMMENT_NOT_SAVED or STATUS_NOT_SAVED.
 */
export const changeLogStatuses = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  change: StatusChange,
): Promise<[SavedStatus, ...SavedStatus[]]> => {
  const saved = await saveStatuses(db, logIds, change).catch(async (cause: unknown) => {
    if (cause instanceof RuleError) throw await explainRejection(db, logIds, change)
    if (cause instanceof DbError) throw cause
    const isOfComment = namesTable(cause, 'log_comments')
    throw new DomainError(isOfComment ? 'COMMENT_NOT_SAVED' : 'STATUS_NOT_SAVED', { cause })
  })
  const positions = new Map(logIds.map((id, position) => [id, position]))
  const position = ({ log_id }: SavedStatus) => positions.get(log_id) ?? 0
  return saved.toSorted((a, b) => position(a) - position(b)) as [SavedStatus, ...SavedStatus[]]
}
