import type { BatchDb } from '../core/db/batch-db.ts'
import { postponeMessage, takeMessage, takeNextMessage } from './notices.queries.ts'

const MINUTE_MS = 60_000

/**
 * How long a run may be silent until another one sends its message again: more than a call takes.
 */
const LEASE_MS = 1.5 * MINUTE_MS

/** Minutes until a message that failed is tried again; the last one from then on. */
const RETRY_MINUTES = [1, 5, 30, 120, 300, 600]

const retryMs = (failures: number): number =>
  (RETRY_MINUTES[failures - 1] ?? RETRY_MINUTES.at(-1) ?? 0) * MINUTE_MS

/** A message as it is sent: the same each time that it is tried. */
export interface Notice {
  id: string
  body: string
}

type Changes = NonNullable<Awaited<ReturnType<typeof takeMessage>>>['changes']

const toNotice = (changes: Changes): Notice => ({
  id: `decided-${changes[0]?.id}-${changes.at(-1)?.id}`,
  body: JSON.stringify({
    type: 'logs.decided',
    timestamp: changes.at(-1)?.created_at,
    data: { changes },
  }),
})

interface SendOptions {
  /** Returns why the receiver does not have the message; undefined once it does. */
  deliver: (notice: Notice) => Promise<string | undefined>
  clock: () => Date
  /** Where nothing has been sent yet, decisions from this moment on are. */
  since: Date
  /** No message is begun after it. */
  until: Date
  /** The zone of branches that have none of their own. */
  timeZone: string
}

/**
 * Sends the decisions that the receiver does not have, in order, until there are no more, the time
 * is up, or a message fails: then every later one waits for it. Of several runs at once one sends.
 */
export const sendNotices = async (
  db: BatchDb,
  { deliver, clock, since, until, timeZone }: SendOptions,
) => {
  const id = crypto.randomUUID()
  const at = (ms = 0) => new Date(clock().getTime() + ms).toISOString()
  const lease = () => ({ lease: id, lease_until: at(LEASE_MS), timeZone })
  const sent = { messages: 0, decisions: 0 }

  let message = await takeMessage(db, { ...lease(), now: at(), since: since.toISOString() })
  while (message) {
    const { changes, failures } = message
    const isEmpty = changes.length === 0
    const error = isEmpty ? undefined : await deliver(toNotice(changes))
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
