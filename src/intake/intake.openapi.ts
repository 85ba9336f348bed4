import * as z from 'zod'
import { LOG_EVENTS } from '../core/log-values.ts'
import {
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  failureResponse,
  forbiddenChange,
  idField,
  integer,
  invalidResponse,
  localAtField,
  logKind,
  logStatus,
  NamedUser,
  noEmployee,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  requestCommentField,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { ChangesQuery, OwnLogsQuery } from '../logs/log-query.schemas.ts'
import {
  DismissalBody,
  IntakeBody,
  IntakeItem,
  LOGS_PER_REQUEST,
  ManualLogBody,
  OwnLogBody,
  ProblemPath,
  RequestBody,
  SourceBody,
  SourcePath,
  SourcesQuery,
} from './intake.schemas.ts'

z.globalRegistry.add(IntakeItem, { id: 'IntakeItem' })

/** The documented body. `IntakeBody` accepts any item, because items are validated one by one. */
const IntakeRequest = z.object({
  ...IntakeBody.shape,
  logs: z.array(IntakeItem).max(LOGS_PER_REQUEST).nullish(),
})

const reason = z
  .enum(['unknown_employee', 'other_branch', 'future', 'too_old', 'invalid'])
  .meta({ id: 'IntakeReason' })

const IntakeResult = component('IntakeResult', {
  log_id: idField.nullable().meta({ description: 'Nulo si se rechazó.' }),
  result: z.enum(['created', 'known', 'differs', 'refused']),
  reason: reason.optional(),
  // An enum would break generated clients when it gets another value.
  detail: z.string().optional().meta({
    description:
      'Más sobre el motivo, si lo hay. `forbidden_id`: quien solo puede enviar algunos orígenes o sucursales no puede enviar `log_id`. `ended`: el día es posterior al último día de trabajo de la persona. `clock`: el teléfono no está en hora. `near:` y un número: la persona desconocida se parece a esa. De `invalid`, el primer campo equivocado, como `recorded_at`. Habrá otros.',
  }),
})

const IntakeProblem = component('IntakeProblem', {
  id: idField,
  result: z.enum(['created', 'differs', 'refused']),
  reason: z
    .enum([...reason.options, 'otra_zona'])
    .nullable()
    .meta({
      description:
        '`otra_zona` (con `created`): las checadas se guardaron, pero llegaron con una diferencia horaria que su sucursal no tiene en ese momento. Es uno por persona y desaparece con la primera checada que sí la tiene.',
    }),
  detail: z.string().nullable().meta({ description: 'Como el `detail` del resultado.' }),
  employee_id: z.string(),
  source_id: z.string(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  count: z.int(),
})

const LogSource = component('LogSource', {
  source: z.string(),
  label: z
    .string()
    .nullable()
    .meta({ description: 'Cómo le dicen las personas; nulo si nadie lo dijo.' }),
  complete_until: z.iso.datetime().nullable(),
  last_seen_at: z.iso.datetime(),
  problem_count: z.int().min(0).max(1_000).meta({
    description: 'Cuántos problemas siguen abiertos; se cuentan 1,000 a lo más.',
  }),
  problems: z.array(IntakeProblem),
})

const SavedSource = component('SavedSource', {
  ...LogSource.pick({ source: true, label: true, complete_until: true, last_seen_at: true }).shape,
  retired: z.boolean(),
})

const LogChange = component('LogChange', {
  id: idField,
  event: z.enum(LOG_EVENTS),
  log_id: idField,
  source: z.string(),
  source_id: z.string().nullable(),
  employee_id: z.string(),
  kind: logKind,
  recorded_at: z.iso.datetime(),
  local_at: localAtField,
  from_status: logStatus.nullable(),
  to_status: logStatus,
  comment: z.string().nullable(),
  user: NamedUser.nullable(),
  created_at: z.iso.datetime(),
})

const ChangePage = component('ChangePage', {
  changes: z.array(LogChange),
  next_after: z.int().min(0),
  is_limited: z.boolean(),
})

const OwnLog = component('OwnLog', {
  log_id: idField,
  status: logStatus,
  kind: logKind,
  recorded_at: z.iso.datetime(),
  local_at: localAtField,
  received_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  comment: z.string().nullable(),
  request_comment: requestCommentField,
})

const OwnLogs = component('OwnLogs', {
  logs: z.array(OwnLog),
  may_check_in: z.boolean().meta({ description: 'Si aquí se checa desde la app propia.' }),
  may_request: z.boolean().meta({ description: 'Si aquí se solicitan checadas que faltan.' }),
})

const UUID_EXAMPLE = '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a11'

export const intakePaths = {
  '/v2/incidents/logs': {
    post: authenticatedOperation({
      operationId: 'recordLogs',
      tags: ['intake'],
      summary: 'Enviar checadas de un reloj, hasta 100 por llamada',
      description:
        'Para los roles de INTAKE_ROLES. Cada elemento lleva `source_id` (o `log_id`, si lo numeró el sistema anterior), `employee_id`, `kind` y `recorded_at`; uno malo no detiene a los demás. Lo mismo enviado otra vez es `known`. `complete_until` dice hasta cuándo se ha enviado todo. `source` se guarda en minúsculas y sin blancos alrededor; si el usuario solo puede enviar algunos orígenes, otro es un 403.',
      requestBody: bodyComponent('IntakeBody', IntakeRequest, {
        source: 'reloj-norte',
        complete_until: '2026-11-20T00:00:00-06:00',
        logs: [
          {
            source_id: 'AX1:2:2026-11-19 08:00:03',
            employee_id: 'E-002',
            kind: 'checada',
            recorded_at: '2026-11-19T08:00:03-06:00',
          },
        ],
      }),
      responses: {
        '200': successResponse(
          'Un resultado por elemento, en el orden enviado.',
          z.array(IntakeResult),
          'Registros recibidos.',
          [{ log_id: 1_000_000_000, result: 'created' }],
        ),
        '403': failureResponse('Sin permiso, o un origen que no es del usuario.', 'FOREIGN_SOURCE'),
        '422': invalidResponse({ source: ['El origen es obligatorio.'] }),
      },
    }),
  },
  '/v2/incidents/sources': {
    get: authorizedOperation({
      operationId: 'listSources',
      tags: ['intake'],
      summary: 'Ver los relojes: hasta cuándo están completos y qué se les rechazó',
      description:
        'Para quien administra o paga, y para relojes: si un reloj solo puede enviar algunos orígenes, ve esos. Los problemas son los 100 más recientes de 90 días.',
      parameters: queryParameters(SourcesQuery, {
        retired: { description: 'true: los retirados, en lugar de los demás.' },
      }),
      responses: {
        '422': invalidResponse({ retired: ['Retirados debe ser true o false.'] }),
        '200': successResponse('Los orígenes.', z.array(LogSource), 'Orígenes encontrados.', [
          {
            source: 'reloj-norte',
            label: 'Entrada de la nave norte',
            complete_until: '2026-11-20T06:00:00.000Z',
            last_seen_at: '2026-11-20T14:02:11.000Z',
            problem_count: 1,
            problems: [
              {
                id: 12,
                result: 'refused',
                reason: 'unknown_employee',
                detail: 'near:E-0099',
                employee_id: 'E-099',
                source_id: 'AX1:99:2026-11-19 08:00:03',
                first_at: '2026-11-19T14:05:00.000Z',
                last_at: '2026-11-20T14:02:11.000Z',
                count: 2,
              },
            ],
          },
        ]),
      },
    }),
  },
  '/v2/incidents/sources/{source}': {
    put: authorizedOperation({
      operationId: 'putSource',
      tags: ['intake'],
      summary: 'Nombrar o retirar un origen',
      description:
        'Para quien administra todas las sucursales. De un origen retirado no se esperan checadas; vuelve en cuanto envía algo.',
      parameters: pathParameters(SourcePath, { source: { description: 'El origen.' } }),
      requestBody: bodyComponent('SourceBody', SourceBody, {
        label: 'Entrada norte',
        retired: false,
      }),
      responses: {
        '200': successResponse('Guardado.', SavedSource, 'El origen se guardó.', {
          source: 'reloj-norte',
          label: 'Entrada norte',
          complete_until: null,
          last_seen_at: '2026-11-20T14:02:11.000Z',
          retired: false,
        }),
        '404': failureResponse('No existe.', 'SOURCE_NOT_FOUND'),
        '422': invalidResponse({ retired: ['Retirado debe ser true o false.'] }),
      },
    }),
  },
  '/v2/incidents/sources/{source}/problems/{id}/dismiss': {
    post: authorizedOperation({
      operationId: 'dismissProblem',
      tags: ['intake'],
      summary: 'Descartar un problema que nada resuelve',
      description: 'Vuelve a verse solo si cambia su resultado o su motivo.',
      parameters: pathParameters(ProblemPath, {
        source: { description: 'El origen.' },
        id: { description: 'El `id` del problema.' },
      }),
      requestBody: bodyComponent('DismissalBody', DismissalBody, { reason: 'Ya no trabaja aquí.' }),
      responses: {
        '200': successResponse('Descartado.', z.null(), 'El problema se descartó.', null),
        '404': failureResponse('No está abierto.', 'PROBLEM_NOT_FOUND'),
        '422': invalidResponse({ reason: ['El motivo es obligatorio.'] }),
      },
    }),
  },
  '/v2/incidents/changes': {
    get: authorizedOperation({
      operationId: 'listChanges',
      tags: ['intake'],
      summary: 'Leer lo que pasó con las checadas, en orden, desde un punto',
      description:
        'Guarda `next_after` y pásalo como `after` la próxima vez: ningún cambio se pierde ni se repite. Si un reloj solo puede enviar algunos orígenes, ve sus cambios; quien tiene sucursales, los de estas. Entonces `is_limited` es true, y `next_after` también pasa lo que no se ve. Una página puede traer menos que el límite, o ninguno, y aun así avanzar.',
      parameters: queryParameters(ChangesQuery, {
        after: {
          description: 'El `next_after` de la última lectura; 0 desde el principio.',
          schema: integer(0, 999_999_999_999_999),
        },
        limit: pageSizeParameter(500),
        event: { description: 'Solo los eventos de este tipo.' },
      }),
      responses: {
        '200': successResponse('Los cambios.', ChangePage, 'Cambios encontrados.', {
          changes: [
            {
              id: 7,
              event: 'decided',
              log_id: 1_000_000_000,
              source: 'reloj-norte',
              source_id: 'AX1:2:2026-11-02 08:58:12',
              employee_id: 'E-002',
              kind: 'entrada',
              recorded_at: '2026-11-02T14:58:12.000Z',
              local_at: '2026-11-02T08:58:12-06:00',
              from_status: 'pending',
              to_status: 'approved',
              comment: 'Llegó puntual.',
              user: { id: 1, full_name: 'Ana Torres Rivas' },
              created_at: '2026-11-03T16:20:00.000Z',
            },
          ],
          next_after: 7,
          is_limited: false,
        }),
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 500.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/my_logs': {
    get: authenticatedOperation({
      operationId: 'listMyLogs',
      tags: ['intake'],
      summary: 'Ver las checadas propias, con su última decisión',
      description: 'Los últimos 14 días, o hasta 31 días de un periodo.',
      parameters: queryParameters(OwnLogsQuery),
      responses: {
        '200': successResponse('Las checadas.', OwnLogs, 'Registros encontrados.', {
          logs: [
            {
              log_id: 1_000_000_000,
              status: 'rejected',
              kind: 'entrada',
              recorded_at: '2026-11-02T14:58:12.000Z',
              local_at: '2026-11-02T08:58:12-06:00',
              received_at: '2026-11-02T14:58:13.104Z',
              decided_at: '2026-11-03T16:20:00.000Z',
              comment: 'Checada repetida: cuenta la de las 08:00.',
              request_comment: null,
            },
          ],
          may_check_in: true,
          may_request: false,
        }),
        '403': noEmployee,
        '422': invalidResponse({ to: ['El periodo puede tener 31 días como máximo.'] }),
      },
    }),
    post: authenticatedOperation({
      operationId: 'recordMyLog',
      tags: ['intake'],
      summary: 'Checar desde la app propia',
      description:
        'Donde la instalación lo permite. Sin `recorded_at` cuenta la hora del servicio; con ella, de 72 horas a lo más. Con `sent_at`, la hora del teléfono al enviar, no se cree en `recorded_at` si difiere de la del servicio más de 5 minutos. Un 200 con `result` refused (`future`, `too_old`, `invalid` con `detail` clock, o `unknown_employee` con `detail` ended después del último día de trabajo) no registró nada. El mismo `client_id` es known, aunque lo demás sea distinto: cada checada lleva uno propio.',
      requestBody: bodyComponent('OwnLogBody', OwnLogBody, {
        client_id: UUID_EXAMPLE,
        kind: 'entrada',
      }),
      responses: {
        '200': successResponse('Qué pasó con ella.', IntakeResult, 'Registro recibido.', {
          log_id: 1_000_000_000,
          result: 'created',
        }),
        '403': noEmployee,
        '422': invalidResponse({ client_id: ['El identificador del envío debe ser un UUID.'] }),
      },
    }),
  },
  '/v2/incidents/my_requests': {
    post: authenticatedOperation({
      operationId: 'requestMyLog',
      tags: ['intake'],
      summary: 'Solicitar una checada propia que falta, con su motivo',
      description:
        'Donde la instalación lo permite; de 35 días atrás a lo más. Queda pendiente hasta que la decide otra persona. El mismo `client_id` no la solicita dos veces; si ya hay una checada de ese tipo y segundo, el resultado es known.',
      requestBody: bodyComponent('RequestBody', RequestBody, {
        client_id: UUID_EXAMPLE,
        kind: 'salida',
        recorded_at: '2026-11-02T18:00:00-06:00',
        comment: 'Salí por la otra puerta y olvidé checar.',
      }),
      responses: {
        '200': successResponse('Qué pasó con ella.', IntakeResult, 'Solicitud enviada.', {
          log_id: 1_000_000_002,
          result: 'created',
        }),
        '403': noEmployee,
        '409': failureResponse('Ya hay 10 por revisar.', 'TOO_MANY_REQUESTED'),
        '422': invalidResponse({ comment: ['El comentario es obligatorio.'] }),
      },
    }),
  },
  '/v2/incidents/manual_logs': {
    post: authenticatedOperation({
      operationId: 'addManualLog',
      tags: ['intake'],
      summary: 'Agregar a mano una checada que falta, con su motivo',
      description:
        'Para quien administra o paga; de 400 días atrás a lo más. Queda pendiente hasta que alguien que administra la decide; el mismo `client_id` no agrega dos veces.',
      requestBody: bodyComponent('ManualLogBody', ManualLogBody, {
        client_id: UUID_EXAMPLE,
        employee_id: 'E-002',
        kind: 'salida',
        recorded_at: '2026-11-02T18:00:00-06:00',
        comment: 'Olvidó checar; lo confirma su jefe.',
      }),
      responses: {
        '200': successResponse('Qué pasó con ella.', IntakeResult, 'Registro agregado.', {
          log_id: 1_000_000_001,
          result: 'created',
        }),
        '403': forbiddenChange,
        '422': invalidResponse({ comment: ['El comentario es obligatorio.'] }),
      },
    }),
  },
}
