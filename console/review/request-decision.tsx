import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { ask } from '../ui/ask.tsx'
import { ACTS, OWN_LOG_MESSAGE, STATUSES } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { mayDecide } from './abilities.ts'
import { type Asked, DecisionDialog } from './decision-dialog.tsx'
import { announceIfUnable, describeLog, needsComment, runDecision, summarize } from './decisions.ts'
import { queue } from './queue.state.ts'

/** Opens the dialog. With other logs, it is another one. */
const askToDecide = async (asked: Asked): Promise<void> => {
  const other = await ask<Asked>((close) => <DecisionDialog {...asked} onClose={close} />)
  if (other) await askToDecide(other)
}

/**
 * Decides one log without the dialog. Opens the dialog if a comment is required, if several logs
 * can be decided, or if a note is given.
 * @param note a text that the dialog shows
 * @returns whether a log is being decided without the dialog
 */
export const requestDecision = async (
  logs: LogRow[],
  status: LogStatus,
  note?: string,
): Promise<boolean> => {
  if (announceIfUnable() || logs.length === 0) return false
  if (!logs.some(mayDecide)) {
    announce(OWN_LOG_MESSAGE)
    return false
  }
  const { marks } = queue.get()
  const undecided = logs.filter(
    (log) => log.status !== status && marks.get(log.log_id)?.state !== 'deciding' && mayDecide(log),
  )
  const [first] = undecided
  if (!first) {
    const isSaving = logs.some(({ log_id }) => marks.get(log_id)?.state === 'deciding')
    announce(
      isSaving ? 'Todavía se está guardando.' : `Ya está: ${STATUSES[status].toLowerCase()}.`,
    )
    return false
  }
  if (undecided.length > 1 || note || needsComment(undecided, status)) {
    void askToDecide({ logs: undecided, status, note })
    return false
  }
  announce(`${ACTS[status].act}: ${describeLog(first)}…`)
  void runDecision({ logs: undecided, status }).then((outcome) =>
    announce(summarize(outcome, status, first), { undoable: outcome.undoable }),
  )
  return true
}
