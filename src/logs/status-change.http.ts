import type { Context } from 'hono'
import type { FieldCode } from '../core/errors.ts'
import type { UserEnv } from '../core/http/context.ts'
import type { LogStatus } from '../core/values/log-values.ts'
import { isInvisible } from '../core/values/text.ts'
import { sendPushesLater } from '../push/push.http.ts'
import { CAN } from '../session/can.ts'
import { LogsError, type StatusChange } from './log-status.ts'
import { sendNotificationsLater } from './notifications.http.ts'

/** What every request that decides logs has in common. */

/** Returns the body's field that has the log id at an index. */
export type FieldOf = (index: number) => string

/** The error if the settings require a comment and the decision has none. */
export const missingComment = (
  c: Context<UserEnv>,
  { status, comment }: Record<string, unknown>,
): FieldCode | undefined => {
  const isRequired = c.get('settings').REQUIRE_COMMENT.some((required) => required === status)
  const isMissing = comment == null || (typeof comment === 'string' && isInvisible(comment))
  return isRequired && isMissing ? 'COMMENT_REQUIRED' : undefined
}

/**
 * Adds the message about each log to an error, under the body's field that has the log's id.
 * @param namesEach false for the endpoint for one log, whose 409 has no fields
 */
export const nameFields =
  (logIds: readonly number[], fieldOf: FieldOf, { namesEach }: { namesEach: boolean }) =>
  (error: unknown): never => {
    const isNamed = error instanceof LogsError && error.messages.size > 0
    if (isNamed && (error.code === 'UNKNOWN_LOG_ID' || namesEach)) {
      error.fieldErrors = Object.fromEntries(
        logIds.flatMap((id, index) => {
          const text = error.messages.get(id)
          return text === undefined ? [] : [[fieldOf(index), [text]]]
        }),
      )
    }
    throw error
  }

interface DecisionOfBody {
  status: LogStatus
  comment?: string | undefined
  expected_status?: LogStatus | null | undefined
}

export const toStatusChange = (
  { status, comment, expected_status }: DecisionOfBody,
  c: Context<UserEnv>,
): StatusChange => ({
  status,
  comment,
  expectedStatus: expected_status ?? undefined,
  forbidSelfApproval: c.get('settings').FORBID_SELF_APPROVAL,
  payRoles: CAN.pay(c.get('settings')).roles,
  at: c.get('now').toISOString(),
})

/** Sends the decision to NOTIFY_URL and to phones. The response does not wait for it. */
export const announceDecision = (c: Context<UserEnv>): void => {
  sendNotificationsLater(c)
  sendPushesLater(c)
}
