import * as z from 'zod/mini'
import { findLogs } from '../db/log-status.ts'
import { COMMENT_MAX, LOG_STATUSES } from '../db/schema.ts'
import { changeLogStatus, changeLogStatuses } from '../domain/log-status.ts'
import { type Behind, requireAdmin } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { type FieldErrors, success } from '../http/envelope.ts'
import { sentenceOf } from '../http/errors.ts'
import { validate } from '../http/validate.ts'
import { optionalText, orMissing } from '../schemas/fields.ts'
import { LogStatus } from '../schemas/log-query.ts'

const LOGS_MAX = 100

const LOG_ID = 'El identificador del registro'

const LogId = z
  .int({ error: orMissing(LOG_ID, `${LOG_ID} debe ser un número entero.`) })
  .check(z.positive({ error: `${LOG_ID} debe ser un número entero positivo.` }))

const Decision = z.object({
  status: LogStatus,
  comment: optionalText('El comentario', COMMENT_MAX),
  expected_status: z.nullish(
    z.enum(LOG_STATUSES, { error: 'El estado esperado debe ser pending, approved o rejected.' }),
  ),
})

const LOG_IDS = 'Los identificadores de los registros'

const distinct = z.superRefine((ids: number[], context) => {
  const seen = new Set<number>()
  for (const [place, id] of ids.entries()) {
    if (seen.has(id)) {
      context.addIssue({ code: 'custom', path: [place], message: 'El registro está repetido.' })
    }
    seen.add(id)
  }
})

export const StatusChange = z.object({ log_id: LogId, ...Decision.shape })

export const BulkStatusChange = z.object({
  log_ids: z
    .array(LogId, {
      error: (issue) =>
        issue.input == null ? `${LOG_IDS} son obligatorios.` : `${LOG_IDS} deben ser una lista.`,
    })
    .check(
      z.minLength(1, { error: `${LOG_IDS} son obligatorios.` }),
      z.maxLength(LOGS_MAX, {
        error: `Se pueden cambiar ${LOGS_MAX} registros a la vez como máximo.`,
      }),
      distinct,
    ),
  ...Decision.shape,
})

/** The fields whose log is unknown, among those that could be one: told beside the other faults. */
const unknownLogs = async (
  door: Behind['Variables']['door'],
  ids: readonly unknown[],
  fieldOf: (place: number) => string,
): Promise<FieldErrors> => {
  const asked = ids.flatMap((id, place) => {
    const { success, data } = LogId.safeParse(id)
    return success ? [{ id: data, field: fieldOf(place) }] : []
  })
  if (asked.length === 0) return {}
  const known = await findLogs(
    door,
    asked.map(({ id }) => id),
  )
  const missing = asked.filter(({ id }) => !known.has(id))
  return Object.fromEntries(missing.map(({ field }) => [field, [sentenceOf('LOG_NOT_FOUND')]]))
}

/** A decision, and when it is taken. */
const asChange = (
  { status, comment, expected_status }: z.output<typeof Decision>,
  { settings, now }: Behind['Variables'],
) => ({
  status,
  comment,
  expected: expected_status ?? undefined,
  forbidOwn: settings.FORBID_SELF_APPROVAL,
  at: now.toISOString(),
})

export const incidents = createApp()
  .post(
    '/change_log_status',
    requireAdmin,
    validate(StatusChange, {
      alsoWrong: ({ door }: Behind['Variables'], { log_id }) =>
        unknownLogs(door, [log_id], () => 'log_id'),
    }),
    async (c) => {
      const { log_id: logId, ...decision } = c.req.valid('json')
      const log = await changeLogStatus(c.var.door, { logId, ...asChange(decision, c.var) })
      return c.json(success('El estado del registro se actualizó.', log), 200)
    },
  )
  .post(
    '/change_logs_status',
    requireAdmin,
    validate(BulkStatusChange, {
      alsoWrong: ({ door }: Behind['Variables'], { log_ids }) =>
        unknownLogs(
          door,
          Array.isArray(log_ids) ? log_ids.slice(0, LOGS_MAX) : [],
          (place) => `log_ids.${place}`,
        ),
    }),
    async (c) => {
      const { log_ids: logIds, ...decision } = c.req.valid('json')
      const logs = await changeLogStatuses(c.var.door, { logIds, ...asChange(decision, c.var) })
      return c.json(success('El estado de los registros se actualizó.', logs), 200)
    },
  )
