import * as z from 'zod'
import type { Totals } from '../../src/payroll/closings/closing-lines.ts'
import {
  LINES_FILE,
  PERSONS_FILE,
  WEEKS_FILE,
} from '../../src/payroll/closings/closing-rows.http.ts'
import {
  CancelBody,
  ClosingBody,
  ClosingLinesQuery,
  ClosingPath,
  ClosingPreviewLinesQuery,
  ClosingPreviewQuery,
  ClosingsQuery,
} from '../../src/payroll/closings/closings.schemas.ts'
import { HoursQuery, ReviewBody } from '../../src/payroll/hours/hours.schemas.ts'
import {
  HOURS_FILE,
  TOTALS_FILE,
  WEEK_TOTALS_FILE,
} from '../../src/payroll/hours/hours-rows.http.ts'
import { EXCEPTIONS, NOTICES } from '../../src/payroll/hours/marks.ts'
import { PayrollGroupBody, PayrollGroupsQuery } from '../../src/payroll/rules/groups.schemas.ts'
import { MovedLogs } from './logs.openapi.ts'
import {
  addNamedEnum,
  component,
  Failure,
  InvalidInput,
  idField,
  integer,
  listedEmployeeFields,
  NamedUser,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  rowComponent,
  rowsFile,
} from './operations.ts'

addNamedEnum('HoursException', EXCEPTIONS)
addNamedEnum('HoursNotice', NOTICES)

const seconds = (description: string) => z.int().min(0).meta({ description })
const nullable = { text: z.string().nullable(), day: z.iso.date().nullable() }

const localTime = z.string().nullable()

/** The facts of a day that programs read in place of `detail`. */
export const dayFacts = {
  spans: z
    .array(
      component('Span', {
        from: localTime.meta({
          description: 'La hora local de la entrada, sin zona: 2026-11-02T08:58:12. Nula si falta.',
        }),
        to: localTime.meta({ description: 'La de la salida.' }),
        from_log_id: idField.nullable().meta({
          description: 'Su checada. Nula si falta, o si es de una sucursal que no ves.',
        }),
        to_log_id: idField.nullable(),
        pending: z.boolean().meta({ description: 'Si alguna de las dos está pendiente.' }),
        shift_day: nullable.day.meta({
          description: 'El día en el que probablemente está la que falta; nulo si no falta.',
        }),
      }),
    )
    .meta({
      description:
        'Los pares del día, y las entradas y salidas que no tienen par, de todas las checadas que no se rechazaron: no dependen de `preview`.',
    }),
  extra_log_ids: z.array(idField).meta({
    description:
      'Checadas a lo más a una hora de otra: sin una de ellas, cualquiera, el día queda completo. Una pudo ser de un día anterior. De las agregadas o solicitadas, ninguna si hay otra.',
  }),
}
export const PENDING_SECONDS =
  'Lo que `worked_seconds` crecería si se aprobara todo lo pendiente; negativo si bajaría. 0 con `preview=true`, que ya lo cuenta.'

