import { AGREEMENTS_ERRORS } from '../agreements/errors.ts'
import { CLIENTS_ERRORS } from '../clients/errors.ts'
import { CLOCKS_ERRORS } from '../clocks/errors.ts'
import { COMPANY_ERRORS } from '../company/errors.ts'
import { EVIDENCE_ERRORS } from '../evidence/errors.ts'
import { INTAKE_ERRORS } from '../intake/errors.ts'
import { LOGS_ERRORS } from '../logs/errors.ts'
import { PAYROLL_ERRORS } from '../payroll/errors.ts'
import { PEOPLE_ERRORS } from '../people/errors.ts'
import { PUSH_ERRORS } from '../push/errors.ts'
import { SESSION_ERRORS } from '../session/errors.ts'
import { USERS_ERRORS } from '../users/errors.ts'
import { type ErrorEntry, error, invalid, shownDay } from './values/error-entry.ts'
import { LoggableError } from './values/loggable-error.ts'

/** The errors of no noun. */
const CORE_ERRORS = {
  UNAUTHENTICATED: error(401, 'No autenticado.'),
  FORBIDDEN: error(403, 'No tienes permiso para realizar esta acción.'),
  PERIOD_REVERSED: invalid('to', 'La fecha final no puede ser anterior a la inicial.'),
  PERIOD_TOO_LONG: invalid(
    'to',
    ({ days_max }: { days_max: number }) => `El periodo puede tener ${days_max} días como máximo.`,
  ),
  LOCAL_TIME_MISSING: invalid(
    'local_time',
    ({ local_time, next }: { local_time: string; next: string }) =>
      `Ese día no hubo ${local_time.slice(11, 16)}, porque el reloj se adelantó: la hora que sigue es ${next.slice(11, 16)}${next.slice(0, 10) === local_time.slice(0, 10) ? '' : ` del ${shownDay(next.slice(0, 10))}`}.`,
  ),
  LOCAL_TIME_ONCE: invalid('second', 'Ese día la hora no pasó dos veces.'),
  PATH_NOT_FOUND: error(404, 'La ruta no existe.'),
  METHOD_NOT_ALLOWED: error(405, 'El método no está permitido en esta ruta.'),
  TOO_MANY_REQUESTS: error(429, 'Demasiados intentos. Espera un minuto y vuelve a intentarlo.'),
  LEGACY_DOWN: error(502, 'El sistema anterior no responde. Inténtalo de nuevo más tarde.'),
  INTERNAL_ERROR: error(500, 'Ocurrió un error interno. Inténtalo de nuevo más tarde.'),
  DATABASE_BUSY: error(503, 'El servicio está ocupado. Inténtalo de nuevo en unos segundos.'),
  DATABASE_FULL: error(
    507,
    'La base de datos está llena: no se guardó nada. Avisa a quien administra el servicio.',
  ),
  DATABASE_DOWN: error(503, 'La base de datos no responde.'),
  DATABASE_OUTDATED: error(503, 'A la base de datos le faltan migraciones.'),
  UNKNOWN_ZONE: error(
    503,
    ({ time_zone }: { time_zone: string }) =>
      `El sistema no conoce la zona horaria ${time_zone}: avisa a quien administra el servicio.`,
  ),
  BODY_INTERRUPTED: error(400, 'El cuerpo de la petición llegó incompleto.'),
  BODY_TIMEOUT: error(408, 'El cuerpo de la petición tardó demasiado.'),
  BODY_TOO_LARGE: error(413, 'El cuerpo de la petición es demasiado grande.'),
} as const satisfies Record<string, ErrorEntry>

/**
 * The errors of the service by code, except those that only a schema reports. Each noun has its own
 * in its `errors.ts`. TypeScript throws them as `DomainError`, and SQL raises their codes
 * (`db/raise.ts`).
 */
export const ERRORS = {
  ...CORE_ERRORS,
  ...SESSION_ERRORS,
  ...CLIENTS_ERRORS,
  ...COMPANY_ERRORS,
  ...PEOPLE_ERRORS,
  ...USERS_ERRORS,
  ...PUSH_ERRORS,
  ...LOGS_ERRORS,
  ...INTAKE_ERRORS,
  ...AGREEMENTS_ERRORS,
  ...CLOCKS_ERRORS,
  ...PAYROLL_ERRORS,
  ...EVIDENCE_ERRORS,
} as const

export type ErrorCode = keyof typeof ERRORS

/** A code of a failed answer. `INVALID_INPUT` is of a request that its schema rejects. */
export type FailureCode = ErrorCode | 'INVALID_INPUT'

/** The codes about one field whose message is always the same. */
export type FieldCode = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { field: string; message: string }
    ? Code
    : never
}[ErrorCode]

/**
 * The values that the message of a code needs. The answer has them as `details`, so their names are
 * public. Undefined if the message is always the same.
 */
export type DetailsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  message: (details: infer Details) => string
}
  ? Details
  : undefined

/** The names of all details. */
export type DetailName = {
  [Code in ErrorCode]: [NonNullable<DetailsOf<Code>>] extends [never]
    ? never
    : keyof NonNullable<DetailsOf<Code>>
}[ErrorCode]

/** A code with its details. The details are optional if the message has a form without them. */
type CodeAndDetails = {
  [Code in ErrorCode]: undefined extends DetailsOf<Code>
    ? [code: Code, details?: DetailsOf<Code>, options?: ErrorOptions]
    : [code: Code, details: DetailsOf<Code>, options?: ErrorOptions]
}[ErrorCode]

/** A code that is known only at run time, so that the types cannot check its details. */
interface AnyCode {
  code: ErrorCode
  details?: unknown
}

/** The message of a code that is known only at run time. */
export const messageOfAny = ({ code, details }: AnyCode): string => {
  const { message } = ERRORS[code] as ErrorEntry<unknown>
  return typeof message === 'string' ? message : message(details)
}

export const messageOf = (...[code, details]: CodeAndDetails): string =>
  messageOfAny({ code, details })

/** An error of `ERRORS`. Its message is the code, so it can be logged. */
export class DomainError extends LoggableError {
  override name = 'DomainError'
  readonly code: ErrorCode
  /** The values in `text`, for programs. */
  readonly details: unknown
  /** The message for the user, in Spanish. */
  text: string
  /**
   * Messages by field. Undefined if the error is about the `field` that `ERRORS` has for the code,
   * or about no field.
   */
  fieldErrors?: Record<string, string[]>
  /** The stored record, for a caller whose change was refused because of another change. */
  current?: object

  constructor(...args: CodeAndDetails | [AnyCode, ErrorOptions?]) {
    const [{ code, details }, options] =
      typeof args[0] === 'string'
        ? [{ code: args[0], details: args[1] as unknown }, args[2]]
        : [args[0], args[1] as ErrorOptions | undefined]
    super(code, options)
    this.code = code
    this.details = details
    this.text = messageOfAny({ code, details })
  }
}
