import * as z from 'zod'
import { LOG_EVENTS } from '../../src/core/values/log-values.ts'
import { LOGS_FILE } from '../../src/logs/export-rows.http.ts'
import {
  LogExportQuery,
  LogFilterQuery,
  LogHistoryQuery,
  LogListQuery,
} from '../../src/logs/log-query.schemas.ts'
import { BulkStatusChangeBody, StatusChangeBody } from '../../src/logs/log-status.schemas.ts'
import {
  component,
  InvalidInput,
  idField,
  listedEmployeeFields,
  localAtField,
  logKind,
  logStatus,
  NamedUser,
  operations,
  pathParameters,
  queryParameters,
  requestCommentField,
  rowComponent,
  rowsFile,
} from './operations.ts'

const nextCursor = z.string().nullable().meta({ description: 'Nulo en la última página.' })

const ChangedLog = component('ChangedLog', { log_id: idField, status: logStatus })

const logFields = {
  log_id: idField,
  status: logStatus,
  kind: logKind,
  recorded_at: z.iso.datetime().meta({ description: 'UTC con milisegundos.' }),
  local_at: localAtField,
  received_at: z.iso.datetime().meta({ description: 'Cuándo llegó al servicio.' }),
  source: z.string().meta({ description: 'Quién la envió; vacío si se importó.' }),
  request_comment: requestCommentField,
  employee: component('LogEmployee', listedEmployeeFields),
  comments: z.int().meta({ description: 'Cuántos comentarios tiene.' }),
  other_network: z.boolean().meta({
    description: 'Si llegó desde otra dirección mientras su reloj llamaba desde la suya.',
  }),
  own: z.boolean().meta({
    description:
      'Si es de quien pregunta, o la agregó, o es de un reloj o número suyo que nadie más ha confirmado: con `forbid_self_approval` no puede decidirla, y nunca si la solicitó (su origen empieza con `request:`).',
  }),
  closed: z.boolean().meta({
    description:
      'Si un cierre ya tomó sus días: lo que se decida de ella lo paga o descuenta el próximo.',
  }),
  locked: z.boolean().meta({
    description: 'Si un cierre la pagó: solo la decide quien también paga, con un comentario.',
  }),
}

const NearbyLog = component('NearbyLog', {
  log_id: idField,
  status: logStatus,
  kind: logKind,
  recorded_at: z.iso.datetime(),
  local_at: localAtField,
})

const LogRow = component('LogRow', {
  ...logFields,
  nearby: z.array(NearbyLog).optional().meta({
    description:
      'Con `nearby=true`: las otras checadas de la persona, de 25 horas antes a 25 después.',
  }),
})

const LogPage = component('LogPage', { logs: z.array(LogRow), next_cursor: nextCursor })

const LogEvent = component('LogEvent', {
  event: z.enum(LOG_EVENTS),
  from_status: logStatus.nullable().meta({ description: 'Nulo cuando se registra.' }),
  to_status: logStatus,
  created_at: z.iso.datetime(),
  user: NamedUser.nullable().meta({ description: 'Nulo si la importó quien opera el servicio.' }),
  comment: z.string().nullable(),
})

const LogDetail = component('LogDetail', {
  ...logFields,
  history: z.array(LogEvent),
  next_cursor: nextCursor,
})

const counts = { pending: z.int(), approved: z.int(), rejected: z.int() }

const LogSummary = component('LogSummary', {
  total: component('StatusCounts', counts),
  branches: z.array(
    component('BranchCounts', { branch_office: z.string(), department: z.string(), ...counts }),
  ),
})

const ExportedLog = rowComponent('ExportedLog', LOGS_FILE, {
  log_id: idField,
  ...listedEmployeeFields,
  kind: logKind,
  recorded_at: z.iso.datetime(),
  local_at: localAtField,
  received_at: z.iso.datetime(),
  source: z.string(),
  status: logStatus,
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable().meta({ description: 'El nombre de quien decidió.' }),
  comment: z.string().nullable().meta({ description: 'El de la última decisión.' }),
  request_comment: requestCommentField,
})

export const MovedLogs = InvalidInput.partial({ errors: true }).meta({
  id: 'MovedLogs',
  description: 'Los registros que ya cambiaron, como `log_ids.3`.',
})

export const logOperations = operations('incidents', {
  'POST /v2/incidents/change_log_status': {
    id: 'changeLogStatus',
    summary: 'Aprobar, rechazar o reabrir una checada',
    description:
      'Solo para administradores. El comentario, la auditoría y el estado se guardan juntos o no se guarda nada.',
    body: ['StatusChangeBody', StatusChangeBody],
    data: ChangedLog,
    errors: [
      'OWN_LOG',
      'STATUS_MOVED',
      'LOG_CLOSED',
      'UNKNOWN_LOG_ID',
      'COMMENT_REQUIRED',
      'PAID_WITHOUT_COMMENT',
    ],
  },
  'POST /v2/incidents/change_logs_status': {
    id: 'changeLogsStatus',
    summary: 'Cambiar el estado de hasta 100 checadas, todas o ninguna',
    description: 'Los errores nombran cada elemento, como `log_ids.3`.',
    body: ['BulkStatusChangeBody', BulkStatusChangeBody],
    data: z.array(ChangedLog).min(1),
    bodies: { 409: MovedLogs },
  },
  'GET /v2/incidents/logs': {
    id: 'listLogs',
    summary: 'Listar checadas por revisar',
    description:
      'En orden de tiempo. `from` y `to` aceptan un día, en la zona de la sucursal de cada checada, o un instante; `to` incluye su día.',
    parameters: queryParameters(LogListQuery, {
      nearby: {
        description: 'Con `true`, cada checada trae las otras de esa persona alrededor de su hora.',
        schema: { type: 'boolean' },
      },
    }),
    data: LogPage,
  },
  'GET /v2/incidents/logs/summary': {
    id: 'summarizeLogs',
    summary: 'Contar checadas por estado, sucursal y departamento',
    parameters: queryParameters(LogFilterQuery),
    data: LogSummary,
  },
  'GET /v2/incidents/logs/{log_id}': {
    id: 'readLog',
    summary: 'Consultar una checada y su historia, de lo último a lo primero',
    parameters: [
      ...pathParameters(z.object({ log_id: idField }), {
        log_id: 'El identificador de la checada.',
      }),
      ...queryParameters(LogHistoryQuery),
    ],
    data: LogDetail,
  },
  'GET /v2/incidents/export': {
    id: 'exportLogs',
    summary: 'Exportar todas las checadas que cumplan el filtro, con su última decisión',
    parameters: queryParameters(LogExportQuery),
    file: rowsFile(ExportedLog),
    limited: true,
  },
})
