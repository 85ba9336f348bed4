import * as z from 'zod'
import { EXCEPTIONS, NOTICES } from '../../src/domain/payroll/work-days.ts'
import { LOG_EVENTS, LOG_KINDS, LOG_STATUSES } from '../../src/shared/log-values.ts'

/** The responses of the endpoints, field by field; for the document and the tests only. */

const Errors = z.record(z.string(), z.array(z.string()).min(1)).meta({
  description: 'Frases por campo.',
  example: { email: ['El correo electrónico es obligatorio.'] },
})

const message = z.string().meta({ description: 'Texto para personas, en español.' })

export const Failure = z
  .strictObject({ success: z.literal(false), message, data: z.null() })
  .meta({ id: 'Failure', description: 'Una negativa o un error.' })

export const InvalidInput = z
  .strictObject({ success: z.literal(false), message, data: z.null(), errors: Errors })
  .meta({ id: 'InvalidInput', description: 'Datos no válidos, con todos los campos que fallan.' })

export const MovedLogs = z
  .strictObject({ success: z.literal(false), message, data: z.null(), errors: Errors.optional() })
  .meta({ id: 'MovedLogs', description: 'Los registros que ya cambiaron, como `log_ids.3`.' })

export const BareFailure = z
  .strictObject({ message })
  .meta({ id: 'BareFailure', description: 'Solo el mensaje, sin `success` ni `data`.' })

export const BareInvalidInput = z
  .strictObject({ message, errors: Errors })
  .meta({ id: 'BareInvalidInput', description: 'Mensaje y errores, sin `success` ni `data`.' })

/** The envelope of a success, around its data. */
export const successOf = (data: z.ZodType) =>
  z.strictObject({ success: z.literal(true), message, data })

const account = {
  id: z.int(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  mother_last_name: z.string(),
  role: z.string(),
  active: z.int().meta({ description: '1 = activo.' }),
}

const Account = z.strictObject(account).meta({ id: 'Account' })

const User = z
  .strictObject({ ...account, external: z.int(), type_user: z.string(), status_user: z.string() })
  .meta({ id: 'User' })

const Employee = z
  .strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    rfc: z.string(),
    phone: z.string(),
    cellphone: z.string(),
    started_at: z.iso.date(),
    job_position: z.string(),
    department: z.string(),
    branch_office: z.string(),
    profile_image: z.string().meta({ description: 'Ruta relativa del archivo.' }),
  })
  .meta({ id: 'Employee' })

export const SignedIn = z
  .strictObject({ user: Account, token: z.string(), token_type: z.literal('Bearer') })
  .meta({ id: 'SignedIn' })

export const CurrentUser = z
  .strictObject({ user: User, employee: Employee.nullable() })
  .meta({ id: 'CurrentUser' })

export const Module = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    icon: z.string().meta({ description: 'Clase del icono.' }),
    enabled: z.boolean(),
    enabled_app: z.literal(true),
  })
  .meta({ id: 'Module' })

export const Client = z
  .strictObject({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    status: z
      .string()
      .meta({ description: 'Tal como está guardado: "activo", en mayúsculas o minúsculas.' }),
    url_base: z.string(),
  })
  .meta({ id: 'Client' })

export const ConfigEntry = z
  .strictObject({ key: z.string(), tipo: z.string(), nombre: z.string(), valor: z.string() })
  .meta({ id: 'ConfigEntry' })

export const ChangedLog = z
  .strictObject({ log_id: z.int(), status: z.enum(LOG_STATUSES) })
  .meta({ id: 'ChangedLog' })

export const Modules = z.array(Module).min(1)
export const Nothing = z.null()

const logFields = {
  log_id: z.int(),
  status: z.enum(LOG_STATUSES),
  kind: z.enum(LOG_KINDS),
  recorded_at: z.iso.datetime().meta({ description: 'UTC con milisegundos.' }),
  received_at: z.iso.datetime().meta({ description: 'Cuándo llegó al servicio.' }),
  source: z.string().meta({ description: 'Quién la envió; vacío si se importó.' }),
  employee: z.strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    department: z.string(),
    branch_office: z.string(),
  }),
  comments: z.int().meta({ description: 'Cuántos comentarios tiene.' }),
}

const NearbyLog = z
  .strictObject({
    log_id: z.int(),
    status: z.enum(LOG_STATUSES),
    kind: z.enum(LOG_KINDS),
    recorded_at: z.iso.datetime(),
  })
  .meta({ id: 'NearbyLog' })

