import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { signedIn } from '../session/session.ts'
import { ACTS, countedLogs, KINDS, STATUSES } from '../ui/text.ts'
import { clockTime } from '../ui/time.ts'

/** A log that was not changed: somebody else decided it first, or the service refused. */
export interface Conflict {
  log_id: number
  status: LogStatus
  by: string
  /** Whether the user decided, in another window or with an act before this one. */
  isOwn: boolean
  at: string
  comment: string | null
  /** The service's reason, if the log cannot be changed although it has the expected status. */
  message?: string | undefined
}

/** What came of a decision. */
export interface Outcome {
  done: number[]
  conflicts: Conflict[]
  /** The error that stopped the decision. The remaining logs are in neither list. */
  error?: unknown
  /** Whether the user stopped the decision before all logs were sent. */
  isStopped?: boolean
}

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

/** @param log the log, if the decision was about one log only */
export const summarize = (outcome: Outcome, status: LogStatus, log?: LogRow): string => {
  const { done, conflicts, error, isStopped } = outcome
  const { done: doneOne, doneMany } = ACTS[status]
  const sentences: string[] = []
  if (log && done.length === 1) sentences.push(`${doneOne}: ${describeLog(log)}.`)
  else if (done.length > 0) sentences.push(`${doneMany}: ${countedLogs(done.length)}.`)
  const [firstConflict] = conflicts
  if (conflicts.length > 1) {
    sentences.push(`${countedLogs(conflicts.length)} cambiaron antes y quedan como estaban.`)
  } else if (firstConflict) sentences.push(describeConflict(firstConflict))
  if (error !== undefined) sentences.push(messageOf(error))
  if (isStopped) sentences.push('Se detuvo: el resto queda como estaba.')
  return sentences.join(' ')
}

/** Whether employees may use an app. The app shows them the comments. */
export const peopleReadComments = (): boolean =>
  signedIn().employee_clock_in || signedIn().employee_requests

/** Says how many people will read a comment in their app. Empty if employees may use no app. */
export const readersNote = (count: number): string => {
  if (!peopleReadComments()) return ''
  return count === 1 ? 'Lo leerá la persona. ' : `Lo leerán ${count} personas. `
}
