import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { type Change, decide, type Moved, type Outcome, planChanges } from '../api/decide.ts'
import { signedIn } from '../api/session.ts'
import { ACTS, countLogs, KINDS, OFFLINE, OWN, STATUSES } from '../text.ts'
import { clockTime } from '../time.ts'
import { mayDecide, queue, refreshSummary, relistAfterMany, updateLogs } from './queue.ts'
import { announce, ui } from './ui.ts'

/** What was decided here, the last one at the end: each may be undone. */
let decided: { changes: Change[]; what: string }[] = []

export const describeLog = ({ employee, kind, local_at }: LogRow): string =>
  `${employee.full_name}, ${KINDS[kind].toLowerCase()} ${clockTime(local_at)}`

/** Who decided first, what and why. */
export const describeMoved = ({ status, by, at, comment, message }: Moved): string => {
  if (message) return message
  const reason = comment ? `: «${comment}»` : '.'
  return `${by || 'Otra persona'} decidió antes (${clockTime(at)}, ${STATUSES[status].toLowerCase()})${reason}`
}

/** Says why nothing can be decided now. */
const refuse = (): boolean => {
  if (!connection.get().online) announce(OFFLINE)
  else if (!signedIn().user.may_decide) announce('Tu usuario consulta, pero no decide checadas.')
  else return false
  return true
}

export const needsComment = (status: LogStatus): boolean =>
  status === 'rejected' || signedIn().require_comment.includes(status)

/** Who will read a comment, where people have an app that shows it. */
export const readByPeople = (count: number): string => {
  if (!signedIn().employee_clock_in) return ''
  return count === 1 ? 'Lo leerá la persona. ' : `Lo leerán ${count} personas. `
}

/** Marks what a block has changed. */
const showBlock = (change: Change, { done, moved }: Outcome): void => {
  updateLogs(done, { state: 'decided' }, change.status)
  for (const one of moved) updateLogs([one.log_id], { state: 'moved', moved: one }, one.status)
}

const countAgain = (): void => {
  refreshSummary()
  ui.set({ decisions: ui.get().decisions + 1 })
}

export interface Decision {
  logs: LogRow[]
  status: LogStatus
  comment?: string | undefined
  onProgress?: (decided: number) => void
  shouldStop?: () => boolean
}

/** Decides logs, marks their rows, and remembers how to undo it. */
export const runDecision = async ({
  logs,
  status,
  comment,
  onProgress,
  shouldStop,
}: Decision): Promise<Outcome> => {
  const changes = planChanges(logs, status, comment)
  const all = changes.flatMap(({ log_ids }) => log_ids)
  const marksBefore = queue.get().marks
  updateLogs(all, { state: 'deciding' })
  const undoable: Change[] = []
  const outcome = await decide(changes, {
    ...(shouldStop && { shouldStop }),
    onBlock: (change, block) => {
      showBlock(change, block)
      if (block.done.length > 0) undoable.push({ ...change, log_ids: block.done })
      onProgress?.(undoable.reduce((sum, { log_ids }) => sum + log_ids.length, 0))
    },
  })
  for (const id of all) {
    if (queue.get().marks.get(id)?.state === 'deciding') updateLogs([id], marksBefore.get(id))
  }
  const [only] = logs.length === 1 ? logs : []
  const count = outcome.done.length
  const what = only ? describeLog(only) : countLogs(count)
  if (count > 0) decided = [...decided, { changes: undoable, what }]
  countAgain()
  return outcome
}

/** What happened, in a sentence. */
export const summarize = (
  { done, moved, error }: Outcome,
  status: LogStatus,
  log?: LogRow,
): string => {
  const { done: one, doneMany } = ACTS[status]
  const sentences = [
    log && done.length === 1 && `${one}: ${describeLog(log)}.`,
    !(log && done.length === 1) && done.length > 0 && `${doneMany}: ${countLogs(done.length)}.`,
    moved.length === 1 && moved[0] && describeMoved(moved[0]),
    moved.length > 1 && `${countLogs(moved.length)} cambiaron antes y quedan como estaban.`,
    error !== undefined && messageOf(error),
  ]
  return sentences.filter((sentence) => sentence).join(' ')
}

/**
 * Decides at once, or asks first: for a reason, or because it is about many.
 * @param note what the person should know of many logs, which then are always asked about
 */
export const requestDecision = async (
  logs: LogRow[],
  status: LogStatus,
  note?: string,
): Promise<boolean> => {
  const { marks } = queue.get()
  const open = logs.filter(
    (log) => log.status !== status && marks.get(log.log_id)?.state !== 'deciding' && mayDecide(log),
  )
  if (refuse()) return false
  if (logs.length > 0 && !logs.some(mayDecide)) {
    announce(OWN)
    return false
  }
  const [first] = open
  if (!first) {
    if (logs.length > 0) announce(`Ya está: ${STATUSES[status].toLowerCase()}.`)
    return false
  }
  if (open.length > 1 || note || needsComment(status)) {
    ui.set({ deciding: { logs: open, status, note } })
    return false
  }
  announce(`${ACTS[status].act}: ${describeLog(first)}…`)
  const running = runDecision({ logs: open, status })
  void running.then((outcome) =>
    announce(summarize(outcome, status, first), { undoable: outcome.done.length > 0 }),
  )
  return true
}

const UNDONE: Record<LogStatus, string> = {
  pending: 'Se deshizo la decisión anterior; queda en revisión.',
  approved: 'Se deshizo la decisión anterior; queda aprobada.',
  rejected: 'Se deshizo la decisión anterior; queda rechazada.',
}

/** Changes the last decision back, as an audited change of its own. */
export const undoLast = async (): Promise<void> => {
  if (refuse()) return
  const last = decided.at(-1)
  if (!last) return announce('No hay nada que deshacer.')
  decided = decided.slice(0, -1)
  const back = last.changes.map(({ log_ids, expected_status, status }) => ({
    log_ids,
    expected_status: status,
    status: expected_status,
    comment: UNDONE[expected_status],
  }))
  const onBlock = (change: Change, { done, moved }: Outcome) => {
    updateLogs(done, undefined, change.status)
    for (const one of moved) updateLogs([one.log_id], { state: 'moved', moved: one }, one.status)
  }
  announce('Deshaciendo…')
  const outcome = await decide(back, { onBlock })
  if (outcome.error !== undefined) decided = [...decided, last]
  countAgain()
  const undone = outcome.done.length > 0 ? `Se deshizo: ${last.what}.` : ''
  if (last.changes.some(({ log_ids }) => log_ids.length > 1)) void relistAfterMany()
  announce([undone, summarize({ ...outcome, done: [] }, 'pending')].filter(Boolean).join(' '))
}
