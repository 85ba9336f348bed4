import { failure } from '../../src/http/core/envelope.ts'
import { messageOf } from '../../src/http/core/errors.ts'
import {
  ADJUSTMENT_COLUMNS,
  HOURS_COLUMNS,
  TOTAL_COLUMNS,
} from '../../src/http/payroll/hours-rows.ts'
import {
  AdjustmentsQuery,
  ClosingBody,
  ClosingsQuery,
  HoursQuery,
} from '../../src/schemas/payroll/payroll.ts'
import { authenticatedOperation, body, done, file, invalid, response, shared } from './parts.ts'
import * as schemas from './schemas.ts'

const CLOSING = {
  id: 3,
  before: '2026-11-16',
  payroll_group: 'quincenal',
  user: { id: 4, full_name: 'Rosa Ibarra Vega' },
  comment: null,
  last_event_id: 4120,
  created_at: '2026-11-17T16:02:11.000Z',
}

export const payrollPaths = {
  '/v2/incidents/hours': {
    get: authenticatedOperation({
      operationId: 'getHours',
      tags: ['payroll'],
      summary: 'Exportar las horas por empleado y día, o por empleado',
      description:
        'Solo cuentan las checadas aprobadas; con `preview=true`, también las pendientes. Sin fechas, los últimos 31 días; 366 como máximo. Los filtros eligen renglones y nunca cambian sus cifras. Con `closing`, las cifras como estaban al cerrar ese periodo.',
      requestParams: { query: HoursQuery },
      responses: {
        '200': file(
          [HOURS_COLUMNS.join(', '), `con by=employee: ${TOTAL_COLUMNS.join(', ')}`],
          HOURS_COLUMNS,
          schemas.HoursLine,
        ),
        '403': shared('Forbidden'),
        '422': invalid({ format: ['El formato debe ser csv o ndjson.'] }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/hours/adjustments': {
    get: authenticatedOperation({
      operationId: 'getAdjustments',
      tags: ['payroll'],
      summary: 'Exportar los días anteriores a un cierre cuyas horas cambiaron después',
      description: 'Se pagan en la nómina siguiente.',
      requestParams: { query: AdjustmentsQuery },
      responses: {
        '200': file([ADJUSTMENT_COLUMNS.join(', ')], ADJUSTMENT_COLUMNS, schemas.Adjustment),
        '403': shared('Forbidden'),
        '422': invalid({ since: [messageOf('UNKNOWN_CLOSING')] }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings': {
    get: authenticatedOperation({
      operationId: 'listClosings',
      tags: ['payroll'],
      summary: 'Listar los cierres, primero el más reciente',
      requestParams: { query: ClosingsQuery },
      responses: {
        '200': done('Los cierres.', schemas.Closings, 'Cierres encontrados.', [CLOSING]),
        '403': shared('Forbidden'),
        '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 500.'] }),
      },
    }),
    post: authenticatedOperation({
      operationId: 'closePeriod',
      tags: ['payroll'],
      summary: 'Cerrar un periodo de nómina, o reabrirlo con un comentario',
      description:
        'Bloquea las checadas anteriores a `before` que ya se decidieron. Sin `payroll_group`, para todos; vacío, para quienes no tienen grupo. Solo para PAYROLL_ROLES sin sucursal asignada.',
      requestBody: body(ClosingBody, { before: '2026-11-16', payroll_group: 'quincenal' }),
      responses: {
        '200': done('Periodo cerrado.', schemas.Closing, 'El periodo se cerró.', CLOSING),
        '403': shared('Forbidden'),
        '409': response(
          'Quedan checadas pendientes y no se envió `leave_pending`.',
          schemas.Failure,
          failure(messageOf('PENDING_LOGS', { count: 12 })),
        ),
        '422': invalid({ before: [messageOf('CLOSING_AHEAD')] }),
      },
    }),
  },
}
