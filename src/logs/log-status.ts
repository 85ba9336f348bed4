import type { AuthorizedDb } from '../core/db/authorization.ts'
import { namesTable } from '../core/db/rules.ts'
import { type DetailsOf, DomainError, messageOf } from '../core/errors.ts'
import {
  findLogStatuses,
  type SavedStatus,
  type StatusChange,
  saveStatuses,
} from './log-status.queries.ts'

export type { StatusChange }

/** Returns the ids of logs that do not exist within the scope, in the given order. */
export const findUnknownLogIds = async (db: AuthorizedDb, logIds: readonly number[]) => {
  const current = await findLogStatuses(db, logIds, [])
  return logIds.filter((id) => !current.has(id))
}

/** Errors of `saveStatuses` with these codes become a `LogsError`, which names the logs. */
const LOG_ERROR_CODES = [
  'UNKNOWN_LOG_ID',
  'STATUS_MOVED',
  'LOG_CLOSED',
  'PAID_WITHOUT_COMMENT',
] as const

type LogErrorCode = (typeof LOG_ERROR_CODES)[number]

/**
 * An error about logs that cannot be changed. Each of these logs has its own message. The error
 * itself has the message of the first log.
 */
export class LogsError extends DomainError {
  override name = 'LogsError'
  readonly messages: ReadonlyMap<number, string>

  /** @param details of the logs that have this code; none if their data has changed meanwhile */
  constructor(
    code: LogErrorCode,
    details: DetailsOf<'STATUS_MOVED'>,
    errors: readonly { id: number; text: string }[],
  ) {
    super({ code, details })
    if (errors[0]) this.text = errors[0].text
    this.messages = new Map(errors.map(({ id, text }) => [id, text]))
  }
}

interface CurrentLog {
  id: number
  status: string
}

const lockedDetails = (logs: readonly CurrentLog[]) => ({ ids: logs.map(({ id }) => id) })

/** The details have the status if there is only one log. */
const movedDetails = (logs: readonly CurrentLog[]): DetailsOf<'STATUS_MOVED'> => {
  const [first] = logs
  if (!first) return undefined
  return { ...lockedDetails(logs), ...(logs.length === 1 && { status: first.status }) }
}

/** Finds out which logs are paid, so that their change needs a comment. */
const explainPaid = async (db: AuthorizedDb, logIds: readonly number[]): Promise<DomainError> => {
  const current = await findLogStatuses(db, logIds, [])
  const paid = logIds.flatMap((id) => current.get(id) ?? []).filter(({ locked }) => locked)
  const text = messageOf('PAID_WITHOUT_COMMENT')
  return new LogsError(
    'PAID_WITHOUT_COMMENT',
    paid.length > 0 ? lockedDetails(paid) : undefined,
    paid.map(({ id }) => ({ id, text })),
  )
}

/**
 * Finds out which logs could not be changed, and why. If any log is unknown, the error is a 422
 * about the unknown logs. Otherwise it is a 409.
 */
const explainRejection = async (
  db: AuthorizedDb,
  logIds: readonly number[],
  { expectedStatus, payRoles }: StatusChange,
): Promise<DomainError> => {
  const current = await findLogStatuses(db, logIds, payRoles)
  const unknown = logIds.filter((id) => !current.has(id))
  if (unknown.length > 0) {
    const text = messageOf('UNKNOWN_LOG_ID')
    return new LogsError(
      'UNKNOWN_LOG_ID',
      undefined,
      unknown.map((id) => ({ id, text })),
    )
  }

  const logs = logIds.flatMap((id) => current.get(id) ?? [])
  const alreadyDecided = logs.filter(({ status }) => expectedStatus && status !== expectedStatus)
  const locked = logs.filter((log) => log.locked && !alreadyDecided.includes(log))
  // If no log is decided or locked, another request has changed the data since the batch failed.
  const isLocked = alreadyDecided.length === 0 && locked.length > 0
  return new LogsError(
    isLocked ? 'LOG_CLOSED' : 'STATUS_MOVED',
    isLocked ? lockedDetails(locked) : movedDetails(alreadyDecided),
    [
      ...alreadyDecided.map((log) => ({
        id: log.id,
        text: messageOf('STATUS_MOVED', movedDetails([log])),
      })),
      ...locked.map((log) => ({ id: log.id, text: messageOf('LOG_CLOSED', lockedDetails([log])) })),
    ],
  )
}

/**
 * Handles the error of a batch with `statusStatements`: names the logs that could not be changed. If
 * a write fails, the error is COMMENT_NOT_SAVED or STATUS_NOT_SAVED.
 */
export const explainFailure =
  (db: AuthorizedDb, logIds: readonly number[], change: StatusChange) =>
  async (cause: unknown): Promise<never> => {
    if (cause instanceof DomainError) {
      if (cause.code === 'PAID_WITHOUT_COMMENT') throw await explainPaid(db, logIds)
      throw LOG_ERROR_CODES.some((code) => code === cause.code)
        ? await explainRejection(db, logIds, change)
        : cause
    }
    const isCommentFailure = namesTable(cause, 'log_comments')
    throw new DomainError(isCommentFailure ? 'COMMENT_NOT_SAVED' : 'STATUS_NOT_SAVED', undefined, {
      cause,
    })
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
  const saved = await saveStatuses(db, logIds, change).catch(explainFailure(db, logIds, change))
  const positions = new Map(logIds.map((id, position) => [id, position]))
  const position = ({ log_id }: SavedStatus) => positions.get(log_id) ?? 0
  return saved.toSorted((a, b) => position(a) - position(b)) as [SavedStatus, ...SavedStatus[]]
}
