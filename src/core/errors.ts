import { LoggableError } from './loggable-error.ts'

interface ErrorEntry<Details = never> {
  /** The HTTP status. */
  status: number
  /** The message for the user, in Spanish. */
  message: string | ((details: Details) => string)
  /** The invalid field, if the error is about input. */
  field?: string
}

interface LogId {
  id: number
}

const UNKNOWN_EMPLOYEE_MESSAGE = 'No existe un empleado con ese identificador.'
const UNKNOWN_LOG_MESSAGE = 'No existe un registro con ese identificador.'
const OPENING_TOO_LATE_MESSAGE = 'El primer día que se paga aquí debe ser anterior al cierre.'

const error = <const Status extends number, Message>(status: Status, message: Message) => ({
  status,
  message,
})

/** An error about the input of one field. */
const invalid = <Message>(field: string, message: Message) =>
  ({ status: 422, message, field }) as const

/**
 * All error responses of the service. TypeScript throws an error by its code, and SQL raises its
 * code.
 */
export const ERRORS = {
  UNAUTHENTICATED: error(401, 'No autenticado.'),
  FORBIDDEN: error(403, 'No tienes permiso para realizar esta acción.'),
  CLOCK_IN_OFF: error(403, 'Aquí no se puede checar desde la app.'),
  WRONG_CREDENTIALS: error(401, 'El correo electrónico o la contraseña no son correctos.'),
  USER_INACTIVE: error(403, 'El usuario está inactivo.'),
  WRONG_CURRENT_PASSWORD: invalid('current_password', 'La contraseña actual no es correcta.'),
  SAME_PASSWORD: invalid('password', 'La contraseña nueva debe ser distinta de la actual.'),
  NO_MODULES: error(404, 'No hay módulos habilitados.'),
  CLIENT_NOT_FOUND: error(404, 'No existe un cliente con ese código.'),
  CLIENT_INACTIVE: error(403, 'El cliente está inactivo o bloqueado.'),
  CONFIG_NOT_FOUND: error(404, 'No existe una configuración con ese nombre.'),
  UNKNOWN_LOG_ID: invalid('log_id', UNKNOWN_LOG_MESSAGE),
  UNKNOWN_PREVIEWED_LOG: invalid('preview_rejected', UNKNOWN_LOG_MESSAGE),
  LOG_NOT_FOUND: error(404, UNKNOWN_LOG_MESSAGE),
  PERIOD_REVERSED: invalid('to', 'La fecha final no puede ser anterior a la inicial.'),
  PERIOD_TOO_LONG: invalid(
    'to',
    ({ days }: { days: number }) => `El periodo puede tener ${days} días como máximo.`,
  ),
  NO_SEAL_KEY: error(404, 'Esta instalación no sella sus registros.'),
  NOTHING_SEALED: error(404, 'Todavía no hay registros sellados.'),
  NO_EMPLOYEE: error(403, 'Tu usuario no está vinculado a un empleado.'),
  UNKNOWN_EMPLOYEE: invalid('employee_id', UNKNOWN_EMPLOYEE_MESSAGE),
  FOREIGN_SOURCE: error(403, 'Tu usuario no puede enviar registros de ese origen.'),
  TIME_AHEAD: invalid('recorded_at', 'La hora no puede estar en el futuro.'),
  TIME_TOO_OLD: invalid(
    'recorded_at',
    ({ days }: { days: number }) => `La hora puede ser de hace ${days} días como máximo.`,
  ),
  COMPLETE_UNTIL_AHEAD: invalid(
    'complete_until',
    'La fecha de cierre no puede estar en el futuro.',
  ),
  UNKNOWN_PAYROLL_GROUP: invalid('payroll_group', 'No existe un grupo de nómina con ese nombre.'),
  CLOSING_NOT_FOUND: error(404, 'No existe un cierre con ese identificador.'),
  CLOSING_CANCELLED: error(409, 'El cierre ya está cancelado.'),
  CLOSING_OUTDATED: error(
    409,
    'Mientras se cerraba hubo otro cierre, una cancelación o un desbloqueo: no se cerró nada. Inténtalo de nuevo.',
  ),
  CLOSING_AHEAD: invalid(
    'before',
    'El periodo se puede cerrar hasta el día de mañana como máximo.',
  ),
  CLOSING_TAKES_NOBODY: invalid(
    'before',
    'El cierre no toma a nadie: revisa la fecha y a quién se cierra.',
  ),
  CLOSING_BEFORE_LOGS: invalid('before', 'Nadie de este cierre tiene checadas antes de esa fecha.'),
  TOO_MANY_PEOPLE: invalid(
    'payroll_group',
    ({ count }: { count: number }) =>
      `Un cierre toma ${count} personas como máximo: cierra por grupo.`,
  ),
  OPENINGS_MISSING: invalid(
    'openings',
    ({ count }: { count: number }) =>
      `Indica desde qué día se le paga a ${count === 1 ? '1 persona' : `${count} personas`}.`,
  ),
  OPENING_EXISTS: invalid(
    'openings',
    ({ employeeId }: { employeeId: string }) =>
      `${employeeId} ya tiene un primer día que se paga aquí.`,
  ),
  OPENING_AFTER_CLOSING: invalid('openings', OPENING_TOO_LATE_MESSAGE),
  FROM_AFTER_CLOSING: invalid('from', OPENING_TOO_LATE_MESSAGE),
  OPENING_OF_UNKNOWN_EMPLOYEE: invalid('openings', UNKNOWN_EMPLOYEE_MESSAGE),
  PENDING_LOGS: error(
    409,
    ({ count, ofPeriod }: { count: number; ofPeriod: number }) =>
      `${count === 1 ? 'Queda 1 registro pendiente' : `Quedan ${count} registros pendientes`} antes de esa fecha (${ofPeriod} del periodo).`,
  ),
  LOG_CLOSED: error(409, (log?: LogId) =>
    log
      ? `El periodo del registro ${log.id} está cerrado.`
      : 'El periodo del registro está cerrado.',
  ),
  COMMENT_REQUIRED: invalid('comment', 'El comentario es obligatorio.'),
  OWN_LOG: error(403, 'No puedes cambiar el estado de tus propios registros.'),
  STATUS_MOVED: error(409, (log?: LogId & { status: string }) =>
    log
      ? `El registro ${log.id} ya cambió: su estado actual es ${log.status}.`
      : 'El registro cambió mientras tanto.',
  ),
  COMMENT_NOT_SAVED: error(500, 'No se pudo guardar el comentario.'),
  STATUS_NOT_SAVED: error(500, 'No se pudo actualizar el estado del registro.'),
  PATH_NOT_FOUND: error(404, 'La ruta no existe.'),
  METHOD_NOT_ALLOWED: error(405, 'El método no está permitido en esta ruta.'),
  TOO_MANY_REQUESTS: error(429, 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.'),
  LEGACY_DOWN: error(502, 'El sistema anterior no responde. Inténtalo de nuevo más tarde.'),
  INTERNAL_ERROR: error(500, 'Ocurrió un error interno. Inténtalo de nuevo más tarde.'),
  DATABASE_BUSY: error(503, 'El servicio está ocupado. Inténtalo de nuevo en unos segundos.'),
  DATABASE_DOWN: error(503, 'La base de datos no responde.'),
  BODY_INTERRUPTED: error(400, 'El cuerpo de la petición llegó incompleto.'),
  BODY_TIMEOUT: error(408, 'El cuerpo de la petición tardó demasiado.'),
  BODY_TOO_LARGE: error(413, 'El cuerpo de la petición es demasiado grande.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** The values that the message of a code needs. Undefined if the message is always the same. */
type DetailsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  message: (details: infer Details) => string
}
  ? Details
  : undefined

/** A code with its details. The details are optional if the message can do without them. */
type CodeAndDetails = {
  [Code in ErrorCode]: undefined extends DetailsOf<Code>
    ? [code: Code, details?: DetailsOf<Code>, options?: ErrorOptions]
    : [code: Code, details: DetailsOf<Code>, options?: ErrorOptions]
}[ErrorCode]

export const messageOf = (...[code, details]: CodeAndDetails): string => {
  const { message } = ERRORS[code] as ErrorEntry<unknown>
  return typeof message === 'string' ? message : message(details)
}

/**
 * The only error that the service throws on purpose. Its message is the code, so it can be logged.
 */
export class DomainError extends LoggableError {
  override name = 'DomainError'
  readonly code: ErrorCode
  /** The message for the user, in Spanish. */
  text: string
  /**
   * Messages by field, if the route has named the fields. If not, the code's own field has the
   * text.
   */
  fieldErrors?: Record<string, string[]>

  constructor(...args: CodeAndDetails) {
    const [code, , options] = args
    super(code, options)
    this.code = code
    this.text = messageOf(...args)
  }
}