const LogRow = z
  .strictObject({
    ...logFields,
    nearby: z.array(NearbyLog).optional().meta({
      description:
        'Con `nearby=true`: las otras checadas de la persona, de 25 horas antes a 25 después.',
    }),
  })
  .meta({ id: 'LogRow' })

const LogEvent = z
  .strictObject({
    event: z.enum(LOG_EVENTS),
    from_status: z.enum(LOG_STATUSES).nullable().meta({ description: 'Nulo cuando se registra.' }),
    to_status: z.enum(LOG_STATUSES),
    created_at: z.iso.datetime(),
    user: z
      .strictObject({ id: z.int(), full_name: z.string() })
      .nullable()
      .meta({ description: 'Nulo si la importó quien opera el servicio.' }),
    comment: z.string().nullable(),
  })
  .meta({ id: 'LogEvent' })

export const LogPage = z
  .strictObject({
    logs: z.array(LogRow),
    next_cursor: z.string().nullable().meta({ description: 'Nulo en la última página.' }),
  })
  .meta({ id: 'LogPage' })

export const LogDetail = z
  .strictObject({
    ...logFields,
    history: z.array(LogEvent),
    next_cursor: z.string().nullable().meta({ description: 'Nulo en la última página.' }),
  })
  .meta({ id: 'LogDetail' })

const counts = { pending: z.int(), approved: z.int(), rejected: z.int() }

const BranchCounts = z
  .strictObject({ branch_office: z.string(), department: z.string(), ...counts })
  .meta({ id: 'BranchCounts' })

export const LogSummary = z
  .strictObject({
    total: z.strictObject(counts),
    branches: z.array(BranchCounts),
  })
  .meta({ id: 'LogSummary' })

/** A line of the export as NDJSON, and the columns of its CSV. */
export const ExportedLog = z
  .strictObject({
    log_id: z.int(),
    employee_id: z.string(),
    full_name: z.string(),
    department: z.string(),
    branch_office: z.string(),
    kind: z.enum(LOG_KINDS),
    recorded_at: z.iso.datetime(),
    recorded_at_local: z.string().meta({ description: 'En la zona horaria del servicio.' }),
    received_at: z.iso.datetime(),
    source: z.string(),
    status: z.enum(LOG_STATUSES),
    decided_at: z.iso.datetime().nullable(),
    decided_by: z.string().nullable().meta({ description: 'El nombre de quien decidió.' }),
    comment: z.string().nullable().meta({ description: 'El de la última decisión.' }),
  })
  .meta({ id: 'ExportedLog' })

const FoundEmployee = z
  .strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    department: z.string(),
    branch_office: z.string(),
    ended_at: z.iso
      .date()
      .nullable()
      .meta({ description: 'El último día de trabajo, si ya pasó.' }),
  })
  .meta({ id: 'FoundEmployee' })

export const FoundEmployees = z
  .strictObject({ employees: z.array(FoundEmployee).max(20) })
  .meta({ id: 'FoundEmployees' })

export const InstallationSettings = z
  .strictObject({
    time_zone: z.string(),
    require_comment: z
      .array(z.enum(LOG_STATUSES))
      .meta({ description: 'Los estados cuya decisión lleva comentario.' }),
    forbid_self_approval: z
      .boolean()
      .meta({ description: 'Nadie decide checadas propias ni las que agregó.' }),
    seals: z.boolean().meta({ description: 'Si hay evidencia que descargar.' }),
    user: z.strictObject({
      id: z.int(),
      full_name: z.string(),
      employee_id: z.string().nullable(),
      scope_branches: z
        .array(z.string())
        .nullable()
        .meta({ description: 'Las sucursales que ve y decide; nulo: todas.' }),
      may_decide: z.boolean().meta({ description: 'Si puede decidir y agregar checadas.' }),
      may_close: z.boolean().meta({ description: 'Si puede cerrar periodos.' }),
    }),
  })
  .meta({ id: 'InstallationSettings' })

const age = (description: string) => z.int().nullable().meta({ description })