/** The columns of all files of hours, and of people in files of closings. */
const columnFields = {
  ...listedEmployeeFields,
  payroll_group: z.string(),
  rfc: z.string(),
  started_at: z.iso.date(),
  ended_at: nullable.day,
  day: z.iso.date().meta({ description: 'El día local de la entrada.' }),
  weekday: z.string(),
  week_from: z.iso.date().meta({ description: 'El lunes de la semana, siempre entera.' }),
  week_to: z.iso.date(),
  first_in: nullable.text.meta({ description: 'Hora local: 2026-11-09 08:00:00.' }),
  last_out: nullable.text,
  pairs: z.int().meta({ description: 'Cuántos pares de entrada y salida cuentan.' }),
  worked_seconds: z
    .int()
    .nullable()
    .meta({ description: 'Nulo, nunca cero, si ningún par cuenta.' }),
  pending_seconds: z.int().meta({ description: PENDING_SECONDS }),
  detail: z.string().meta({ description: 'Los pares del día: 08:00–13:00 14:00–17:00.' }),
  exceptions: z.array(z.enum(EXCEPTIONS)).meta({
    description:
      'Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.',
  }),
  notices: z.array(z.enum(NOTICES)).meta({ description: 'Lo que conviene saber.' }),
  paid_seconds: z.int().nullable().meta({ description: 'Lo que los cierres pagaron por el día.' }),
  closing_id: idField.nullable().meta({ description: 'El más reciente de esos cierres.' }),
  reviewed: component('DayReview', {
    user: NamedUser,
    at: z.iso.datetime(),
    comment: nullable.text,
  })
    .nullable()
    .meta({ description: 'Quién revisó el día; en CSV, su nombre.' }),
  log_ids: z.array(idField).meta({ description: 'Las checadas del día que no se rechazaron.' }),
  request_comments: z
    .array(z.string())
    .meta({ description: 'Lo que escribió la persona al solicitar checadas del día.' }),
  working_since: nullable.text.meta({
    description:
      'La hora local de la entrada, si la persona está en su turno ahora. Entonces no falta la salida.',
  }),
  ...dayFacts,
  maybe_long_shift: z.boolean().meta({
    description:
      'Si cuatro o más checadas seguidas, una al día y a la misma hora, pueden ser guardias de 24 h, que la jornada más larga no empareja.',
  }),
  days: z.int(),
  days_with_exceptions: z.int(),
  unsynced_from: nullable.day.meta({
    description: 'Desde qué día del periodo falta información de un reloj de esta persona.',
  }),
  week_seconds: seconds('Lo trabajado en toda la semana, en todas las sucursales.'),
  limit_seconds: seconds('El límite de la ley para la semana, por el año de su lunes.'),
  over_seconds: seconds('Lo que `week_seconds` pasa del límite.'),
  shifts_over_12h: z.int().min(0).meta({
    description: 'Días de la semana con más de 12 horas en total.',
  }),
  open: z.boolean().meta({
    description: 'Si algo de la semana está pendiente o retenido; sus cifras aún pueden cambiar.',
  }),
  period_seconds: z.int(),
  added_seconds: z.int(),
  deducted_seconds: z.int(),
  total_seconds: z
    .int()
    .meta({ description: 'Periodo más adiciones; las deducciones van aparte.' }),
  held_seconds: z.int(),
  from_day: nullable.day.meta({
    description: 'El primer día del periodo; null si solo corrige días anteriores.',
  }),
  holiday: nullable.text.meta({
    description: 'El nombre del descanso obligatorio (LFT 74), si el día es uno.',
  }),
  sunday_seconds: z.int().nullable().meta({
    description: 'La parte de `worked_seconds` en domingo, por el día de la entrada.',
  }),
  holiday_seconds: z.int().nullable().meta({
    description: 'La parte de `worked_seconds` en descanso obligatorio; un domingo puede serlo.',
  }),
}

/** With the decimal hours of each duration, as `durationsFile` adds them. */
const withHours = (fields: Record<string, z.ZodType>): Record<string, z.ZodType> => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.endsWith('_seconds'))
      .map(([name, field]) => [
        name.replace(/_seconds$/, '_hours'),
        (field.safeParse(null).success ? z.number().nullable() : z.number()).meta({
          description: `\`${name}\` en horas, con dos decimales.`,
        }),
      ]),
  ),
})

const HOURS_FILES = rowsFile(
  z.union([
    rowComponent('HoursDay', HOURS_FILE, withHours(columnFields)),
    rowComponent('HoursTotal', TOTALS_FILE, {
      ...withHours(columnFields),
      rfc: z.string().meta({ description: 'Este campo y los que siguen, solo en NDJSON.' }),
    }),
    rowComponent('HoursWeek', WEEK_TOTALS_FILE, withHours(columnFields)),
  ]),
)

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
  waiting: z.int().min(0).meta({
    description:
      'Checadas de relojes que esperan, de días anteriores a `before`: cuentan como pendientes.',
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
  approved_log_ids: z
    .array(idField)
    .meta({ description: 'Las checadas que se aprobaron en el mismo acto.' }),
})

const ClosingPage = component('ClosingPage', {
  closings: z.array(Closing),
  next_cursor: z.string().nullable(),
})

