import * as z from 'zod'
import { LOG_EVENTS } from '../../src/core/values/log-values.ts'
import { MANUAL_DAYS, REQUEST_DAYS } from '../../src/intake/added-logs.ts'
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
} from '../../src/intake/intake.schemas.ts'
import { ChangesQuery, OwnLogsQuery } from '../../src/logs/log-query.schemas.ts'
import {
  component,
  idField,
  integer,
  localAtField,
  logKind,
  logStatus,
  NamedUser,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  requestCommentField,
} from './operations.ts'

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
      'Más sobre el motivo, si lo hay. `forbidden_id`: quien solo puede enviar algunos orígenes o sucursales no puede enviar `log_id`. `ended`: el día es posterior al último día de trabajo de la persona. `clock`: el teléfono no está en hora. `near:` y el número que trae `near`. De `invalid`, el primer campo equivocado, como `recorded_at`. Habrá otros.',
  }),
  near: z.string().optional().meta({
    description: 'El número de una persona, al que se parece el de la persona desconocida.',
  }),
})

const OwnLogResult = component('OwnLogResult', {
  ...IntakeResult.shape,
  client_id: z.uuid().meta({ description: 'El que se envió, en minúsculas.' }),
})

const AddedLog = component('AddedLog', {
  ...IntakeResult.shape,
  recorded_at: z.iso
    .datetime()
    .meta({ description: 'La hora que se guardó, o la de la conocida.' }),
  local_at: localAtField,
  day: z.iso.date().meta({ description: 'El día local de la checada, en su sucursal.' }),
  warnings: z
    .array(
      component('LocalTimeTwice', {
        code: z.literal('LOCAL_TIME_TWICE'),
        message: z.string(),
        details: z.strictObject({
          instants: z.array(z.iso.datetime()).meta({ description: 'La primera y la segunda.' }),
        }),
      }),
    )
    .meta({ description: 'Vacía si no hay nada que decir.' }),
})

const LOCAL_TIME =
  'La hora es `recorded_at`, o `local_time` sin diferencia con UTC (`2026-11-02T08:58:12`), de la sucursal de la persona o de `branch_office`. Una hora que ese día pasó dos veces es la primera, con un aviso; con `second: true`, la segunda (422 si solo pasó una vez).'

const IntakeProblem = component('IntakeProblem', {
  id: idField,
  result: z.enum(['created', 'differs', 'refused']),
  reason: z
    .enum([...reason.options, 'otra_zona', 'otra_red', 'too_large', 'too_many_waiting'])
    .nullable()
    .meta({
      description:
        '`otra_zona` (con `created`): las checadas se guardaron, pero llegaron con una diferencia horaria que su sucursal no tiene en ese momento. Es uno por persona y desaparece con la primera checada que sí la tiene. De un reloj que se conecta solo: `otra_red`, llamaron desde otra dirección mientras él llamaba desde la suya; `too_large`, envía demasiado a la vez; `too_many_waiting`, más de 10,000 de sus checadas esperan. Con estos dos, el reloj conserva lo que no se guardó. `otra_red` con `refused`: de otra dirección llegaron de esa persona (o sin ella) más checadas de un día de las que se guardan; `count` dice cuántas no se guardaron y `detail` la primera y la última. De `otra_red` con `created`, `detail` es la otra dirección; de `invalid`, lo que no se pudo leer.',
    }),
  detail: z.string().nullable().meta({ description: 'Como el `detail` del resultado.' }),
  near: z
    .string()
    .nullable()
    .meta({ description: 'Como el `near` del resultado; nulo si no hay.' }),
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
  complete_until_local_at: z.string().nullable().meta({
    description: 'En la hora de la sucursal de un reloj que se conecta solo; si no, de la empresa.',
  }),
  last_seen_local_at: z.string(),
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
  other_network: z.boolean().meta({
    description: 'Si llegó desde otra dirección mientras su reloj llamaba desde la suya.',
  }),
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
  requests_since: z.iso
    .datetime()
    .meta({ description: 'La hora de la checada más antigua que se puede solicitar.' }),
  push_key: z.string().nullable().meta({
    description:
      'La llave pública (`applicationServerKey`) con la que el navegador se suscribe a los avisos; nula si aquí no los hay.',
  }),
  now: z.iso.datetime().meta({
    description:
      'La hora del servicio: con ella, una app sabe cuándo se checó aunque su teléfono no esté en hora.',
  }),
})

