import { blamesComments, changeStatus, type StatusChange } from '../db/logs.ts'
import type { D1 } from '../db/query.ts'
import { Refused } from './refusal.ts'
import { openSession } from './session.ts'

/**
 * Changes the status of a log, with its comment and its audit row: all or nothing. A log that is
 * gone is refused as unknown; a failure says whether the comment or the status was at fault.
 */
export const changeLogStatus = async (db: D1, change: StatusChange) => {
  const changed = await changeStatus(db, change).catch((cause: unknown) => {
    throw new Refused(blamesComments(cause) ? 'COMMENT_NOT_SAVED' : 'STATUS_NOT_SAVED', { cause })
  })
  return changed ?? refuseChange(db, change)
}

/** Why nothing was written: the token ended or the role changed since the door, or the log is gone. */
const refuseChange = async (db: D1, { caller }: StatusChange): Promise<never> => {
  const session = await openSession(db, caller)
  if (!session) throw new Refused('UNAUTHENTICATED')
  throw new Refused(session.user.role === caller.role ? 'LOG_NOT_FOUND' : 'FORBIDDEN')
}