/** The sealed fields of a line, except the employee and the day. */
export const lineFields = {
  of_period: z.int().meta({ description: '1 si el día es del periodo; 0 si es anterior.' }),
  department: z.string(),
  branch_office: z.string(),
  first_in: nullable.text,
  last_out: nullable.text,
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

const ofOldClosing = { description: 'Como en las horas. Nulo si cerró la versión 2.0.0.' }

const lineFacts = {
  spans: dayFacts.spans.nullable().meta(ofOldClosing),
  extra_log_ids: dayFacts.extra_log_ids.nullable().meta(ofOldClosing),
}

const restFields = {
  sunday_seconds: seconds('Lo que el cierre paga por domingos, por el día de la entrada.'),
  holiday_seconds: seconds('Lo que paga por descansos obligatorios; un domingo puede serlo.'),
}

const paymentFields = {
  ...columnFields,
  days: z.int().meta({ description: 'Los días que se pagan por primera vez.' }),
  pending: z.int().meta({ description: 'Sus checadas sin decidir cuando se hizo el cierre.' }),
  ...restFields,
  week_seconds: seconds(
    'Lo trabajado en toda la semana, como está en Horas ahora: en todas las sucursales, también fuera del periodo.',
  ),
}

const LINE_FILES = rowsFile(
  z.union([
    rowComponent(
      'ClosingLine',
      LINES_FILE,
      withHours({ ...columnFields, ...lineFields, ...lineFacts, ...restFields }),
    ),
    rowComponent('ClosingPerson', PERSONS_FILE, withHours(paymentFields)),
    rowComponent('ClosingWeek', WEEKS_FILE, withHours(paymentFields)),
  ]),
)

const ClosingConflict = component(
  'ClosingConflict',
  { ...Failure.shape, errors: InvalidInput.shape.errors.optional() },
  'Un cierre antes de tiempo nombra el campo con que se confirma, `confirm_early`.',
)

const BY = 'Un renglón por persona, lo que hay que pagar, o por semana.'

const previewParameters = {
  before: 'El primer día que queda abierto, a lo más mañana.',
  payroll_group: 'Solo este grupo; vacío, el General.',
}

const closingPath = pathParameters(ClosingPath, {
  id: { description: 'El cierre.', schema: integer(1) },
})
const HEADERS =
  'CSV para personas: encabezados en español, y los números de empleado como texto (`="00007"`).'
const IDS =
  'Cómo lleva un CSV los números de empleado, y los departamentos, sucursales y grupos que parecen números o fechas: sin formato (`plain`), o para que una hoja de cálculo no los cambie (`spreadsheet`), que es lo que hace `headers=es`.'

export const payrollOperations = operations('payroll', {
  'GET /v2/incidents/hours': {
    id: 'getHours',
    summary: 'Exportar las horas por empleado y día, por semana o por empleado',
    description:
      'Solo cuentan las checadas aprobadas; con `preview=true`, también las pendientes. Sin fechas, los últimos 31 días; 366 como máximo. Los filtros eligen renglones y nunca cambian sus cifras.',
    parameters: queryParameters(HoursQuery, {
      from: 'Desde este día.',
      to: 'Hasta este día, incluido.',
      payroll_group: 'Solo este grupo de nómina; vacío, el grupo General.',
      headers: HEADERS,
      ids: IDS,
      by: 'Un renglón por empleado, o por empleado y semana, en vez de uno por empleado y día. Las semanas son enteras, aunque el periodo las corte.',
      preview: {
        description: 'Si las checadas pendientes cuentan como aprobadas.',
        schema: { type: 'boolean' },
      },
      exceptions: {
        description: 'Solo los días con alguna excepción que nadie ha revisado.',
        schema: { type: 'boolean' },
      },
      working: {
        description:
          'Solo los días de quienes están ahora en su turno: los que tienen `working_since`. Quien empezó anoche está en el día de ayer. No se combina con `by`.',
        schema: { type: 'boolean' },
      },
      preview_rejected: {
        description:
          'El número de una checada: solo los días de su persona cuyas horas cambiarían si se rechazara, como quedarían. No guarda nada, y no se combina con `by`.',
        schema: integer(1),
      },
    }),
    file: HOURS_FILES,
    limited: true,
  },
  'POST /v2/incidents/hours/reviews': {
    id: 'reviewDay',
    summary: 'Decir que alguien revisó un día',
    description:
      'El día sale de la lista de excepciones hasta que una de sus checadas cambie. Con `days` se revisan hasta 100 días con un comentario. Un día con `posible_desfase` se revisa solo, y con `confirm_seconds`: los segundos que se pagan por él. `approve_log_ids` aprueba en el mismo acto checadas pendientes de ese día, con el mismo comentario, o no guarda nada; es de ADMIN_ROLES, y `confirm_seconds` es entonces lo que el día paga ya aprobado.',
    body: ['ReviewBody', ReviewBody],
    data: ReviewedDay,
    bodies: { 409: MovedLogs },
    limited: true,
  },
  'GET /v2/incidents/payroll_groups': {
    id: 'listPayrollGroups',
    summary: 'Ver hasta cuándo está pagado cada grupo de nómina, y su siguiente periodo',
    parameters: queryParameters(PayrollGroupsQuery, {
      day: 'Con un día, `next` es el periodo de ese día.',
    }),
    data: PayrollGroups,
  },
  'PUT /v2/incidents/payroll_groups': {
    id: 'putPayrollGroup',
    summary: 'Crear un grupo de nómina, o cambiar su calendario y desde qué día se le paga',
    description:
      'Todos los campos van siempre. `expected_version` es la versión que se leyó; 0 si todavía no existe. `pays_from` puede cambiar, pero no volver a null. Solo para PAYROLL_ROLES sin sucursal asignada.',
    body: ['PayrollGroupBody', PayrollGroupBody],
    data: SavedGroup,
    bodies: { 409: GroupConflict },
    limited: true,
  },
  'GET /v2/incidents/closings': {
    id: 'listClosings',
    summary: 'Listar los cierres, primero el más reciente',
    parameters: queryParameters(ClosingsQuery, {
      limit: pageSizeParameter(100),
      cursor: 'El `next_cursor` de la página anterior.',
    }),
    data: ClosingPage,
  },
  'POST /v2/incidents/closings': {
    id: 'closeDays',
    summary: 'Cerrar: guardar lo que se paga hasta un día',
    description:
      'Paga, por cada día de cada persona desde el primero que se paga aquí, lo trabajado menos lo que los cierres anteriores pagaron. Sin `payroll_group` ni `employee_id`, para todos. `expected_seconds` es, de la vista previa, `period_seconds` más `added_seconds` menos `deducted_seconds`. Con `confirm_early` en false, un cierre que parte un periodo que todavía corre es un 409 que nombra los grupos. Solo para PAYROLL_ROLES sin sucursal asignada.',
    body: ['ClosingBody', ClosingBody],
    data: Closing,
    bodies: { 409: ClosingConflict },
    limited: true,
  },
  'GET /v2/incidents/closings/preview': {
    id: 'previewClosing',
    summary: 'Ver qué pagaría un cierre, sin guardar nada',
    parameters: queryParameters(ClosingPreviewQuery, previewParameters),
    data: ClosingPreview,
    limited: true,
  },
  'GET /v2/incidents/closings/preview/lines': {
    id: 'previewClosingLines',
    summary: 'Exportar lo que pagaría un cierre, sin guardar nada',
    parameters: queryParameters(ClosingPreviewLinesQuery, {
      ...previewParameters,
      headers: HEADERS,
      ids: IDS,
      by: BY,
    }),
    file: LINE_FILES,
    limited: true,
  },
  'GET /v2/incidents/closings/{id}': {
    id: 'getClosing',
    summary: 'Consultar un cierre',
    parameters: closingPath,
    data: Closing,
  },
  'GET /v2/incidents/closings/{id}/lines': {
    id: 'exportClosing',
    summary: 'Exportar lo que un cierre paga: por día, por persona o por semana',
    description: 'Con `by=employee`, lo que hay que pagar a cada quien.',
    parameters: [
      ...closingPath,
      ...queryParameters(ClosingLinesQuery, { headers: HEADERS, ids: IDS, by: BY }),
    ],
    file: LINE_FILES,
    limited: true,
  },
  'POST /v2/incidents/closings/{id}/cancel': {
    id: 'cancelClosing',
    summary: 'Cancelar un cierre hecho por error, con el que nadie cobró',
    description: 'Sus renglones ya no cuentan: el siguiente cierre paga esos días otra vez.',
    parameters: closingPath,
    body: ['CancelBody', CancelBody],
    data: Closing,
  },
})
