import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { connection } from '../session/connection.ts'
import { can, signedIn } from '../session/session.ts'
import { about, changed } from '../ui/queries.ts'
import { ACTS, countedLogs, KINDS, OFFLINE_MESSAGE, STATUSES } from '../ui/text.ts'
import { clockTime } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import {
  type Conflict,
  decide,
  type Outcome,
  planChanges,
  type StatusChange,
} from './decide.api.ts'
import { type Mark, queue, reloadAfterBatch, updateLogs } from './queue.state.ts'

interface UndoableDecision {
  logs: LogRow[]
  /** The changes that the service has saved so far. */
  changes: StatusChange[]
  /** Resolves when the decision has ended, even if the service did not save all of it. */
  ended: Promise<void>
}

/**
 * The decisions that can be undone, the newest last. They were made since the page was loaded. The
 * service may still be saving some of them.
 */
let decisions: UndoableDecision[] = []

export const describeLog = ({ employee, kind, local_at }: LogRow): string =>
  `${employee.full_name}, ${KINDS[kind].toLowerCase()} ${clockTime(local_at)}`

/** Says why a log was not changed: the service's reason, or the decision that was made first. */
export const describeConflict = (conflict: Conflict): string => {
  const { status, by, isOwn, at, comment, message } = conflict
  if (message) return message
  const reason = comment ? `: «${comment}»` : '.'
  const who = isOwn ? 'Ya la decidiste tú' : `${by || 'Otra persona'} decidió antes`
  return `${who} (${clockTime(at)}, ${STATUSES[status].toLowerCase()})${reason}`
}

/** Announces why the user can decide nothing now. Returns false if the user can decide. */
export const announceIfUnable = (): boolean => {
  if (!connection.get().online) announce(OFFLINE_MESSAGE)
  else if (!can('decide')) announce('Tu usuario consulta, pero no decide checadas.')
  else return false
  return true
}

export const needsComment = (logs: readonly LogRow[], status: LogStatus): boolean =>
  status === 'rejected' ||
  signedIn().require_comment.includes(status) ||
  logs.some(({ locked }) => locked)

/** Whether employees may use an app. The app shows them the comments. */
export const peopleReadComments = (): boolean =>
  signedIn().employee_clock_in || signedIn().employee_requests

/** Says how many people will read a comment in their app. Empty if employees may use no app. */
export const readersNote = (count: number): string => {
  if (!peopleReadComments()) return ''
  return count === 1 ? 'Lo leerá la persona. ' : `Lo leerán ${count} personas. `
}

/** @param mark the mark of the logs that the block decided. Without it, their marks are removed. */
const showBlock = (change: StatusChange, { done, conflicts }: Outcome, mark?: Mark): void => {
  updateLogs(done, mark, change.status)
  for (const one of conflicts)
    updateLogs([one.log_id], { state: 'conflict', conflict: one }, one.status)
}

/** What a decision changes. The list of logs keeps its rows. */
const countAgain = () => changed(about.logs, about.hours)

interface Decision {
  logs: LogRow[]
  status: LogStatus
  comment?: string | undefined
  onProgress?: (decided: number) => void
  stop?: AbortSignal
}

export interface DecisionOutcome extends Outcome {
  /** Whether something was saved, and `undoLast` would undo this decision. */
  undoable: boolean
}

const idsOf = (changes: StatusChange[]): number[] => changes.flatMap(({ log_ids }) => log_ids)

/** Decides logs, marks their rows, and remembers the decision so that it can be undone. */
export const runDecision = async (decision: Decision): Promise<DecisionOutcome> => {
  const { logs, status, comment, onProgress, stop } = decision
  const planned = planChanges(logs, status, comment)
  const all = idsOf(planned)
  const marksBefore = queue.get().marks
  updateLogs(all, { state: 'deciding' })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const entry: UndoableDecision = { logs, changes: [], ended }
  decisions = [...decisions, entry]
  const outcome = await decide(planned, {
    stop,
    onBlock: (change, block) => {
      showBlock(change, block, { state: 'decided' })
      if (block.done.length > 0) entry.changes.push({ ...change, log_ids: block.done })
      onProgress?.(idsOf(entry.changes).length)
    },
  })
  for (const id of all) {
    if (queue.get().marks.get(id)?.state === 'deciding') updateLogs([id], marksBefore.get(id))
  }
  if (entry.changes.length === 0) decisions = decisions.filter((one) => one !== entry)
  countAgain()
  end()
  return { ...outcome, undoable: decisions.at(-1) === entry }
}

/** @param log the log, if the decision was about one log only */
export const summarize = (
  { done, conflicts, error }: Outcome,
  status: LogStatus,
  log?: LogRow,
): string => {
  const { done: doneOne, doneMany } = ACTS[status]
  const sentences: string[] = []
  if (log && done.length === 1) sentences.push(`${doneOne}: ${describeLog(log)}.`)
  else if (done.length > 0) sentences.push(`${doneMany}: ${countedLogs(done.length)}.`)
  const [firstConflict] = conflicts
  if (conflicts.length > 1) {
    sentences.push(`${countedLogs(conflicts.length)} cambiaron antes y quedan como estaban.`)
  } else if (firstConflict) sentences.push(describeConflict(firstConflict))
  if (error !== undefined) sentences.push(messageOf(error))
  return sentences.join(' ')
}

const UNDO_COMMENTS: Record<LogStatus, string> = {
  pending: 'Se deshizo la decisión anterior; queda en revisión.',
  approved: 'Se deshizo la decisión anterior; queda aprobada.',
  rejected: 'Se deshizo la decisión anterior; queda rechazada.',
}

/**
 * Undoes the user's last decision, after it is saved. The logs' history keeps the decision. The
 * undo is a new change.
 */
export const undoLast = async (): Promise<void> => {
  if (announceIfUnable()) return
  const last = decisions.at(-1)
  if (!last) return announce('No hay nada que deshacer.')
  decisions = decisions.slice(0, -1)
  announce('Deshaciendo…')
  const { logs, changes, ended } = last
  await ended
  // The decision's own message says why nothing of it was saved.
  if (changes.length === 0) return
  const back = changes.map(({ log_ids, expected_status, status }) => ({
    log_ids,
    expected_status: status,
    status: expected_status,
    comment: UNDO_COMMENTS[expected_status],
  }))
  const outcome = await decide(back, { onBlock: (change, block) => showBlock(change, block) })
  // It is the last one again, so that the user can try again.
  if (outcome.error !== undefined) decisions = [...decisions, last]
  countAgain()
  const [only] = logs.length === 1 ? logs : []
  const what = only ? describeLog(only) : countedLogs(idsOf(changes).length)
  const undone = outcome.done.length > 0 ? `Se deshizo: ${what}.` : ''
  if (changes.some(({ log_ids }) => log_ids.length > 1)) void reloadAfterBatch()
  announce([undone, summarize({ ...outcome, done: [] }, 'pending')].filter(Boolean).join(' '))
}
