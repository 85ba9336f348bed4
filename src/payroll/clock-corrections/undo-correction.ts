import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import type { LogStatus } from '../../core/values/log-values.ts'
import { readReplacements } from './corrections.queries.ts'
import { type Decision, type Move, saveMoves } from './moves.ts'

/**
 * Undoes a correction: rejects what it added, and gives what it rejected its former status. What
 * somebody has decided since stays. Undoing it again changes nothing.
 * @throws DomainError CLOCK_NOT_FOUND, CORRECTION_NOT_FOUND, OWN_LOG, LOG_CLOSED or STATUS_MOVED
 */
export const undoCorrection = async (
  db: AuthorizedDb,
  { serial, id, comment }: { serial: string; id: number; comment: string },
  decision: Decision,
) => {
  const replacements = await readReplacements(db, serial, id)
  if (replacements.length === 0 || replacements.some(({ is_in_scope }) => !is_in_scope)) {
    throw new DomainError('CORRECTION_NOT_FOUND')
  }
  const undone = replacements.filter(({ status }) => status !== 'rejected')
  if (decision.forbidSelfApproval && undone.some(({ is_of_caller }) => is_of_caller)) {
    throw new DomainError('OWN_LOG')
  }
  const restored = replacements.flatMap(({ wrong_id, wrong_before }): Move[] =>
    wrong_before === null ? [] : [{ log_id: wrong_id, from: 'rejected', to: wrong_before }],
  )
  const rejected = undone.map(
    ({ log_id, status }): Move => ({ log_id, from: status, to: 'rejected' }),
  )
  const moves = [...rejected, ...restored]
  // Who added a log may take it back while nobody has approved it.
  const forbids = (from: LogStatus) => from !== 'pending'
  if (moves.length > 0) await saveMoves(db, moves, { ...decision, comment }, {}, forbids)
  return { id, restored: restored.length, rejected: rejected.length }
}
