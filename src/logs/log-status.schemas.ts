import * as z from 'zod/mini'
import { listField, optionalText, orMissing } from '../core/values/fields.schemas.ts'
import { COMMENT_MAX, LOG_STATUSES } from '../core/values/log-values.ts'
import { statusField } from './log-query.schemas.ts'

const DECISIONS_PER_REQUEST = 100

const LOG_ID_NAME = 'El identificador del registro'

const LogId = z
  .int({ error: orMissing(LOG_ID_NAME, `${LOG_ID_NAME} debe ser un número entero.`) })
  .check(z.positive({ error: `${LOG_ID_NAME} debe ser un número entero positivo.` }))

export const Decision = z.object({
  status: statusField,
  comment: optionalText('El comentario', COMMENT_MAX),
  expected_status: z.nullish(
    z.enum(LOG_STATUSES, { error: 'El estado esperado debe ser pending, approved o rejected.' }),
  ),
})

const LOG_IDS_NAME = 'Los identificadores de los registros'

const distinct = z.superRefine((ids: number[], context) => {
  const seen = new Set<number>()
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) {
      context.addIssue({ code: 'custom', path: [index], message: 'El registro está repetido.' })
    }
    seen.add(id)
  }
})

export const StatusChangeBody = z.object({ log_id: LogId, ...Decision.shape })

/** The logs that one request decides. */
export const LogIds = listField(LogId, {
  max: DECISIONS_PER_REQUEST,
  tooLong: `Se pueden cambiar ${DECISIONS_PER_REQUEST} registros a la vez como máximo.`,
  empty: `${LOG_IDS_NAME} son obligatorios.`,
  error: (issue) =>
    issue.input == null
      ? `${LOG_IDS_NAME} son obligatorios.`
      : `${LOG_IDS_NAME} deben ser una lista.`,
}).check(distinct)

export const BulkStatusChangeBody = z.object({ log_ids: LogIds, ...Decision.shape })
