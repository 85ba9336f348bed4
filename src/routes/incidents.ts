import * as z from 'zod'
import { findLog } from '../db/logs.ts'
import { COMMENT_MAX, LOG_STATUSES } from '../db/schema.ts'
import { changeLogStatus } from '../domain/logs.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { optionalText, orMissing } from '../http/fields.ts'
import { sentenceOf } from '../http/refusals.ts'
import { requireAdmin } from '../http/require-user.ts'
import { validate } from '../http/validate.ts'

const LOG_ID = 'El identificador del registro'

const LogId = z
  .int({ error: orMissing(LOG_ID, `${LOG_ID} debe ser un número entero.`) })
  .positive({ error: `${LOG_ID} debe ser un número entero positivo.` })

export const StatusChange = z.object({
  log_id: LogId,
  status: z.enum(LOG_STATUSES, {
    error: orMissing('El estado', 'El estado debe ser pending, approved o rejected.'),
  }),
  comment: optionalText('El comentario', COMMENT_MAX),
})

export const incidents = createApp().post(
  '/change_log_status',
  requireAdmin,
  validate(StatusChange, {
    alsoWrong: async (c, { log_id }) => {
      const known = LogId.safeParse(log_id)
      const missing = known.success && !(await findLog(c.var.db, known.data))
      return missing ? { log_id: [sentenceOf('LOG_NOT_FOUND')] } : {}
    },
  }),
  async (c) => {
    const { log_id, status, comment } = c.req.valid('json')
    const { db, user, token, now } = c.var

    const log = await changeLogStatus(db, {
      logId: log_id,
      status,
      comment,
      caller: { ...token, role: user.role },
      at: now.toISOString(),
    })
    return c.json(success('El estado del registro se actualizó.', log), 200)
  },
)
