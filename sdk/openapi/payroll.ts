import * as z from 'zod'
import { EXCEPTIONS, NOTICES } from '../../src/domain/payroll/work-days.ts'
import { failure } from '../../src/http/core/envelope.ts'
import { messageOf } from '../../src/http/core/errors.ts'
import { ADJUSTMENTS_FILE, HOURS_FILE, TOTALS_FILE } from '../../src/http/payroll/hours-rows.ts'
import {
  AdjustmentsQuery,
  ClosingBody,
  ClosingsQuery,
  HoursQuery,
} from '../../src/schemas/payroll/payroll.ts'
import {
  authenticatedOperation,
  body,
  component,
  done,
  employeeFields,
  Failure,
  id,
  integer,
  invalid,
  limitUpTo,
  NamedUser,
  queryParameters,
  response,
  rowsFile,
  shared,
} from './parts.ts'

const person = { ...employeeFields, payroll_group: z.string() }

const workedFields = {
  pairs: z.int().meta({ description: 'Cuántos pares de entrada y salida cuentan.' }),
  worked_seconds: z
    .int()
    .nullable()
    .meta({ description: 'Nulo, nunca cero, si ningún par cuenta.' }),
  worked_hours: z.number().nullable().meta({ description: 'Con dos decimales.' }),
}

const marks = {
  exceptions: z.array(z.enum(EXCEPTIONS)).meta({ description: 'Lo que alguien debe corregir.' }),
  notices: z.array(z.enum(NOTICES)).meta({ description: 'Lo que conviene saber.' }),
}

const HoursDay = component('HoursDay', {
  ...person,
  day: z.iso.date().meta({ description: 'El día local de la entrada.' }),
  weekday: z.string(),
  first_in: z.string().nullable().meta({ description: 'Hora local: 2026-11-09 08:00:00.' }),
  last_out: z.string().nullable(),
  ...workedFields,
  detail: z.string().meta({ description: 'Los pares del día: 08:00–13:00 14:00–17:00.' }),
  ...marks,
  log_ids: z.array(id).meta({ description: 'Las checadas del día que no se rechazaron.' }),
})

const HoursTotal = component('HoursTotal', {
  ...person,
  days: z.int(),
  ...workedFields,
  days_with_exceptions: z.int(),
  ...marks,
})

const Adjustment = component('Adjustment', {
  employee_id: z.string(),
  full_name: z.string(),
  day: z.iso.date(),
  closed_seconds: z.int().nullable(),
  worked_seconds: z.int().nullable(),
  difference_seconds: z.int(),
})

const Closing = component('Closing', {
  id,
  before: z.iso.date().meta({ description: 'El primer día que queda abierto.' }),
  payroll_group: z.string().nullable().meta({ description: 'Nulo para todos.' }),
  user: NamedUser,
  comment: z.string().nullable(),
  last_event_id: z.int().min(0).meta({ description: 'El último evento antes del cierre.' }),
  created_at: z.iso.datetime(),
})

const PERSON = {
  employee_id: 'E-002',
  full_name: 'Luis Mendoza Peña',
  department: 'Almacén',
  branch_office: 'Norte',
  payroll_group: 'quincenal',
}

const DAY = {
  ...PERSON,
  day: '2026-11-09',
  weekday: 'lunes',
  first_in: '2026-11-09 08:00:00',
  last_out: '2026-11-09 17:00:00',
  pairs: 2,
  worked_seconds: 28_800,
  worked_hours: 8,
  detail: '08:00–13:00 14:00–17:00',
  exceptions: [],
  notices: ['manual'],
  log_ids: [11, 12, 13, 14],
}

const TOTAL = {
  ...PERSON,
  days: 5,
  pairs: 10,
  worked_seconds: 144_000,
  worked_hours: 40,
  days_with_exceptions: 1,
  exceptions: ['sin_salida'],
  notices: [],
}

const ADJUSTMENT = {
  employee_id: 'E-002',
  full_name: 'Luis Mendoza Peña',
  day: '2026-11-09',
  closed_seconds: 28_800,
  worked_seconds: 32_400,
  difference_seconds: 3_600,
}

const CLOSING = {
  id: 3,
  before: '2026-11-16',
  payroll_group: 'quincenal',
  user: { id: 4, full_name: 'Rosa Ibarra Vega' },
  comment: null,
  last_event_id: 4120,
  created_at: '2026-11-17T16:02:11.000Z',
}

const CLOSING_ID = integer(1, 999_999_999)

export const payroll = {
  '/v2/incidents/hours': {
    get: authenticatedOperation({
      operationId: 'getHours',
      tags: ['payroll'],
      summary: 'Exportar las horas por empleado y día, o por empleado',
      description:
        'Solo cuentan las checadas aprobadas; con `preview=true`, también las pendientes. Sin fechas, los últimos 31 días; 366 como máximo. Los filtros eligen renglones y nunca cambian sus cifras. Con `closing`, las cifras como estaban al cerrar ese periodo.',
      parameters: queryParameters(HoursQuery, {
        from: { description: 'Desde este día.' },
        to: { description: 'Hasta este día, incluido.' },
        payroll_group: {
          description: 'Solo este grupo de nómina; vacío, los que no tienen grupo.',
        },
        by: { description: 'Un renglón por empleado, en vez de uno por empleado y día.' },
        preview: {
          description: 'Si las checadas pendientes cuentan como aprobadas.',
          schema: { type: 'boolean' },
        },
        closing: {
          description: 'Un cierre: las cifras como estaban entonces.',
          schema: CLOSING_ID,
        },
      }),
      responses: {
        '200': rowsFile(z.union([HoursDay, HoursTotal]), {
          days: [HOURS_FILE, DAY],
          'by=employee': [TOTALS_FILE, TOTAL],
        }),
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
      parameters: queryParameters(AdjustmentsQuery, {
        since: { description: 'El cierre desde el que se buscan cambios.', schema: CLOSING_ID },
        until: {
          description: 'El cierre hasta el que se buscan; sin él, hasta ahora.',
          schema: CLOSING_ID,
        },
      }),
      responses: {
        '200': rowsFile(Adjustment, { adjustments: [ADJUSTMENTS_FILE, ADJUSTMENT] }),
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
      parameters: queryParameters(ClosingsQuery, { limit: limitUpTo(500) }),
      responses: {
        '200': done('Los cierres.', z.array(Closing), 'Cierres encontrados.', [CLOSING]),
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
      requestBody: body('ClosingBody', ClosingBody, {
        before: '2026-11-16',
        payroll_group: 'quincenal',
      }),
      responses: {
        '200': done('Periodo cerrado.', Closing, 'El periodo se cerró.', CLOSING),
        '403': shared('Forbidden'),
        '409': response(
          'Quedan checadas pendientes y no se envió `leave_pending`.',
          Failure,
          failure(messageOf('PENDING_LOGS', { count: 12 })),
        ),
        '422': invalid({ before: [messageOf('CLOSING_AHEAD')] }),
      },
    }),
  },
}
