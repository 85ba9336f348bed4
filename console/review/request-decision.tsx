import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { ask } from '../ui/ask.tsx'
import { ACTS, lockedText, OWN_LOG_MESSAGE, STATUSES } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { announceIfUnable, isDecidable, mayDecide, needsComment } from './abilities.ts'
import { type Answer, type Asked, DecisionDialog } from './decision-dialog.tsx'
import { describeLog, summarize } from './decision-texts.ts'
import { runDecision } from './decisions.ts'
import { focusAfterDecision, focusRemembered } from './focus.ts'
import { isListDone, queue, reloadAfterBatch } from './queue.state.ts'

const isSaving = ({ log_id }: LogRow): boolean =>
  queue.get().marks.get(log_id)?.state === 'deciding'

/** Decides with the dialog. With other logs, it is another one. */
const askToDecide = async (asked: Asked): Promise<void> => {
  const answer = await ask<Answer>((close) => <DecisionDialog {...asked} onClose={close} />)
  if (!answer) return focusRemembered()
  if ('instead' in answer) return askToDecide(answer.instead)
  if (asked.logs.length > 1 && !answer.isStopped && isListDone()) await reloadAfterBatch()
  focusAfterDecision(answer.done)
}

/** Decides one log at once. The focus moves on while it is saved. */
const decideNow = async (log: LogRow, status: LogStatus): Promise<void> => {
  announce(`${ACTS[status].act}: ${describeLog(log)}…`)
  const saving = runDecision({ logs: [log], status })
  focusAfterDecision([log.log_id])
  const outcome = await saving
  announce(summarize(outcome, status, log), { undoable: outcome.undoable })
}

/** Says why there is nothing to decide: others decide it, it is paid, it is being saved, or it is so already. */
const announceNothing = (logs: LogRow[], status: LogStatus): void => {
  if (!logs.some(mayDecide)) announce(OWN_LOG_MESSAGE)
  else if (!logs.some(isDecidable)) announce(lockedText(false))
  else if (logs.some(isSaving)) announce('Todavía se está guardando.')
  else announce(`Ya está: ${STATUSES[status].toLowerCase()}.`)
}

/**
 * Decides one log without the dialog. Opens the dialog if a comment is required, if several logs
 * can be decided, or if a note is given. Then the focus goes to the row that comes next.
 * @param note a text that the dialog shows
 */
export const requestDecision = (logs: LogRow[], status: LogStatus, note?: string): void => {
  if (announceIfUnable() || logs.length === 0) return
  const toChange = logs.filter((log) => log.status !== status && !isSaving(log) && isDecidable(log))
  const [first] = toChange
  if (!first) announceNothing(logs, status)
  else if (toChange.length > 1 || note || needsComment(toChange, status)) {
    void askToDecide({ logs: toChange, status, note })
  } else void decideNow(first, status)
}
