import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { connection } from '../session/connection.ts'
import { can, signedIn } from '../session/session.ts'
import { OFFLINE_MESSAGE } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'

/** Announces why the user can decide nothing now. Returns false if the user can decide. */
export const announceIfUnable = (): boolean => {
  if (!connection.get().online) announce(OFFLINE_MESSAGE)
  else if (!can('decide')) announce('Tu usuario consulta, pero no decide checadas.')
  else return false
  return true
}

/**
 * Whether the user may decide a log. An installation can forbid users to decide their own logs.
 * Logs that users requested are always decided by somebody else.
 */
export const mayDecide = ({ own, source }: Pick<LogRow, 'own' | 'source'>): boolean => {
  const { forbid_self_approval } = signedIn()
  return can('decide') && !(own && (forbid_self_approval || source.startsWith('request:')))
}

/** Whether the user may decide a log now. A paid log is decided by users who may also pay. */
export const isDecidable = (log: Pick<LogRow, 'own' | 'source' | 'locked'>): boolean =>
  mayDecide(log) && (!log.locked || can('pay'))

export const needsComment = (logs: readonly LogRow[], status: LogStatus): boolean =>
  status === 'rejected' ||
  signedIn().require_comment.includes(status) ||
  logs.some(({ locked }) => locked)
