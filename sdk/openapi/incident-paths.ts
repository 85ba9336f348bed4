import * as z from 'zod'
import { failure } from '../../src/http/core/envelope.ts'
import { messageOf } from '../../src/http/core/errors.ts'
import { EXPORT_COLUMNS } from '../../src/http/logs/export-rows.ts'
import {
  LogExportQuery,
  LogFilterQuery,
  LogHistoryQuery,
  LogListQuery,
} from '../../src/schemas/logs/log-query.ts'
import { BulkStatusChangeBody, StatusChangeBody } from '../../src/schemas/logs/log-status.ts'
import { EmployeeQuery } from '../../src/schemas/people/employees.ts'
import { intakeOperation } from './intake-paths.ts'
import {
  authenticatedOperation,
  body,
  done,
  failed,
  file,
  forbiddenChange,
  invalid,
  response,
  shared,
} from './parts.ts'
import * as schemas from './schemas.ts'

const LOG = {
  log_id: 1,
  status: 'approved',
  kind: 'entrada',
  recorded_at: '2026-11-02T14:58:12.000Z',
  local_at: '2026-11-02T08:58:12-06:00',
  received_at: '2026-11-02T14:58:13.104Z',
  source: 'reloj-norte',
  employee: {
    employee_id: 'E-002',
    full_name: 'Luis Mendoza Peña',
    department: 'Almacén',
    branch_office: 'Norte',
  },
  comments: 1,
}

const moved = response(
  'El registro ya no está en `expected_status`, o su periodo está cerrado; no se cambió nada.',
  schemas.Failure,
  failure(messageOf('STATUS_MOVED', { log: { id: 1, status: 'approved' } })),
)

const manyMoved = response(
  'Algún registro ya no está en `expected_status`, o su periodo está cerrado; no se cambió ninguno.',
  schemas.MovedLogs,
  failure(messageOf('STATUS_MOVED', { log: { id: 14, status: 'approved' } }), {
    'log_ids.0': [messageOf('STATUS_MOVED', { log: { id: 14, status: 'approved' } })],
  }),
)

export const incidentPaths = {
  '/v2/incidents/change_log_status': {
    post: authenticatedOperation({
      operationId: 'changeLogStatus',
      tags: ['incidents'],
      summary: 'Aprobar, rechazar o reabrir una checada',
      description:
        'Solo para administradores. El comentario, la auditoría y el estado se guardan juntos o no se guarda nada.',
      requestBody: body(StatusChangeBody, {
        log_id: 1,
        status: 'approved',
        comment: 'Llegó puntual.',
      }),
      responses: {
        '200': done(
          'Estado cambiado.',
          schemas.ChangedLog,
          'El estado del registro se actualizó.',
          {
            log_id: 1,
            status: 'approved',
          },
        ),
        '403': forbiddenChange,
        '409': moved,
        '422': invalid({ log_id: [messageOf('UNKNOWN_LOG_ID')] }),
      },
    }),
  },
  '/v2/incidents/change_logs_status': {
    post: authenticatedOperation({
      operationId: 'changeLogsStatus',
      tags: ['incidents'],
      summary: 'Cambiar el estado de hasta 100 checadas, todas o ninguna',
      description: 'Los errores nombran cada elemento, como `log_ids.3`.',
      requestBody: body(BulkStatusChangeBody, {
        log_ids: [1, 2],
        status: 'approved',
        comment: 'Semana revisada.',
        expected_status: 'pending',
      }),
      responses: {
        '200': done(
          'Estados cambiados, en el orden pedido.',
          schemas.ChangedLogs,
          'El estado de los registros se actualizó.',
          [
            { log_id: 1, status: 'approved' },
            { log_id: 2, status: 'approved' },
          ],
        ),
        '403': forbiddenChange,
        '409': manyMoved,
        '422': invalid({ 'log_ids.1': [messageOf('UNKNOWN_LOG_ID')] }),
      },
    }),
  },
  '/v2/incidents/logs': {
    post: intakeOperation,
    get: authenticatedOperation({
      operationId: 'listLogs',
      tags: ['incidents'],
      summary: 'Listar checadas por revisar',
      description:
        'En orden de tiempo. `from` y `to` aceptan un día, en la zona horaria del servicio, o un instante; `to` incluye su día.',
      requestParams: { query: LogListQuery },
      responses: {
        '200': done('Una página.', schemas.LogPage, 'Registros encontrados.', {
          logs: [LOG],
          next_cursor: 'WyIyMDI2LTExLTAyVDE0OjU4OjEyLjAwMFoiLDFd',
        }),
        '403': shared('Forbidden'),
        '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
      },
    }),
  },
  '/v2/incidents/logs/summary': {
    get: authenticatedOperation({
      operationId: 'summarizeLogs',
      tags: ['incidents'],
      summary: 'Contar checadas por estado, sucursal y departamento',
      requestParams: { query: LogFilterQuery },
      responses: {
        '200': done('El resumen.', schemas.LogSummary, 'Resumen de registros.', {
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
        '403': shared('Forbidden'),
        '422': invalid({ kind: ['El tipo debe ser entrada, salida o checada.'] }),
      },
    }),
  },
  '/v2/incidents/logs/{log_id}': {
    get: authenticatedOperation({
      operationId: 'readLog',
      tags: ['incidents'],
      summary: 'Consultar una checada y su historia, de lo último a lo primero',
      requestParams: {
        path: z.object({ log_id: z.int().positive().meta({ example: 1 }) }),
        query: LogHistoryQuery,
      },
      responses: {
        '200': done('La checada.', schemas.LogDetail, 'Registro encontrado.', {
          ...LOG,
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
        '403': shared('Forbidden'),
        '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
        '404': failed('No existe.', 'LOG_NOT_FOUND'),
      },
    }),
  },
  '/v2/incidents/employees': {
    get: authenticatedOperation({
      operationId: 'findEmployees',
      tags: ['incidents'],
      summary: 'Buscar empleados por nombre o identificador',
      description:
        'Los 20 primeros que contienen cada palabra, sin distinguir mayúsculas ni acentos, por nombre.',
      requestParams: { query: EmployeeQuery },
      responses: {
        '200': done('Los empleados.', schemas.FoundEmployees, 'Empleados encontrados.', {
          employees: [{ ...LOG.employee, ended_at: null }],
        }),
        '403': shared('Forbidden'),
        '422': invalid({ q: ['La búsqueda es obligatoria.'] }),
      },
    }),
  },
  '/v2/incidents/settings': {
    get: authenticatedOperation({
      operationId: 'readSettings',
      tags: ['incidents'],
      summary: 'Consultar los ajustes de la instalación y lo que puede su usuario',
      responses: {
        '200': done('Los ajustes.', schemas.InstallationSettings, 'Ajustes de la instalación.', {
          time_zone: 'America/Mexico_City',
          require_comment: ['rejected'],
          forbid_self_approval: false,
          user: { id: 1, full_name: 'Ana Torres Rivas', employee_id: 'E-001', may_decide: true },
        }),
        '403': shared('Forbidden'),
      },
    }),
  },
  '/v2/incidents/export': {
    get: authenticatedOperation({
      operationId: 'exportLogs',
      tags: ['incidents'],
      summary: 'Exportar todas las checadas que cumplan el filtro, con su última decisión',
      requestParams: { query: LogExportQuery },
      responses: {
        '200': file([EXPORT_COLUMNS.join(', ')], EXPORT_COLUMNS, schemas.ExportedLog),
        '403': shared('Forbidden'),
        '422': invalid({ format: ['El formato debe ser csv o ndjson.'] }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
}
