import type { Context, ErrorHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { DbError, type DbErrorCode } from '../db/db-errors.ts'
import { DomainError, type ErrorCode, type ErrorDetails } from '../domain-errors.ts'
import type { AppEnv } from './context.ts'
import { type FailureShape, failure, invalidInput } from './envelope.ts'

/** Errors of the HTTP layer, which the domain does not have. */
type HttpErrorCode =
  | 'CLOCK_IN_OFF'
  | 'PATH_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'BODY_INTERRUPTED'
  | 'BODY_TIMEOUT'
  | 'TOO_MANY_REQUESTS'
  | 'INTERNAL_ERROR'
  | 'DATABASE_DOWN'

type AnyErrorCode = ErrorCode | DbErrorCode | HttpErrorCode

interface ErrorResponse {
  status: ContentfulStatusCode
  message: string | ((details: ErrorDetails) => string)
  /** The invalid field, where the error is one of input. */
  field?: string
}

const ERRORS: Record<AnyErrorCode, ErrorResponse> = {
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
  UNKNOWN_LOG_ID: {
    status: 422,
    message: 'No existe un registro con ese identificador.',
    field: 'log_id',
  },
  LOG_NOT_FOUND: { status: 404, message: 'No existe un registro con ese identificador.' },
  PERIOD_REVERSED: {
    status: 422,
    message: 'La fecha final no puede ser anterior a la inicial.',
    field: 'to',
  },
  PERIOD_TOO_LONG: {
    status: 422,
    message: ({ days }) => `El periodo puede tener ${days} días como máximo.`,
    field: 'to',
  },
  NO_SEAL_KEY: { status: 404, message: 'Esta instalación no sella sus registros.' },
  NOTHING_SEALED: { status: 404, message: 'Todavía no hay registros sellados.' },
  NO_EMPLOYEE: { status: 403, message: 'Tu usuario no está vinculado a un empleado.' },
  UNKNOWN_EMPLOYEE: {
    status: 422,
    message: 'No existe un empleado con ese identificador.',
    field: 'employee_id',
  },
  FOREIGN_SOURCE: { status: 403, message: 'Tu usuario no puede enviar registros de ese origen.' },
  TIME_AHEAD: {
    status: 422,
    message: 'La hora no puede estar en el futuro.',
    field: 'recorded_at',
  },
  TIME_TOO_OLD: {
    status: 422,
    message: ({ days }) => `La hora puede ser de hace ${days} días como máximo.`,
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
    message: ({ count }) => `Un cierre toma ${count} personas como máximo: cierra por grupo.`,
    field: 'payroll_group',
  },
  OPENINGS_MISSING: {
    status: 422,
    message: ({ count = 0 }) =>
      count === 1
        ? 'Falta el primer día que se paga aquí de 1 persona.'
        : `Falta el primer día que se paga aquí de ${count} personas.`,
    field: 'openings',
  },
  OPENING_EXISTS: {
    status: 422,
    message: ({ employeeId }) => `${employeeId} ya tiene un primer día que se paga aquí.`,
    field: 'openings',
  },
  OPENING_AFTER_CLOSING: {
    status: 422,
    message: 'El primer día que se paga aquí debe ser anterior al cierre.',
    field: 'openings',
  },
  PENDING_LOGS: {
    status: 409,
    message: ({ count = 0, ofPeriod = 0 }) =>
      `${count === 1 ? 'Queda 1 registro pendiente' : `Quedan ${count} registros pendientes`} antes de esa fecha (${ofPeriod} del periodo).`,
  },
  LOG_CLOSED: {
    status: 409,
    message: ({ locked: [id] = [] }) =>
      id === undefined
        ? 'El periodo del registro está cerrado.'
        : `El periodo del registro ${id} está cerrado.`,
  },
  COMMENT_REQUIRED: { status: 422, message: 'El comentario es obligatorio.', field: 'comment' },
  OWN_LOG: { status: 403, message: 'No puedes cambiar el estado de tus propios registros.' },
  STATUS_MOVED: {
    status: 409,
    message: ({ log }) =>
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
}

export const messageOf = (code: AnyErrorCode, details: ErrorDetails = {}): string => {
  const { message } = ERRORS[code]
  return typeof message === 'string' ? message : message(details)
}

interface ResponseOptions extends ErrorDetails {
  /** Where the contract shows the failure without an envelope. */
  shape?: FailureShape | undefined
}

/** The response of an error, in the envelope unless another shape is given. */
export const errorResponse = (
  c: Context,
  code: AnyErrorCode,
  { shape = failure, fields, errors, ...details }: ResponseOptions = {},
) => {
  const { status, field } = ERRORS[code]
  const message = messageOf(code, details)
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  if (code === 'DATABASE_BUSY') c.header('Retry-After', '1')
  const names = fields ?? (field ? [field] : [])
  if (names.length === 0) return c.json(shape(message, errors), status)
  return c.json(
    invalidInput(Object.fromEntries(names.map((name) => [name, [message]])), shape),
    status,
  )
}

/** Turns a thrown error into a response; an unknown one becomes a 500 without details. */
export const handleError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof DbError) {
    const shape = error.code === 'UNAUTHENTICATED' ? c.get('unauthenticatedShape') : undefined
    return errorResponse(c, error.code as DbErrorCode, { shape })
  }
  return error instanceof DomainError
    ? errorResponse(c, error.code, error.details)
    : errorResponse(c, 'INTERNAL_ERROR')
}