export const Health = z
  .strictObject({
    database_bytes: z.int(),
    limit_bytes: z.int(),
    newest_log_age_seconds: age('Desde que llegó la checada más reciente; nulo si no hay ninguna.'),
    newest_seal_age_seconds: age('Desde el sello más reciente; nulo si no hay ninguno.'),
    oldest_unsealed_age_seconds: age(
      'Lo que lleva sin sello el evento más antiguo de los que esperan.',
    ),
    unsealed_events: z.int(),
    newest_clock_age_seconds: age('Desde la última señal de algún reloj; nulo si no hay ninguno.'),
    clocks: z.int(),
    silent_clocks: z.int().meta({ description: 'Sin señal desde hace 24 horas.' }),
  })
  .meta({ id: 'Health' })

export const IntakeResult = z
  .strictObject({
    log_id: z.int().nullable().meta({ description: 'Nulo si se rechazó.' }),
    result: z.enum(['created', 'known', 'differs', 'refused']),
    reason: z.enum(['unknown_employee', 'future', 'too_old', 'invalid']).optional(),
  })
  .meta({ id: 'IntakeResult' })

export const IntakeResults = z.array(IntakeResult)

const IntakeProblem = z
  .strictObject({
    result: z.enum(['differs', 'refused']),
    reason: z.enum(['unknown_employee', 'future', 'too_old', 'invalid']).nullable(),
    employee_id: z.string(),
    source_id: z.string(),
    first_at: z.iso.datetime(),
    last_at: z.iso.datetime(),
    count: z.int(),
  })
  .meta({ id: 'IntakeProblem' })

const Source = z
  .strictObject({
    source: z.string(),
    complete_until: z.iso.datetime().nullable(),
    last_seen_at: z.iso.datetime(),
    problems: z.array(IntakeProblem),
  })
  .meta({ id: 'Source' })

export const Sources = z.array(Source)

const Change = z
  .strictObject({
    id: z.int(),
    event: z.enum(LOG_EVENTS),
    log_id: z.int(),
    source: z.string(),
    source_id: z.string().nullable(),
    employee_id: z.string(),
    kind: z.enum(LOG_KINDS),
    recorded_at: z.iso.datetime(),
    from_status: z.enum(LOG_STATUSES).nullable(),
    to_status: z.enum(LOG_STATUSES),
    comment: z.string().nullable(),
    user: z.strictObject({ id: z.int(), full_name: z.string() }).nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Change' })

export const Changes = z
  .strictObject({ changes: z.array(Change), next_after: z.int() })
  .meta({ id: 'ChangePage' })

const OwnLog = z
  .strictObject({
    log_id: z.int(),
    status: z.enum(LOG_STATUSES),
    kind: z.enum(LOG_KINDS),
    recorded_at: z.iso.datetime(),
    received_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: 'OwnLog' })

export const OwnLogs = z.strictObject({ logs: z.array(OwnLog) }).meta({ id: 'OwnLogs' })

export const ChangedLogs = z.array(ChangedLog).min(1)

const place = { department: z.string(), branch_office: z.string(), payroll_group: z.string() }

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

const HoursDay = z
  .strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    ...place,
    day: z.iso.date().meta({ description: 'El día local de la entrada.' }),
    weekday: z.string(),
    first_in: z.string().nullable().meta({ description: 'Hora local: 2026-11-09 08:00:00.' }),
    last_out: z.string().nullable(),
    ...workedFields,
    detail: z.string().meta({ description: 'Los pares del día: 08:00–13:00 14:00–17:00.' }),
    ...marks,
    log_ids: z.array(z.int()).meta({ description: 'Las checadas del día que no se rechazaron.' }),
  })
  .meta({ id: 'HoursDay' })

const HoursTotal = z
  .strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    ...place,
    days: z.int(),
    ...workedFields,
    days_with_exceptions: z.int(),
    ...marks,
  })
  .meta({ id: 'HoursTotal' })

/** A line of the hours as NDJSON. */
export const HoursLine = z.union([HoursDay, HoursTotal])

export const Adjustment = z
  .strictObject({
    employee_id: z.string(),
    full_name: z.string(),
    day: z.iso.date(),
    closed_seconds: z.int().nullable(),
    worked_seconds: z.int().nullable(),
    difference_seconds: z.int(),
  })
  .meta({ id: 'Adjustment' })

export const Closing = z
  .strictObject({
    id: z.int(),
    before: z.iso.date().meta({ description: 'El primer día que queda abierto.' }),
    payroll_group: z.string().nullable().meta({ description: 'Nulo para todos.' }),
    user: z.strictObject({ id: z.int(), full_name: z.string() }),
    comment: z.string().nullable(),
    last_event_id: z.int().meta({ description: 'El último evento antes del cierre.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Closing' })

export const Closings = z.array(Closing)
