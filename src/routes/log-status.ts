import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { DomainError } from '../domain/errors.ts'
import { changeLogStatuses, findUnknownLogIds, type StatusChange } from '../domain/log-status.ts'
import { requireAdmin, type UserEnv } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { type FieldErrors, success } from '../http/envelope.ts'
import { messageOf } from '../http/errors.ts'
import { validate } from '../http/validate.ts'
import {
  BULK_MAX,
  BulkStatusChangeBody,
  type Decision,
  LogId,
  StatusChangeBody,
} from '../schemas/log-status.ts'

/** The body's field of the log id at an index. */
type FieldOf = (index: number) => string

const singleField: FieldOf = () => 'log_id'
const listField: FieldOf = (index) => `log_ids.${index}`

/** The errors of log ids that do not exist, for a body that already failed validation. */
const unknownLogErrors =
  (fieldOf: FieldOf, idsOf: (body: Record<string, unknown>) => unknown[]) =>
  async (c: Context<UserEnv>, body: Record<string, unknown>): Promise<FieldErrors> => {
    const requested = idsOf(body).flatMap((value, index) => {
      const { success, data: id } = LogId.safeParse(value)
      return success ? [{ id, field: fieldOf(index) }] : []
    })
    if (requested.length === 0) return {}
    const ids = requested.map(({ id }) => id)
    const unknown = new Set(await findUnknownLogIds(c.var.authorizedDb, ids))
    const fields = requested.filter(({ id }) => unknown.has(id)).map(({ field }) => field)
    return Object.fromEntries(fields.map((field) => [field, [messageOf('UNKNOWN_LOG_ID')]]))
  }

/** Adds the fields of the logs that an error is about. */
const withFields =
  (logIds: readonly number[], fieldOf: FieldOf) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError) || !error.details.logIds) throw error
    const fields = error.details.logIds.map((id) => fieldOf(logIds.indexOf(id)))
    throw new DomainError(error.code, { ...error.details, fields })
  }

const toStatusChange = (
  { status, comment, expected_status }: z.output<typeof Decision>,
  { settings, now }: Pick<UserEnv['Variables'], 'settings' | 'now'>,
): StatusChange => ({
  status,
  comment,
  expectedStatus: expected_status ?? undefined,
  forbidOwn: settings.FORBID_SELF_APPROVAL,
  at: now.toISOString(),
})

export const logStatus = createApp()
  .post(
    '/change_log_status',
    requireAdmin,
    validate(StatusChangeBody, {
      moreErrors: unknownLogErrors(singleField, ({ log_id }) => [log_id]),
    }),
    async (c) => {
      const { log_id, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c.var)
      const [log] = await changeLogStatuses(c.var.authorizedDb, [log_id], change).catch(
        withFields([log_id], singleField),
      )
      return c.json(success('El estado del registro se actualizó.', log), 200)
    },
  )
  .post(
    '/change_logs_status',
    requireAdmin,
    validate(BulkStatusChangeBody, {
      moreErrors: unknownLogErrors(listField, ({ log_ids }) =>
        Array.isArray(log_ids) ? log_ids.slice(0, BULK_MAX) : [],
      ),
    }),
    async (c) => {
      const { log_ids, ...decision } = c.req.valid('json')
      const change = toStatusChange(decision, c.var)
      const logs = await changeLogStatuses(c.var.authorizedDb, log_ids, change).catch(
        withFields(log_ids, listField),
      )
      return c.json(success('El estado de los registros se actualizó.', logs), 200)
    },
  )