export const intakeOperations = operations('intake', {
  'POST /v2/incidents/logs': {
    id: 'recordLogs',
    summary: 'Enviar checadas de un reloj, hasta 100 por llamada',
    description:
      'Para los roles de INTAKE_ROLES. Cada elemento lleva `source_id` (o `log_id`, si lo numeró el sistema anterior), `employee_id`, `kind` y `recorded_at`; uno malo no detiene a los demás. Lo mismo enviado otra vez es `known`. `complete_until` dice hasta cuándo se ha enviado todo. `source` se guarda en minúsculas y sin blancos alrededor; si el usuario solo puede enviar algunos orígenes, otro es un 403.',
    body: ['IntakeBody', IntakeRequest],
    data: z.array(IntakeResult),
  },
  'GET /v2/incidents/sources': {
    id: 'listSources',
    summary: 'Ver los relojes: hasta cuándo están completos y qué se les rechazó',
    description:
      'Para quien administra o paga, y para relojes: si un reloj solo puede enviar algunos orígenes, ve esos. Los problemas son los 100 más recientes de 90 días.',
    parameters: queryParameters(SourcesQuery, {
      retired: 'true: los retirados, en lugar de los demás.',
    }),
    data: z.array(LogSource),
  },
  'PUT /v2/incidents/sources/{source}': {
    id: 'putSource',
    summary: 'Nombrar o retirar un origen',
    description:
      'Para quien administra todas las sucursales. De un origen retirado no se esperan checadas; vuelve en cuanto envía algo.',
    parameters: pathParameters(SourcePath, { source: 'El origen.' }),
    body: ['SourceBody', SourceBody],
    data: SavedSource,
  },
  'POST /v2/incidents/sources/{source}/problems/{id}/dismiss': {
    id: 'dismissProblem',
    summary: 'Descartar un problema que nada resuelve',
    description: 'Vuelve a verse solo si cambia su resultado o su motivo.',
    parameters: pathParameters(ProblemPath, {
      source: 'El origen.',
      id: 'El `id` del problema.',
    }),
    body: ['DismissalBody', DismissalBody],
  },
  'GET /v2/incidents/changes': {
    id: 'listChanges',
    summary: 'Leer lo que pasó con las checadas, en orden, desde un punto',
    description:
      'Guarda `next_after` y pásalo como `after` la próxima vez: ningún cambio se pierde ni se repite. Si un reloj solo puede enviar algunos orígenes, ve sus cambios; quien tiene sucursales, los de estas. Entonces `is_limited` es true, y `next_after` también pasa lo que no se ve. Una página puede traer menos que el límite, o ninguno, y aun así avanzar.',
    parameters: queryParameters(ChangesQuery, {
      after: {
        description: 'El `next_after` de la última lectura; 0 desde el principio.',
        schema: integer(0, 999_999_999_999_999),
      },
      limit: pageSizeParameter(500),
      event: 'Solo los eventos de este tipo.',
    }),
    data: ChangePage,
    limited: true,
  },
  'GET /v2/incidents/my_logs': {
    id: 'listMyLogs',
    caller: 'signedIn',
    summary: 'Ver las checadas propias, con su última decisión',
    description:
      'Los últimos 14 días, o hasta 31 días de un periodo, de la más antigua a la más reciente. Con `limit`, a lo más esas; las siguientes se piden con `after`, la última leída.',
    parameters: queryParameters(OwnLogsQuery, {
      after: { description: 'Las que siguen a esta checada propia.', schema: integer(1) },
    }),
    data: OwnLogs,
  },
  'POST /v2/incidents/my_logs': {
    id: 'recordMyLog',
    caller: 'signedIn',
    summary: 'Checar desde la app propia',
    description:
      'Donde la instalación lo permite. Sin `recorded_at` cuenta la hora del servicio; con ella, de 72 horas a lo más. Con `sent_at`, la hora del teléfono al enviar, no se cree en `recorded_at` si difiere de la del servicio más de 5 minutos; lo que se adelante menos se le resta. Un 200 con `result` refused (`future`, `too_old`, `invalid` con `detail` clock, o `unknown_employee` con `detail` ended después del último día de trabajo) no registró nada. El mismo `client_id` es known, aunque lo demás sea distinto: cada checada lleva uno propio.',
    body: ['OwnLogBody', OwnLogBody],
    data: OwnLogResult,
  },
  'POST /v2/incidents/my_requests': {
    id: 'requestMyLog',
    caller: 'signedIn',
    summary: 'Solicitar una checada propia que falta, con su motivo',
    description: `Donde la instalación lo permite; de ${REQUEST_DAYS} días atrás a lo más. Queda pendiente hasta que la decide otra persona. El mismo \`client_id\` no la solicita dos veces; si ya hay una checada de ese tipo y segundo, el resultado es known.`,
    body: ['RequestBody', RequestBody],
    data: AddedLog,
    details: { TIME_TOO_OLD: { days_max: REQUEST_DAYS } },
  },
  'POST /v2/incidents/manual_logs': {
    id: 'addManualLog',
    summary: 'Agregar a mano una checada que falta, con su motivo',
    description: `Para quien administra o paga; de ${MANUAL_DAYS} días atrás a lo más. Queda pendiente hasta que alguien que administra la decide. ${LOCAL_TIME} El mismo \`client_id\` no agrega dos veces.`,
    body: ['ManualLogBody', ManualLogBody],
    data: AddedLog,
  },
})
