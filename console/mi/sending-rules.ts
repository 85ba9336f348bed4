import { ApiError } from '../../sdk/api-client.ts'
import { hasStatus, messageOf, OTHER_ANSWER } from '../session/client.ts'
import type { CheckIn } from './check-ins.ts'

/**
 * The check-in with the service's time of the press. Unchanged if it cannot be known: then only the
 * phone's clock knows.
 * @param pressedAt the steady time of the press, undefined if it was on another page
 * @param serviceAhead the service's time less the steady time, if it is known
 */
export const withServiceTime = (
  checkIn: CheckIn,
  pressedAt: number | undefined,
  serviceAhead: number | undefined,
): CheckIn => {
  if (checkIn.by_service || pressedAt === undefined || serviceAhead === undefined) return checkIn
  const recorded_at = new Date(pressedAt + serviceAhead).toISOString()
  return { ...checkIn, recorded_at, by_service: true }
}

/**
 * What is sent. The time always is, since a request may arrive late. With a time by the phone's
 * clock, the service also gets what the clock says now, and refuses the time if that is wrong.
 */
export const bodyOf = (
  { client_id, kind, recorded_at, by_service }: CheckIn,
  phoneNow: number,
) => ({
  ...{ client_id, kind, recorded_at },
  ...(!by_service && { sent_at: new Date(phoneNow).toISOString() }),
})

/** Whether a check-in was refused because of its time. */
export const isOfTime = (refusal: string | undefined): boolean =>
  ['clock', 'future', 'too_old'].includes(refusal ?? '')

export type Outcome =
  | { state: 'recorded' }
  | { state: 'refused'; refusal: string; message?: string }
  | { state: 'waiting'; problem: string; othersMayPass: boolean }

/** If an answer took longer, what the phone's clock said in the request is outdated. */
const OUTDATED_MS = 60_000

interface Answer {
  client_id?: unknown
  result?: unknown
  reason?: unknown
  detail?: unknown
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** What a success means: only the service's answer about this check-in is believed. */
export const outcomeOfAnswer = (
  { client_id, result, reason, detail }: Answer,
  checkIn: CheckIn,
  tookMs: number,
): Outcome => {
  if (client_id === checkIn.client_id) {
    if (result === 'created' || result === 'known') return { state: 'recorded' }
    const isOutdated = detail === 'clock' && tookMs > OUTDATED_MS
    if (result === 'refused' && isText(reason) && !isOutdated) {
      return { state: 'refused', refusal: isText(detail) ? detail : reason }
    }
  }
  return { state: 'waiting', problem: OTHER_ANSWER, othersMayPass: true }
}

/** Statuses that are about the person or the service, and so about every check-in. */
const ABOUT_ALL = [401, 429, 503]

/** What a failure means. Only the service's own 403 and 422 are final. */
export const outcomeOfError = (error: unknown): Outcome => {
  const message = messageOf(error)
  const code = error instanceof ApiError ? error.code : undefined
  if (code !== undefined && (hasStatus(error, 403) || hasStatus(error, 422))) {
    return { state: 'refused', refusal: code, message }
  }
  const othersMayPass = code !== undefined && !ABOUT_ALL.some((status) => hasStatus(error, status))
  return { state: 'waiting', problem: message, othersMayPass }
}
