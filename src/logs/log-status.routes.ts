import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { CAN } from '../core/can.ts'
import { messageOf } from '../core/errors.ts'
import { may, type UserEnv } from '../core/http/auth.ts'
import { createApp } from '../core/http/context.ts'
import { type FieldErrors, success } from '../core/http/envelope.ts'
import { validate } from '../core/http/validate.ts'
import { isInvisible } from '../core/text.ts'
import { sendPushesLater } from '../push/push.http.ts'
import {
  BulkStatusChangeBody,
  DECISIONS_PER_REQUEST,
  type Decision,
  LogId,
  StatusChangeBody,
} from './log-status.schemas.ts'
import { changeLogStatuses, findUnknownLogIds, LogsError, type StatusChange } from './log-status.ts'
import { sendNotificationsLater } from './notifications.http.ts'

/** Returns the body's field that has the log id at an index. */
type FieldOf = (index: number) => string

const singleField: FieldOf = () => 'log_id'
const listField: FieldOf = (index) => `log_ids.${index}`

const unknownLogErrors = async (
  c: Context<UserEnv>,
  values: readonly unknown[],
  fieldOf: FieldOf,
): Promise<FieldErrors> => {
  const requested = values.flatMap((value, index) => {
    const { success, data: id } = LogId.safeParse(value)
    return success ? [{ id, field: fieldOf(index) }] : []
  })
  if (requested.length === 0) return {}
  const ids = requested.map(({ id }) => id)
  const unknown = new Set(await findUnknownLogIds(c.get('authorizedDb'), ids))
  const fields = requested.filter(({ id }) => unknown.has(id)).map(({ field }) => field)
  return Object.fromEntries(fields.map((field) => [field, [messageOf('UNKNOWN_LOG_ID')]]))
}

/** The error if the settings require a comment and the decision has none. Empty otherwise. */
const missingComment = (
  c: Context<UserEnv>,
  { status, comment }: Record<string, unknown>,
): FieldErrors => {
  const isRequired = c.get('settings').REQUIRE_COMMENT.some((required) => required === status)
  const isMissing = comment == null || (typeof comment === 'string' && isInvisible(comment))
  return isRequired && isMissing ? { comment: [messageOf('COMMENT_REQUIRED')] } : {}
}

/**
 * Adds the message about each log to an error, under the body's field that has the log's id.
 * @param namesEach false for the endpoint for one log, whose 409 has no fields
 */
const nameFields =
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

const toStatusChange = (
  { status, comment, expected_status }: z.output<typeof Decision>,
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
const announceDecision = (c: Context<UserEnv>): void => {
  sendNotificationsLater(c)
  sendPushesLater(c)
}

export const logStatus = createApp()
  .post(
    '/change_log_status',
    may('decide'),
    validate(StatusChangeBody, {
      rules: missingComment,
      moreErrors: (c: Context<UserEnv>, { log_id }) => unknownLogErrors(c, [log_id], singleField),
    }),
    async (c) => {
      const { log_id, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c)
      const [log] = await changeLogStatuses(c.get('authorizedDb'), [log_id], change).catch(
        nameFields([log_id], singleField, { namesEach: false }),
      )
      announceDecision(c)
      return c.json(success('El estado del registro se actualizó.', log), 200)
    },
  )
  .post(
    '/change_logs_status',
    may('decide'),
    validate(BulkStatusChangeBody, {
      rules: missingComment,
      moreErrors: async (c: Context<UserEnv>, { log_ids }) =>
        Array.isArray(log_ids)
          ? unknownLogErrors(c, log_ids.slice(0, DECISIONS_PER_REQUEST), listField)
          : {},
    }),
    async (c) => {
      const { log_ids, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c)
      const logs = await changeLogStatuses(c.get('authorizedDb'), log_ids, change).catch(
        nameFields(log_ids, listField, { namesEach: true }),
      )
      announceDecision(c)
      return c.json(success('El estado de los registros se actualizó.', logs), 200)
    },
  )
