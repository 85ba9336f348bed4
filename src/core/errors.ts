import { LoggableError } from './loggable-error.ts'

interface ErrorEntry<Details = never> {
  /** The HTTP status. */
  status: number
  /** What the user reads. */
  message: string | ((details: Details) => string)
  /** The invalid field, where the error is one of input. */
  field?: string
}

interface LogId {
  id: number
}

const UNKNOWN_EMPLOYEE = 'No existe un empleado con ese identificador.'
const UNKNOWN_LOG = 'No existe un registro con ese identificador.'
const OPENING_TOO_LATE = 'El primer día que se paga aquí debe ser anterior al cierre.'

/** Every error that the service answers with: rules throw its code, statements raise it. */
export const ERRORS = {
  UNAUTHENTICATED: { status: 401, message: 'No autenticado.' },
  FORBIDDEN: { status: 403, message: 'No tienes permiso para realizar esta acción.' },
  CLOCK_IN_OFF: { status: 403, message: 'Aquí no se puede checar desde la app.' },
  WRONG_CREDENTIALS: {
    status: 401,
    message: 'El correo electrónico o la contraseña no son correctos.',
  },
  USER_INACTIVE: { status: 403, message: 'El usuario está inactivo.' },
  WRONG_CURRENT_PASSWORD: {
    status: 422,
    message: 'La contraseña actual no es correcta.',
    field: 'current_password',
  },
  SAME_PASSWORD: {
    status: 422,
    message: 'La contraseña nueva debe ser distinta de la actual.',
    field: 'password',
  },
  NO_MODULES: { status: 404, message: 'No hay módulos habilitados.' },
  CLIENT_NOT_FOUND: { status: 404, message: 'No existe un cliente con ese código.' },
  CLIENT_INACTIVE: { status: 403, message: 'El cliente está inactivo o bloqueado.' },
  CONFIG_NOT_FOUND: { status: 404, message: 'No existe una configuración con ese nombre.' },
  UNKNOWN_LOG_ID: { status: 422, message: UNKNOWN_LOG, field: 'log_id' },
  UNKNOWN_PREVIEWED_LOG: { status: 422, message: UNKNOWN_LOG, field: 'preview_rejected' },
  LOG_NOT_FOUND: { status: 404, message: UNKNOWN_LOG },
  PERIOD_REVERSED: {
    status: 422,
    message: 'La fecha final no puede ser anterior a la inicial.',
    field: 'to',
  },
  PERIOD_TOO_LONG: {
    status: 422,
    message: ({ days }: { days: number }) => `El periodo puede tener ${days} días como máximo.`,
    field: 'to',
  },
  NO_SEAL_KEY: { status: 404, message: 'Esta instalación no sella sus registros.' },
  NOTHING_SEALED: { status: 404, message: 'Todavía no hay registros sellados.' },
  NO_EMPLOYEE: { status: 403, message: 'Tu usuario no está vinculado a un empleado.' },
  UNKNOWN_EMPLOYEE: { status: 422, message: UNKNOWN_EMPLOYEE, field: 'employee_id' },
  FOREIGN_SOURCE: { status: 403, message: 'Tu usuario no puede enviar registros de ese origen.' },
  TIME_AHEAD: {
    status: 422,
    message: 'La hora no puede estar en el futuro.',
    field: 'recorded_at',
  },
  TIME_TOO_OLD: {
    status: 422,
    message: ({ days }: { days: number }) => `La hora puede ser de hace ${days} días como máximo.`,
    field: 'recorded_at',
  },
  COMPLETE_UNTIL_AHEAD: {
    status: 422,
    message: 'La fecha de cierre no puede estar en el futuro.',
    field: 'complete_until',
  },
  UNKNOWN_PAYROLL_GROUP: {
    status: 422,
    message: 'No existe un grupo de nómina con ese nombre.',
    field: 'payroll_group',
  },
  CLOSING_NOT_FOUND: { status: 404, message: 'No existe un cierre con ese identificador.' },
  CLOSING_CANCELLED: { status: 409, message: 'El cierre ya está cancelado.' },
  CLOSING_OUTDATED: {
    status: 409,
    message:
      'Mientras se cerraba hubo otro cierre, una cancelación o un desbloqueo: no se cerró nada. Inténtalo de nuevo.',
  },
  CLOSING_AHEAD: {
    status: 422,
    message: 'El periodo se puede cerrar hasta el día de mañana como máximo.',
    field: 'before',
  },
  CLOSING_TAKES_NOBODY: {
    status: 422,
    message: 'El cierre no toma a nadie: revisa la fecha y a quién se cierra.',
    field: 'before',
  },
  CLOSING_BEFORE_LOGS: {
    status: 422,
    message: 'Nadie de este cierre tiene checadas antes de esa fecha.',
    field: 'before',
  },
  TOO_MANY_PEOPLE: {
    status: 422,
    message: ({ count }: { count: number }) =>
      `Un cierre toma ${count} personas como máximo: cierra por grupo.`,
    field: 'payroll_group',
  },
  OPENINGS_MISSING: {
    status: 422,
    message: ({ count }: { count: number }) =>
      `Indica desde qué día se le paga a ${count === 1 ? '1 persona' : `${count} personas`}.`,
    field: 'openings',
  },
  OPENING_EXISTS: {
    status: 422,
    message: ({ employeeId }: { employeeId: string }) =>
      `${employeeId} ya tiene un primer día que se paga aquí.`,
    field: 'openings',
  },
  OPENING_AFTER_CLOSING: { status: 422, message: OPENING_TOO_LATE, field: 'openings' },
  FROM_AFTER_CLOSING: { status: 422, message: OPENING_TOO_LATE, field: 'from' },
  OPENING_OF_UNKNOWN_EMPLOYEE: { status: 422, message: UNKNOWN_EMPLOYEE, field: 'openings' },
  PENDING_LOGS: {
    status: 409,
    message: ({ count, ofPeriod }: { count: number; ofPeriod: number }) =>
      `${count === 1 ? 'Queda 1 registro pendiente' : `Quedan ${count} registros pendientes`} antes de esa fecha (${ofPeriod} del periodo).`,
  },
  LOG_CLOSED: {
    status: 409,
    message: (log?: LogId) =>
      log
        ? `El periodo del registro ${log.id} está cerrado.`
        : 'El periodo del registro está cerrado.',
  },
  COMMENT_REQUIRED: { status: 422, message: 'El comentario es obligatorio.', field: 'comment' },
  OWN_LOG: { status: 403, message: 'No puedes cambiar el estado de tus propios registros.' },
  STATUS_MOVED: {
    status: 409,
    message: (log?: LogId & { status: string }) =>
      log
        ? `El registro ${log.id} ya cambió: su estado actual es ${log.status}.`
        : 'El registro cambió mientras tanto.',
  },
  COMMENT_NOT_SAVED: { status: 500, message: 'No se pudo guardar el comentario.' },
  STATUS_NOT_SAVED: { status: 500, message: 'No se pudo actualizar el estado del registro.' },
  PATH_NOT_FOUND: { status: 404, message: 'La ruta no existe.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'El método no está permitido en esta ruta.' },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.',
  },
  LEGACY_DOWN: {
    status: 502,
    message: 'El sistema anterior no responde. Inténtalo de nuevo más tarde.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Ocurrió un error interno. Inténtalo de nuevo más tarde.',
  },
  DATABASE_BUSY: {
    status: 503,
    message: 'El servicio está ocupado. Inténtalo de nuevo en unos segundos.',
  },
  DATABASE_DOWN: { status: 503, message: 'La base de datos no responde.' },
  BODY_INTERRUPTED: { status: 400, message: 'El cuerpo de la petición llegó incompleto.' },
  BODY_TIMEOUT: { status: 408, message: 'El cuerpo de la petición tardó demasiado.' },
  BODY_TOO_LARGE: { status: 413, message: 'El cuerpo de la petición es demasiado grande.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** What the message of a code needs to know; undefined where it is always the same. */
type DetailsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  message: (details: infer Details) => string
}
  ? Details
  : undefined

/** A code with its details, which may be left out where the message does without them. */
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
 * The one error that the service throws on purpose. Its message is the code, which logs may have.
 */
export class DomainError extends LoggableError {
  override name = 'DomainError'
  readonly code: ErrorCode
  /** What the user reads. */
  text: string
  /**
   * Messages by field, where the route names the fields; else the code's own field has the text.
   */
  fieldErrors?: Record<string, string[]>

  constructor(...args: CodeAndDetails) {
    const [code, , options] = args
    super(code, options)
    this.code = code
    this.text = messageOf(...args)
  }
}
