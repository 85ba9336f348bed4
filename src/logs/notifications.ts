import type { BatchDb } from '../core/db/batch-db.ts'
import { MINUTE_MS } from '../core/values/time-zone.ts'
import { postponeMessage, takeMessage, takeNextMessage } from './notifications.queries.ts'

/**
 * If a run has not renewed its lease in this time, another run may send the message again. The time
 * is longer than a call.
 */
const LEASE_MS = 1.5 * MINUTE_MS

/**
 * The minutes before each retry of a failed message. The last value applies to all further retries.
 */
const RETRY_MINUTES = [1, 5, 30, 120, 300, 600]

const retryMs = (failures: number): number =>
  (RETRY_MINUTES[failures - 1] ?? RETRY_MINUTES.at(-1) ?? 0) * MINUTE_MS

/** A message as it is sent. All retries have the same `id` and the same decisions. */
export interface Notification {
  id: string
  body: string
}

type Changes = NonNullable<Awaited<ReturnType<typeof takeMessage>>>['changes']

const toNotification = (changes: Changes): Notification => ({
  id: `decided-${changes[0]?.id}-${changes.at(-1)?.id}`,
  body: JSON.stringify({
    type: 'logs.decided',
    timestamp: changes.at(-1)?.created_at,
    data: { changes },
  }),
})

interface SendOptions {
  /** Returns why the message was not received. Returns undefined if the receiver got it. */
  deliver: (notification: Notification) => Promise<string | undefined>
  clock: () => Date
  /** If nothing has been sent before, only decisions from this moment on are sent. */
  since: Date
  /** No message is started after this moment. */
  until: Date
}

/**
 * Sends the decisions that the receiver does not have, in order. It stops if there are no more, if
 * the time is over, or if a message fails. No later message is sent before a failed one. If several
 * runs start at once, only one of them sends.
 */
export const sendNotifications = async (
  db: BatchDb,
  { deliver, clock, since, until }: SendOptions,
) => {
  const id = crypto.randomUUID()
  const at = (ms = 0) => new Date(clock().getTime() + ms).toISOString()
  const lease = () => ({ lease: id, lease_until: at(LEASE_MS) })
  const sent = { messages: 0, decisions: 0 }

  let message = await takeMessage(db, { ...lease(), now: at(), since: since.toISOString() })
  while (message) {
    const { changes, failures } = message
    const isEmpty = changes.length === 0
    const error = isEmpty ? undefined : await deliver(toNotification(changes))
    if (error !== undefined) {
      const count = failures + 1
      const next_try_at = at(retryMs(count))
      await postponeMessage(db, { lease: id, failures: count, error, next_try_at })
      return { ...sent, failures: count, error }
    }
    sent.messages += isEmpty ? 0 : 1
    sent.decisions += changes.length
    message = await takeNextMessage(db, {
      ...lease(),
      sent_at: isEmpty ? null : at(),
      goes_on: clock() < until ? 1 : 0,
    })
  }
  return sent
}
