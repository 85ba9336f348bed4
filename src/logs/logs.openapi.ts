import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import { LOG_EVENTS } from '../core/log-values.ts'
import {
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  failureResponse,
  forbiddenChange,
  InvalidInput,
  idField,
  invalidResponse,
  listedEmployeeFields,
  localAtField,
  logKind,
  logStatus,
  NamedUser,
  pathParameters,
  queryParameters,
  requestCommentField,
  response,
  rowsFile,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { LOGS_FILE } from './export-rows.http.ts'
import {
  LogExportQuery,
  LogFilterQuery,
  LogHistoryQuery,
  LogListQuery,
} from './log-query.schemas.ts'
import { BulkStatusChangeBody, StatusChangeBody } from './log-status.schemas.ts'

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
  own: z.boolean().meta({
    description:
      'Si es de quien pregunta, o la agregó: con `forbid_self_approval` no puede decidirla, y nunca si la solicitó (su origen empieza con `request:`).',
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

const ExportedLog = component('ExportedLog', {
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

const DecidedLogs = InvalidInput.partial({ errors: true }).meta({
  id: 'MovedLogs',
  description: 'Los registros que ya cambiaron, como `log_ids.3`.',
})

const EXAMPLE_LOG = {
  log_id: 1,
  status: 'approved',
  kind: 'entrada',
  recorded_at: '2026-11-02T14:58:12.000Z',
  local_at: '2026-11-02T08:58:12-06:00',
  received_at: '2026-11-02T14:58:13.104Z',
  source: 'reloj-norte',
  request_comment: null,
  employee: {
    employee_id: 'E-002',
    full_name: 'Luis Mendoza Peña',
    department: 'Almacén',
    branch_office: 'Norte',
  },
  comments: 1,
  own: false,
  locked: false,
}

const { employee, comments: _, own: __, locked: ___, ...facts } = EXAMPLE_LOG
const EXPORTED_LOG = {
  ...facts,
  ...employee,
  decided_at: '2026-11-03T16:20:00.000Z',
  decided_by: 'Ana Torres Rivas',
  comment: 'Llegó puntual.',
}

const alreadyDecided = response(
  'El registro ya no está en `expected_status`, o su periodo está cerrado; no se cambió nada.',
  Failure,
  failure(messageOf('STATUS_MOVED', { id: 1, status: 'approved' })),
)

const someAlreadyDecided = response(
  'Algún registro ya no está en `expected_status`, o su periodo está cerrado; no se cambió ninguno.',
  DecidedLogs,
  failure(messageOf('STATUS_MOVED', { id: 14, status: 'approved' }), {
    'log_ids.0': [messageOf('STATUS_MOVED', { id: 14, status: 'approved' })],
  }),
)

export const logPaths = {
  '/v2/incidents/change_log_status': {
    post: authenticatedOperation({
      operationId: 'changeLogStatus',
      tags: ['incidents'],
      summary: 'Aprobar, rechazar o reabrir una checada',
      description:
        'Solo para administradores. El comentario, la auditoría y el estado se guardan juntos o no se guarda nada.',
      requestBody: bodyComponent('StatusChangeBody', StatusChangeBody, {
        log_id: 1,
        status: 'approved',
        comment: 'Llegó puntual.',
      }),
      responses: {
        '200': successResponse(
          'Estado cambiado.',
          ChangedLog,
          'El estado del registro se actualizó.',
          {
            log_id: 1,
            status: 'approved',
          },
        ),
        '403': forbiddenChange,
        '409': alreadyDecided,
        '422': invalidResponse({ log_id: [messageOf('UNKNOWN_LOG_ID')] }),
      },
    }),
  },
  '/v2/incidents/change_logs_status': {
    post: authenticatedOperation({
      operationId: 'changeLogsStatus',
      tags: ['incidents'],
      summary: 'Cambiar el estado de hasta 100 checadas, todas o ninguna',
      description: 'Los errores nombran cada elemento, como `log_ids.3`.',
      requestBody: bodyComponent('BulkStatusChangeBody', BulkStatusChangeBody, {
        log_ids: [1, 2],
        status: 'approved',
        comment: 'Semana revisada.',
        expected_status: 'pending',
      }),
      responses: {
        '200': successResponse(
          'Estados cambiados, en el orden pedido.',
          z.array(ChangedLog).min(1),
          'El estado de los registros se actualizó.',
          [
            { log_id: 1, status: 'approved' },
            { log_id: 2, status: 'approved' },
          ],
        ),
        '403': forbiddenChange,
        '409': someAlreadyDecided,
        '422': invalidResponse({ 'log_ids.1': [messageOf('UNKNOWN_LOG_ID')] }),
      },
    }),
  },
  '/v2/incidents/logs': {
    get: authorizedOperation({
      operationId: 'listLogs',
      tags: ['incidents'],
      summary: 'Listar checadas por revisar',
      description:
        'En orden de tiempo. `from` y `to` aceptan un día, en la zona de la sucursal de cada checada, o un instante; `to` incluye su día.',
      parameters: queryParameters(LogListQuery, {
        nearby: {
          description:
            'Con `true`, cada checada trae las otras de esa persona alrededor de su hora.',
          schema: { type: 'boolean' },
        },
      }),
      responses: {
        '200': successResponse('Una página.', LogPage, 'Registros encontrados.', {
          logs: [EXAMPLE_LOG],
          next_cursor: 'WyIyMDI2LTExLTAyVDE0OjU4OjEyLjAwMFoiLDFd',
        }),
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
      },
    }),
  },
  '/v2/incidents/logs/summary': {
    get: authorizedOperation({
      operationId: 'summarizeLogs',
      tags: ['incidents'],
      summary: 'Contar checadas por estado, sucursal y departamento',
      parameters: queryParameters(LogFilterQuery),
      responses: {
        '200': successResponse('El resumen.', LogSummary, 'Resumen de registros.', {
          total: { pending: 2, approved: 1, rejected: 0 },
          branches: [
            {
              branch_office: 'Norte',
              department: 'Almacén',
              pending: 2,
              approved: 1,
              rejected: 0,
            },
          ],
        }),
        '422': invalidResponse({ kind: ['El tipo debe ser entrada, salida o checada.'] }),
      },
    }),
  },
  '/v2/incidents/logs/{log_id}': {
    get: authorizedOperation({
      operationId: 'readLog',
      tags: ['incidents'],
      summary: 'Consultar una checada y su historia, de lo último a lo primero',
      parameters: [
        ...pathParameters(z.object({ log_id: idField }), {
          log_id: { description: 'El identificador de la checada.' },
        }),
        ...queryParameters(LogHistoryQuery),
      ],
      responses: {
        '200': successResponse('La checada.', LogDetail, 'Registro encontrado.', {
          ...EXAMPLE_LOG,
          history: [
            {
              event: 'decided',
              from_status: 'pending',
              to_status: 'approved',
              created_at: '2026-11-03T16:20:00.000Z',
              user: { id: 1, full_name: 'Ana Torres Rivas' },
              comment: 'Llegó puntual.',
            },
          ],
          next_cursor: null,
        }),
        '404': failureResponse('No existe.', 'LOG_NOT_FOUND'),
        '422': invalidResponse({ log_id: ['La checada debe ser un número entero positivo.'] }),
      },
    }),
  },
  '/v2/incidents/export': {
    get: authorizedOperation({
      operationId: 'exportLogs',
      tags: ['incidents'],
      summary: 'Exportar todas las checadas que cumplan el filtro, con su última decisión',
      parameters: queryParameters(LogExportQuery),
      responses: {
        '200': rowsFile(ExportedLog, { logs: [LOGS_FILE, EXPORTED_LOG] }),
        '422': invalidResponse({ format: ['El formato debe ser csv o ndjson.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
}
