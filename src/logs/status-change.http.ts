import type { Context } from 'hono'
import { type FieldCode, messageOf } from '../core/errors.ts'
import type { UserEnv } from '../core/http/context.ts'
import { ERRORS_MAX, type FieldErrors } from '../core/http/envelope.ts'
import type { LogStatus } from '../core/values/log-values.ts'
import { isInvisible } from '../core/values/text.ts'
import { sendPushesLater } from '../push/push.http.ts'
import { CAN } from '../session/can.ts'
import { findUnknownLogIds, type StatusChange } from './log-status.queries.ts'
import { LogsError } from './log-status.ts'
import { sendNotificationsLater } from './notifications.http.ts'

/** What every request that decides logs has in common. */

/** The error if the settings require a comment and the decision has none. */
export const missingComment = (
  c: Context<UserEnv>,
  { status, comment }: Record<string, unknown>,
): FieldCode | undefined => {
  const isRequired = c.get('settings').REQUIRE_COMMENT.some((required) => required === status)
  const isMissing = comment == null || (typeof comment === 'string' && isInvisible(comment))
  return isRequired && isMissing ? 'COMMENT_REQUIRED' : undefined
}

const isPositive = (id: unknown): boolean => Number.isSafeInteger(id) && Number(id) > 0

/** Which of these ids are of no log. The keys are the fields that the ids come from. */
const findUnknown = async (
  c: Context<UserEnv>,
  values: Readonly<Record<string, unknown>>,
): Promise<FieldErrors> => {
  const valid = Object.entries(values).filter(([, id]) => isPositive(id))
  if (valid.length === 0) return {}
  const ids = valid.map(([, id]) => id as number)
  const unknown: unknown[] = await findUnknownLogIds(c.get('authorizedDb'), ids)
  const fields = valid.filter(([, id]) => unknown.includes(id)).map(([field]) => field)
  return Object.fromEntries(fields.map((field) => [field, [messageOf('UNKNOWN_LOG_ID')]]))
}

/** Whether the log of a body exists, whose other fields are wrong. */
export const unknownLog = (c: Context<UserEnv>, { log_id }: Record<string, unknown>) =>
  findUnknown(c, { log_id })

/** Like `unknownLog`, for each log of a list. */
export const unknownLogs = (c: Context<UserEnv>, { log_ids }: Record<string, unknown>) => {
  const list = Array.isArray(log_ids) ? log_ids.slice(0, ERRORS_MAX) : []
  return findUnknown(c, Object.fromEntries(list.map((id, i) => [`log_ids.${i}`, id])))
}

/** Adds the message about each log to an error, under its field in a list of a body. */
export const nameFields =
  (field: string, logIds: readonly number[]) =>
  (error: unknown): never => {
    if (error instanceof LogsError && error.messages.size > 0) {
      const texts = logIds.map((id) => error.messages.get(id))
      error.fieldErrors = Object.fromEntries(
        texts.flatMap((text, i) => (text === undefined ? [] : [[`${field}.${i}`, [text]]])),
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
