import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

/** The logs that a message names. All details of a refusal are `RefusedLogs` of log-status.ts. */
interface NamedLogs {
  ids: readonly number[]
}

const UNKNOWN_LOG_MESSAGE = 'No existe un registro con ese identificador.'

export const LOGS_ERRORS = {
  UNKNOWN_LOG_ID: invalid('log_id', UNKNOWN_LOG_MESSAGE),
  UNKNOWN_PREVIEWED_LOG: invalid('preview_rejected', UNKNOWN_LOG_MESSAGE),
  LOG_NOT_FOUND: error(404, UNKNOWN_LOG_MESSAGE),
  LOG_CLOSED: error(409, ({ ids }: NamedLogs = { ids: [] }) =>
    ids.length === 1
      ? `El periodo del registro ${ids[0]} está cerrado.`
      : 'El periodo del registro está cerrado.',
  ),
  COMMENT_REQUIRED: invalid('comment', 'El comentario es obligatorio.'),
  PAID_WITHOUT_COMMENT: invalid('comment', 'Ya se pagó: di por qué cambia.'),
  OWN_LOG: error(403, 'No puedes cambiar el estado de tus propios registros.'),
  STATUS_MOVED: error(409, ({ ids, status }: NamedLogs & { status?: string } = { ids: [] }) =>
    status
      ? `El registro ${ids[0]} ya cambió: su estado actual es ${status}.`
      : 'El registro cambió mientras tanto.',
  ),
  COMMENT_NOT_SAVED: error(500, 'No se pudo guardar el comentario.'),
  STATUS_NOT_SAVED: error(500, 'No se pudo actualizar el estado del registro.'),
} as const satisfies Record<string, ErrorEntry>
