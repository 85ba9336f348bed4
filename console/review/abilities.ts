import type { LogRow } from '../../sdk/api-types.ts'
import { can, signedIn } from '../session/session.ts'

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
