import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import {
  addNamedEnum,
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  failureResponse,
  idField,
  integer,
  invalidResponse,
  listedEmployeeFields,
  NamedUser,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  response,
  rowsFile,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import type { Totals } from './closing-lines.ts'
import { LINES_FILE, PERSONS_FILE, WEEKS_FILE } from './closing-rows.http.ts'
import { HOURS_FILE, TOTALS_FILE, WEEK_TOTALS_FILE } from './hours-rows.http.ts'
import {
  CancelBody,
  ClosingBody,
  ClosingLinesQuery,
  ClosingPath,
  ClosingPreviewLinesQuery,
  ClosingPreviewQuery,
  ClosingsQuery,
  HoursQuery,
  PayrollGroupBody,
  PayrollGroupsQuery,
  ReviewBody,
} from './payroll.schemas.ts'
import { EXCEPTIONS, NOTICES } from './work-days.ts'

addNamedEnum('HoursException', EXCEPTIONS)
addNamedEnum('HoursNotice', NOTICES)

const person = { ...listedEmployeeFields, payroll_group: z.string() }

const workedFields = {
  pairs: z.int().meta({ description: 'Cuántos pares de entrada y salida cuentan.' }),
  worked_seconds: z
    .int()
    .nullable()
    .meta({ description: 'Nulo, nunca cero, si ningún par cuenta.' }),
  worked_hours: z.number().nullable().meta({ description: 'Con dos decimales.' }),
}

const exceptionAndNoticeFields = {
  exceptions: z.array(z.enum(EXCEPTIONS)).meta({ description: 'Lo que alguien debe corregir.' }),
  notices: z.array(z.enum(NOTICES)).meta({ description: 'Lo que conviene saber.' }),
}

const Review = component('DayReview', {
  user: NamedUser,
  at: z.iso.datetime(),
  comment: z.string().nullable(),
}).nullable()

const HoursDay = component('HoursDay', {
  ...person,
  day: z.iso.date().meta({ description: 'El día local de la entrada.' }),
  weekday: z.string(),
  first_in: z.string().nullable().meta({ description: 'Hora local: 2026-11-09 08:00:00.' }),
  last_out: z.string().nullable(),
  ...workedFields,
  detail: z.string().meta({ description: 'Los pares del día: 08:00–13:00 14:00–17:00.' }),
  ...exceptionAndNoticeFields,
  paid_seconds: z.int().nullable().meta({ description: 'Lo que los cierres pagaron por el día.' }),
  closing_id: idField.nullable().meta({ description: 'El más reciente de esos cierres.' }),
  reviewed: Review.meta({ description: 'Quién revisó el día; en CSV, su nombre.' }),
  log_ids: z.array(idField).meta({ description: 'Las checadas del día que no se rechazaron.' }),
  request_comments: z
    .array(z.string())
    .meta({ description: 'Lo que escribió la persona al solicitar checadas del día.' }),
})

const sums = {
  days: z.int(),
  ...workedFields,
  days_with_exceptions: z.int(),
  ...exceptionAndNoticeFields,
}

const HoursTotal = component('HoursTotal', {
  ...person,
  ...sums,
  rfc: z.string().meta({ description: 'Este campo y los que siguen, solo en NDJSON.' }),
  started_at: z.iso.date(),
  ended_at: z.iso.date().nullable(),
  unsynced_from: z.iso.date().nullable().meta({
    description: 'Desde qué día del periodo falta información de un reloj de esta persona.',
  }),
})

const seconds = (description: string) => z.int().min(0).meta({ description })

const HoursWeek = component('HoursWeek', {
  ...person,
  week_from: z.iso.date().meta({ description: 'El lunes de la semana, siempre entera.' }),
  week_to: z.iso.date(),
  ...sums,
  week_seconds: seconds('Lo trabajado en toda la semana, en todas las sucursales.'),
  limit_seconds: seconds('El límite de la ley para la semana, por el año de su lunes.'),
  over_seconds: seconds('Lo que `week_seconds` pasa del límite.'),
  shifts_over_12h: z.int().min(0).meta({
    description: 'Días de la semana con más de 12 horas en total.',
  }),
  open: z.boolean().meta({
    description: 'Si algo de la semana está pendiente o retenido; sus cifras aún pueden cambiar.',
  }),
})

const totals = {
  people: z.int().min(0).meta({ description: 'A cuántas personas toma.' }),
  days: z.int().min(0).meta({ description: 'Los días que paga por primera vez.' }),
  period_seconds: seconds('Por los días del periodo.'),
  added_seconds: seconds('De más por días anteriores.'),
  deducted_seconds: seconds('De menos por días anteriores; nunca se resta de lo demás.'),
  held_seconds: seconds('Lo que se retiene mientras algo está pendiente.'),
  exceptions_left: z.int().min(0).meta({
    description:
      'Días del periodo con excepciones que nadie revisó; sin los que solo esperan una decisión.',
  }),
  pending: z.int().min(0).meta({ description: 'Checadas pendientes de estas personas.' }),
  pending_of_period: z.int().min(0),
} satisfies Record<keyof Totals, z.ZodType>

const FirstTaken = component('FirstTaken', {
  employee_id: z.string(),
  full_name: z.string(),
  first_day: z.iso.date().meta({ description: 'El primer día que se le paga aquí.' }),
  was: z.iso
    .date()
    .nullable()
    .meta({ description: 'El de su último cierre; null si es el primero.' }),
  seconds: z
    .int()
    .meta({ description: 'Lo que se le paga, o lo que se agrega por empezar antes.' }),
})

const LeftOut = component('LeftOut', {
  employee_id: z.string(),
  full_name: z.string(),
  days: z.int(),
  seconds: z.int().meta({ description: 'Lo trabajado en esos días.' }),
  reason: z.enum(['before_start', 'paid_from']).meta({
    description:
      'Por qué no se pagan: son anteriores a su fecha de ingreso, o al día desde el que se le paga.',
  }),
})

const selectionFields = {
  payroll_group: z.string().nullable().meta({ description: 'Vacío, el grupo General.' }),
  employee_id: z.string().nullable(),
}

const summaryFields = {
  before: z.iso.date().meta({ description: 'El primer día que queda abierto.' }),
  ...selectionFields,
  ...totals,
  unsynced: z.array(z.string()).meta({ description: 'Relojes que no han enviado todo.' }),
}

const Cancellation = component('ClosingCancellation', {
  at: z.iso.datetime(),
  comment: z.string(),
  user: NamedUser,
})

const Signatures = component('Signatures', {
  agreed: z.int(),
  objected: z.int(),
  missing: z.int().meta({ description: 'Con renglones y sin firma.' }),
  without_user: z.int().meta({ description: 'De quienes faltan: no pueden firmar en la app.' }),
})

const Closing = component('Closing', {
  id: idField,
  ...summaryFields,
  signed: Signatures.meta({ description: 'Cuántas personas firmaron sus renglones.' }),
  hash: z.string().meta({ description: 'SHA-256 de sus renglones.' }),
  comment: z.string().nullable(),
  user: NamedUser,
  created_at: z.iso.datetime(),
  cancelled: Cancellation.nullable(),
})

const ClosingPreview = component('ClosingPreview', {
  id: z.null(),
  ...summaryFields,
  signed: z.null(),
  hash: z.null(),
  comment: z.null(),
  user: z.null(),
  created_at: z.iso.datetime(),
  cancelled: z.null(),
  first_taken: z.array(FirstTaken).meta({
    description: 'A quiénes se les paga aquí por primera vez, o desde un día anterior.',
  }),
  left_out: z.array(LeftOut).meta({
    description: 'Quienes tienen horas anteriores a su primer día, que ningún cierre paga.',
  }),
  groups_without_day: z.array(z.string()).meta({
    description: 'Los grupos sin primer día (`pays_from`). Su gente no está en las cifras.',
  }),
  inverted_days: z.int().meta({
    description:
      'Días en los que quizá falta una checada y se cuenta el descanso, sin que nadie confirmara sus horas.',
  }),
  inverted_seconds: z.int().meta({
    description: 'Lo que se pagaría por esos días. El cierre lo recibe en `confirm_inverted`.',
  }),
  closed_already: component('PreviousClosing', {
    id: idField,
    before: z.iso.date(),
    user: NamedUser,
    created_at: z.iso.datetime(),
  })
    .nullable()
    .meta({
      description: 'Si ya se pagó a todos hasta ese día, el cierre que pagó a más de ellos.',
    }),
})

const PayrollGroup = component('PayrollGroup', {
  payroll_group: z.string().meta({ description: 'Vacío, el grupo General.' }),
  people: z.int().meta({ description: 'Quienes están en el grupo y no se han ido.' }),
  calendar: z.string().meta({
    description: 'Como `week monday`, `half month`, `month` o `14 days 2026-01-05`.',
  }),
  pays_from: z.iso
    .date()
    .nullable()
    .meta({ description: 'El primer día que este servicio le paga al grupo.' }),
  version: z.int().meta({ description: 'Se envía de vuelta como `expected_version`.' }),
  paid_before: z.iso
    .date()
    .nullable()
    .meta({ description: 'El primer día que ningún cierre del grupo ha pagado.' }),
  next: component('PayPeriod', {
    name: z.string(),
    from: z.iso.date(),
    before: z.iso.date().meta({ description: 'El primer día después del periodo.' }),
  }),
})

const PayrollGroups = component('PayrollGroups', { groups: z.array(PayrollGroup) })

const SavedGroup = component('SavedGroup', { group: PayrollGroup })

const GroupConflict = component(
  'GroupConflict',
  { ...Failure.shape, current: PayrollGroup.optional() },
  'El grupo cambió (`current`), o todavía no existe.',
)

const ReviewedDay = component('ReviewedDay', {
  employee_id: z.string().meta({ description: 'De varios días, el del primero.' }),
  day: z.iso.date(),
  days: z
    .array(z.object({ employee_id: z.string(), day: z.iso.date() }))
    .optional()
    .meta({ description: 'Si se enviaron varios días.' }),
})

const ClosingPage = component('ClosingPage', {
  closings: z.array(Closing),
  next_cursor: z.string().nullable(),
})

const paidPerson = { employee_id: z.string(), rfc: z.string(), full_name: z.string() }

const paidGroup = {
  ...paidPerson,
  department: z.string(),
  branch_office: z.string(),
  payroll_group: z.string(),
}

/** The sealed fields of a line, except the employee and the day. */
export const lineFields = {
  of_period: z.int().meta({ description: '1 si el día es del periodo; 0 si es anterior.' }),
  department: z.string(),
  branch_office: z.string(),
  first_in: z.string().nullable(),
  last_out: z.string().nullable(),
  pairs: z.int(),
  worked_seconds: z
    .int()
    .nullable()
    .meta({ description: 'Lo trabajado; si se retiene, lo pagado.' }),
  paid_before_seconds: z.int(),
  difference_seconds: z.int().meta({ description: 'Lo que este cierre paga por el día.' }),
  previous_closing_id: idField.nullable(),
  held_seconds: z.int(),
  held_by: idField
    .nullable()
    .meta({ description: 'La checada pendiente más antigua que lo retiene.' }),
  detail: z.string(),
  exceptions: z.string().meta({ description: 'Separadas por espacios.' }),
  notices: z.string(),
}

const ClosingLine = component('ClosingLine', {
  ...paidPerson,
  payroll_group: z.string(),
  ended_at: z.iso.date().nullable(),
  day: z.iso.date(),
  weekday: z.string(),
  ...lineFields,
})

const payment = {
  days: z.int().meta({ description: 'Los días que se pagan por primera vez.' }),
  period_seconds: z.int(),
  added_seconds: z.int(),
  deducted_seconds: z.int(),
  total_seconds: z
    .int()
    .meta({ description: 'Periodo más adiciones; las deducciones van aparte.' }),
  total_hours: z.number(),
  held_seconds: z.int(),
  days_with_exceptions: z.int(),
  exceptions: exceptionAndNoticeFields.exceptions,
}

const ClosingPerson = component('ClosingPerson', {
  ...paidGroup,
  ended_at: z.iso.date().nullable(),
  ...payment,
  from_day: z.iso
    .date()
    .nullable()
    .meta({ description: 'El primer día del periodo; null si solo corrige días anteriores.' }),
})

const ClosingWeek = component('ClosingWeek', {
  ...paidGroup,
  week_from: z.iso.date(),
  week_to: z.iso.date(),
  ...payment,
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
  paid_seconds: 28_800,
  closing_id: 3,
  reviewed: null,
  log_ids: [11, 12, 13, 14],
  request_comments: [],
}

const SUMS = {
  days: 5,
  pairs: 10,
  worked_seconds: 144_000,
  worked_hours: 40,
  days_with_exceptions: 1,
  exceptions: ['sin_salida'],
  notices: [],
}

const WEEK = {
  ...PERSON,
  week_from: '2026-11-09',
  week_to: '2026-11-15',
  ...SUMS,
  week_seconds: 144_000,
  limit_seconds: 172_800,
  over_seconds: 0,
  shifts_over_12h: 0,
  open: false,
}

const TOTAL = {
  ...PERSON,
  ...SUMS,
  rfc: 'MEPL900101AB1',
  started_at: '2024-03-01',
  ended_at: null,
  unsynced_from: null,
}

const SUMMARY = {
  before: '2026-11-16',
  payroll_group: 'quincenal',
  employee_id: null,
  people: 1,
  days: 11,
  period_seconds: 316_800,
  added_seconds: 3_600,
  deducted_seconds: 0,
  held_seconds: 0,
  exceptions_left: 0,
  pending: 0,
  pending_of_period: 0,
  unsynced: [],
}

const GROUP = {
  payroll_group: 'quincenal',
  people: 280,
  calendar: 'half month',
  pays_from: '2026-10-01',
  version: 2,
  paid_before: '2026-10-16',
  next: { name: 'Quincena 20', from: '2026-10-16', before: '2026-11-01' },
}

const CREATED = { comment: null, created_at: '2026-11-17T16:02:11.000Z', cancelled: null }

const CLOSING = {
  id: 3,
  ...SUMMARY,
  signed: { agreed: 0, objected: 0, missing: 1, without_user: 0 },
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  user: { id: 4, full_name: 'Rosa Ibarra Vega' },
  ...CREATED,
}

const PREVIEW = {
  id: null,
  ...SUMMARY,
  signed: null,
  hash: null,
  user: null,
  ...CREATED,
  first_taken: [],
  left_out: [],
  groups_without_day: [],
  inverted_days: 0,
  inverted_seconds: 0,
  closed_already: null,
}

const PAID_PERSON = { ...PERSON, rfc: 'MEPL900101AB1' }

const PAYMENT = {
  days: 11,
  period_seconds: 316_800,
  added_seconds: 3_600,
  deducted_seconds: 0,
  total_seconds: 320_400,
  total_hours: 89,
  held_seconds: 0,
  days_with_exceptions: 0,
  exceptions: [],
}

const PERSON_ROW = {
  ...PAID_PERSON,
  ended_at: null,
  ...PAYMENT,
  from_day: '2026-11-01',
}

const WEEK_ROW = { ...PAID_PERSON, week_from: '2026-11-09', week_to: '2026-11-15', ...PAYMENT }

/** The example of a line without the person, the day and the place. */
export const LINE_EXAMPLE = {
  of_period: 1,
  first_in: '2026-11-09 08:00:00',
  last_out: '2026-11-09 17:00:00',
  pairs: 2,
  worked_seconds: 28_800,
  paid_before_seconds: 0,
  difference_seconds: 28_800,
  previous_closing_id: null,
  held_seconds: 0,
  held_by: null,
  detail: '08:00–13:00 14:00–17:00',
  exceptions: '',
  notices: 'manual',
}

const LINE = {
  ...PAID_PERSON,
  ended_at: null,
  day: '2026-11-09',
  weekday: 'lunes',
  ...LINE_EXAMPLE,
}

const LINE_FILES = rowsFile(z.union([ClosingLine, ClosingPerson, ClosingWeek]), {
  lines: [LINES_FILE, LINE],
  'by=employee': [PERSONS_FILE, PERSON_ROW],
  'by=week': [WEEKS_FILE, WEEK_ROW],
})

const BY = { description: 'Un renglón por persona, lo que hay que pagar, o por semana.' }

const previewParameters = {
  before: { description: 'El primer día que queda abierto, a lo más mañana.' },
  payroll_group: { description: 'Solo este grupo; vacío, el General.' },
}

const closingPath = pathParameters(ClosingPath, {
  id: { description: 'El cierre.', schema: integer(1) },
})
const notFound = response('No existe ese cierre.', Failure, failure(messageOf('CLOSING_NOT_FOUND')))

export const payrollPaths = {
  '/v2/incidents/hours': {
    get: authorizedOperation({
      operationId: 'getHours',
      tags: ['payroll'],
      summary: 'Exportar las horas por empleado y día, por semana o por empleado',
      description:
        'Solo cuentan las checadas aprobadas; con `preview=true`, también las pendientes. Sin fechas, los últimos 31 días; 366 como máximo. Los filtros eligen renglones y nunca cambian sus cifras.',
      parameters: queryParameters(HoursQuery, {
        from: { description: 'Desde este día.' },
        to: { description: 'Hasta este día, incluido.' },
        payroll_group: {
          description: 'Solo este grupo de nómina; vacío, el grupo General.',
        },
        by: {
          description:
            'Un renglón por empleado, o por empleado y semana, en vez de uno por empleado y día. Las semanas son enteras, aunque el periodo las corte.',
        },
        preview: {
          description: 'Si las checadas pendientes cuentan como aprobadas.',
          schema: { type: 'boolean' },
        },
        exceptions: {
          description: 'Solo los días con alguna excepción que nadie ha revisado.',
          schema: { type: 'boolean' },
        },
        preview_rejected: {
          description:
            'El número de una checada: solo los días de su persona cuyas horas cambiarían si se rechazara, como quedarían. No guarda nada, y no se combina con `by`.',
          schema: integer(1),
        },
      }),
      responses: {
        '200': rowsFile(z.union([HoursDay, HoursTotal, HoursWeek]), {
          days: [HOURS_FILE, DAY],
          'by=employee': [TOTALS_FILE, TOTAL],
          'by=week': [WEEK_TOTALS_FILE, WEEK],
        }),
        '422': invalidResponse({ format: ['El formato debe ser csv o ndjson.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/hours/reviews': {
    post: authorizedOperation({
      operationId: 'reviewDay',
      tags: ['payroll'],
      summary: 'Decir que alguien revisó un día',
      description:
        'El día sale de la lista de excepciones hasta que una de sus checadas cambie. Con `days` se revisan hasta 100 días con un comentario. Un día con `posible_desfase` se revisa solo, y con `confirm_seconds`: los segundos que se pagan por él.',
      requestBody: bodyComponent('ReviewBody', ReviewBody, {
        employee_id: 'E-002',
        day: '2026-11-09',
      }),
      responses: {
        '200': successResponse('Día revisado.', ReviewedDay, 'El día quedó revisado.', {
          employee_id: 'E-002',
          day: '2026-11-09',
        }),
        '422': invalidResponse({ employee_id: [messageOf('UNKNOWN_EMPLOYEE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/payroll_groups': {
    get: authorizedOperation({
      operationId: 'listPayrollGroups',
      tags: ['payroll'],
      summary: 'Ver hasta cuándo está pagado cada grupo de nómina, y su siguiente periodo',
      parameters: queryParameters(PayrollGroupsQuery, {
        day: { description: 'Con un día, `next` es el periodo de ese día.' },
      }),
      responses: {
        '200': successResponse('Los grupos.', PayrollGroups, 'Grupos de nómina encontrados.', {
          groups: [GROUP],
        }),
        '422': invalidResponse({ day: ['El día debe ser una fecha (AAAA-MM-DD).'] }),
      },
    }),
    put: authorizedOperation({
      operationId: 'putPayrollGroup',
      tags: ['payroll'],
      summary: 'Crear un grupo de nómina, o cambiar su calendario y desde qué día se le paga',
      description:
        'Todos los campos van siempre. `expected_version` es la versión que se leyó; 0 si todavía no existe. `pays_from` puede cambiar, pero no volver a null. Solo para PAYROLL_ROLES sin sucursal asignada.',
      requestBody: bodyComponent('PayrollGroupBody', PayrollGroupBody, {
        payroll_group: 'quincenal',
        calendar: 'half month',
        pays_from: '2026-10-01',
        expected_version: 1,
      }),
      responses: {
        '200': successResponse('Guardado.', SavedGroup, 'El grupo se guardó.', { group: GROUP }),
        '409': response('El grupo cambió desde que se leyó.', GroupConflict, {
          ...failure(messageOf('GROUP_MOVED')),
          current: GROUP,
        }),
        '422': invalidResponse({ pays_from: [messageOf('PAYS_FROM_STAYS')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings': {
    get: authorizedOperation({
      operationId: 'listClosings',
      tags: ['payroll'],
      summary: 'Listar los cierres, primero el más reciente',
      parameters: queryParameters(ClosingsQuery, {
        limit: pageSizeParameter(100),
        cursor: { description: 'El `next_cursor` de la página anterior.' },
      }),
      responses: {
        '200': successResponse('Los cierres.', ClosingPage, 'Cierres encontrados.', {
          closings: [CLOSING],
          next_cursor: null,
        }),
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 100.'] }),
      },
    }),
    post: authorizedOperation({
      operationId: 'closeDays',
      tags: ['payroll'],
      summary: 'Cerrar: guardar lo que se paga hasta un día',
      description:
        'Paga, por cada día de cada persona desde el primero que se paga aquí, lo trabajado menos lo que los cierres anteriores pagaron. Sin `payroll_group` ni `employee_id`, para todos. `expected_seconds` es, de la vista previa, `period_seconds` más `added_seconds` menos `deducted_seconds`. Solo para PAYROLL_ROLES sin sucursal asignada.',
      requestBody: bodyComponent('ClosingBody', ClosingBody, {
        before: '2026-11-16',
        payroll_group: 'quincenal',
      }),
      responses: {
        '200': successResponse('Cierre guardado.', Closing, 'El cierre se guardó.', CLOSING),
        '409': response(
          'Quedan checadas pendientes y no se envió `leave_pending`; hay días invertidos y `confirm_inverted` no es lo que suman; pagaría otra suma que `expected_seconds`; falta desde qué día se le paga a un grupo; a la persona se le paga desde un día posterior; otro cierre ya pagó estos días; o algo cambió mientras tanto.',
          Failure,
          failure(messageOf('PENDING_LOGS', { count: 12, ofPeriod: 11 })),
        ),
        '422': invalidResponse({ before: [messageOf('CLOSING_TAKES_NOBODY')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings/preview': {
    get: authorizedOperation({
      operationId: 'previewClosing',
      tags: ['payroll'],
      summary: 'Ver qué pagaría un cierre, sin guardar nada',
      parameters: queryParameters(ClosingPreviewQuery, previewParameters),
      responses: {
        '200': successResponse(
          'El cierre como quedaría.',
          ClosingPreview,
          'Así quedaría el cierre.',
          PREVIEW,
        ),
        '422': invalidResponse({ before: [messageOf('CLOSING_AHEAD')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings/preview/lines': {
    get: authorizedOperation({
      operationId: 'previewClosingLines',
      tags: ['payroll'],
      summary: 'Exportar lo que pagaría un cierre, sin guardar nada',
      parameters: queryParameters(ClosingPreviewLinesQuery, { ...previewParameters, by: BY }),
      responses: {
        '200': LINE_FILES,
        '422': invalidResponse({ before: [messageOf('CLOSING_AHEAD')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings/{id}': {
    get: authorizedOperation({
      operationId: 'getClosing',
      tags: ['payroll'],
      summary: 'Consultar un cierre',
      parameters: closingPath,
      responses: {
        '200': successResponse('El cierre.', Closing, 'Cierre.', CLOSING),
        '404': notFound,
        '422': invalidResponse({ id: ['El identificador del cierre debe ser un número.'] }),
      },
    }),
  },
  '/v2/incidents/closings/{id}/lines': {
    get: authorizedOperation({
      operationId: 'exportClosing',
      tags: ['payroll'],
      summary: 'Exportar lo que un cierre paga: por día, por persona o por semana',
      description: 'Con `by=employee`, lo que hay que pagar a cada quien.',
      parameters: [...closingPath, ...queryParameters(ClosingLinesQuery, { by: BY })],
      responses: {
        '200': LINE_FILES,
        '404': notFound,
        '422': invalidResponse({ format: ['El formato debe ser csv o ndjson.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/closings/{id}/cancel': {
    post: authorizedOperation({
      operationId: 'cancelClosing',
      tags: ['payroll'],
      summary: 'Cancelar un cierre hecho por error, con el que nadie cobró',
      description: 'Sus renglones ya no cuentan: el siguiente cierre paga esos días otra vez.',
      parameters: closingPath,
      requestBody: bodyComponent('CancelBody', CancelBody, {
        comment: 'Se cerró el grupo equivocado.',
      }),
      responses: {
        '200': successResponse('Cierre cancelado.', Closing, 'El cierre se canceló.', CLOSING),
        '404': notFound,
        '409': failureResponse('Ya estaba cancelado.', 'CLOSING_CANCELLED'),
        '422': invalidResponse({ comment: ['El comentario es obligatorio.'] }),
      },
    }),
  },
}
