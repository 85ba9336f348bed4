import type { Context } from 'hono'
import { withoutCaller } from '../core/db/batch-db.ts'
import { primary } from '../core/db/d1.ts'
import { afterResponse } from '../core/http/after-response.ts'
import type { UserEnv } from '../core/http/context.ts'
import { postOnce } from '../core/http/post-once.ts'
import { logRun } from '../core/http/run-log.ts'
import { readSettings } from '../core/http/settings.ts'
import { webhookHeaders } from '../core/http/standard-webhooks.ts'
import { type Notification, sendNotifications } from './notifications.ts'

/** Sends a message once. Returns the error, or undefined if the response was a 2xx. */
export const deliver = async (
  notification: Notification,
  { url, secrets, now }: { url: string; secrets: readonly string[]; now: Date },
): Promise<string | undefined> => {
  const headers = await webhookHeaders(notification, secrets, now)
  return (await postOnce(url, { headers, body: notification.body })).error
}

interface RunOptions {
  by: 'change' | 'cron'
  since: Date
  /** The time during which the run starts new messages. */
  ms: number
}

const sendFrom = async (env: Env, { since, ms }: RunOptions) => {
  const { NOTIFY_URL: url, NOTIFY_SECRET: secrets } = readSettings(env)
  if (!url) return { messages: 0, decisions: 0 }
  return sendNotifications(withoutCaller(primary(env.DB)), {
    deliver: (notification) => deliver(notification, { url, secrets, now: new Date() }),
    clock: () => new Date(),
    since,
    until: new Date(Date.now() + ms),
  })
}

/**
 * Sends the decisions that the receiver does not have. Writes a JSON line if it sent something or
 * failed.
 */
export const runNotifications = (env: Env, options: RunOptions): Promise<void> =>
  logRun({ notices: options.by }, () => sendFrom(env, options), {
    isQuiet: ({ messages }) => messages === 0,
  })

/** Cloudflare allows 30 seconds after a response, and the last call may take 10 of them. */
const AFTER_RESPONSE_MS = 15_000

/**
 * Starts a run that sends the decisions that the receiver does not have. The response does not wait
 * for the run. Nothing is sent if NOTIFY_URL is not set.
 */
export const sendNotificationsLater = (c: Context<UserEnv>): void => {
  if (!c.get('settings').NOTIFY_URL) return
  const since = c.get('now')
  afterResponse(c, () => runNotifications(c.env, { by: 'change', since, ms: AFTER_RESPONSE_MS }))
}
