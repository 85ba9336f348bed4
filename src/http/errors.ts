import type { Context, ErrorHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Particulars, type Refusal, Refused } from '../domain/errors.ts'
import type { AppEnv } from './context.ts'
import { type FailureShape, failure, invalid } from './envelope.ts'

/** Refusals of the conversation itself, which no rule of the domain knows. */
type HttpRefusal =
  | 'PATH_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'TOO_MANY_REQUESTS'
  | 'DATABASE_DOWN'

/** What each refusal says, with which status; a field where the fault is one of input. */
const REFUSALS: Record<
  Refusal | HttpRefusal,
  readonly [ContentfulStatusCode, string, field?: string]
> = {
  UNAUTHENTICATED: [401, 'No autenticado.'],
  FORBIDDEN: [403, 'No tienes permiso para realizar esta acción.'],
  WRONG_CREDENTIALS: [401, 'El correo electrónico o la contraseña no son correctos.'],
  USER_INACTIVE: [403, 'El usuario está inactivo.'],
  WRONG_CURRENT_PASSWORD: [422, 'La contraseña actual no es correcta.', 'current_password'],
  SAME_PASSWORD: [422, 'La contraseña nueva debe ser distinta de la actual.', 'password'],
  NO_MODULES: [404, 'No hay módulos habilitados.'],
  CLIENT_NOT_FOUND: [404, 'No existe un cliente con ese código.'],
  CLIENT_INACTIVE: [403, 'El cliente está inactivo o bloqueado.'],
  CONFIG_NOT_FOUND: [404, 'No existe una configuración con ese nombre.'],
  LOG_NOT_FOUND: [422, 'No existe un registro con ese identificador.', 'log_id'],
  LOG_UNKNOWN: [404, 'No existe un registro con ese identificador.'],
  OWN_LOG: [403, 'No puedes cambiar el estado de tus propios registros.'],
  STATUS_MOVED: [409, 'El registro cambió mientras tanto.'],
  COMMENT_NOT_SAVED: [500, 'No se pudo guardar el comentario.'],
  STATUS_NOT_SAVED: [500, 'No se pudo actualizar el estado del registro.'],
  PATH_NOT_FOUND: [404, 'La ruta no existe.'],
  METHOD_NOT_ALLOWED: [405, 'El método no está permitido en esta ruta.'],
  TOO_MANY_REQUESTS: [429, 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.'],
  LEGACY_DOWN: [502, 'El sistema anterior no responde. Inténtalo de nuevo más tarde.'],
  DATABASE_DOWN: [503, 'La base de datos no responde.'],
  BODY_TOO_LARGE: [413, 'El cuerpo de la petición es demasiado grande.'],
}

export const sentenceOf = (refusal: Refusal): string => REFUSALS[refusal][1]

/** A refusal's answer; `shape` where the contract shows it without an envelope. */
export const refuse = (
  c: Context,
  refusal: Refusal | HttpRefusal,
  { shape = failure, fields, log }: Particulars & { shape?: FailureShape | undefined } = {},
) => {
  const [status, sentence, field] = REFUSALS[refusal]
  if (refusal === 'UNAUTHENTICATED') c.header('WWW-Authenticate', 'Bearer')
  const message = log
    ? `El registro ${log.id} ya cambió: su estado actual es ${log.status}.`
    : sentence
  const names = fields ?? (field ? [field] : [])
  if (names.length === 0) return c.json(shape(message), status)
  return c.json(invalid(Object.fromEntries(names.map((name) => [name, [message]])), shape), status)
}

/** Turns what was thrown into an answer: a refusal says why, anything else only that it failed. */
export const answerError: ErrorHandler<AppEnv> = (error, c) =>
  error instanceof Refused
    ? refuse(c, error.refusal, error.particulars)
    : c.json(failure('Ocurrió un error interno. Inténtalo de nuevo más tarde.'), 500)
