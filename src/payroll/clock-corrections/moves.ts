import type { AuthorizedDb } from '../../core/db/authorization.ts'
import type { Statements } from '../../core/db/query.ts'
import type { LogStatus } from '../../core/values/log-values.ts'
import { type StatusChange, statusStatements } from '../../logs/log-status.queries.ts'
import { explainFailure } from '../../logs/log-status.ts'

/** Everything but the statuses and the comment of a change of logs. */
export type Decision = Omit<StatusChange, 'status' | 'comment' | 'expectedStatus'>

export interface Move {
  log_id: number
  from: LogStatus
  to: LogStatus
}

/**
 * Moves each log from its status to another one, and runs more statements, as one transaction, all or
 * nothing. One comment is of all moves.
 * @param forbids whether callers may not move logs of their own from a status, if that is ever forbidden
 */
export const saveMoves = async <More extends Statements>(
  db: AuthorizedDb,
  moves: readonly Move[],
  decision: Decision & { comment: string },
  more: More,
  forbids: (from: LogStatus) => boolean = () => true,
) => {
  const user_id = db.claims.userId
  const groups = [...Map.groupBy(moves, ({ from, to }) => `${from} ${to}`)]
  const changeOf = ({ from, to }: Pick<Move, 'from' | 'to'>): StatusChange => ({
    ...decision,
    status: to,
    expectedStatus: from,
    forbidSelfApproval: decision.forbidSelfApproval && forbids(from),
  })
  const saving = db.batch((scope) => {
    const statements = groups.flatMap(([name, ofGroup]) => {
      const [first] = ofGroup
      if (!first) return []
      const ids = ofGroup.map(({ log_id }) => log_id)
      const ofChange = statusStatements(ids, changeOf(first), { user_id, scope })
      return Object.entries(ofChange).map(([key, one]) => [`${name} ${key}`, one] as const)
    })
    return { ...Object.fromEntries(statements), ...more }
  })
  return saving.catch(explainFailure)
}
