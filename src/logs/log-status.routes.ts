import type { Context } from 'hono'
import { messageOf } from '../core/errors.ts'
import { createApp, type UserEnv } from '../core/http/context.ts'
import { type FieldErrors, success } from '../core/http/envelope.ts'
import { validate } from '../core/http/validate.ts'
import { may } from '../session/callers.http.ts'
import {
  BulkStatusChangeBody,
  DECISIONS_PER_REQUEST,
  LogId,
  StatusChangeBody,
} from './log-status.schemas.ts'
import { changeLogStatuses, findUnknownLogIds } from './log-status.ts'
import {
  announceDecision,
  type FieldOf,
  missingComment,
  nameFields,
  toStatusChange,
} from './status-change.http.ts'

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

export const logStatus = createApp()
  .post(
    '/change_log_status',
    may('decide'),
    validate(StatusChangeBody, {
      rule: missingComment,
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
      rule: missingComment,
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
