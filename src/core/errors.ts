import { LoggableError } from './values/loggable-error.ts'

interface ErrorEntry<Details = never> {
  status: number
  /** The message for the user, in Spanish. It may be made from details, which the answer has too. */
  message: string | ((details: Details) => string)
  field?: string
}

/** The logs that an error is about. */
interface LogIds {
  ids: readonly number[]
}

/** What became of the lines of a file that could not be stored whole. */
interface StoredOfFile {
  created: number
  known: number
  waiting: number
  left_out: number
}

const UNKNOWN_EMPLOYEE_MESSAGE = 'No existe un empleado con ese identificador.'
const UNKNOWN_LOG_MESSAGE = 'No existe un registro con ese identificador.'

/** `15:00 h`, rounded to minutes. */
const hoursAndMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** `14/11/2026` */
const shownDay = (day: string): string => day.split('-').reverse().join('/')

/** `«semanal»`. The group '' has a name only in texts. */
const groupName = (name = ''): string => `«${name === '' ? 'General' : name}»`

const error = <const Status extends number, Message>(status: Status, message: Message) => ({
  status,
  message,
})

const invalid = <Message>(field: string, message: Message) =>
  ({ status: 422, message, field }) as const

/** A 409 about the value of one field, such as an email address that is taken. */
const conflict = <Message>(field: string, message: Message) =>
  ({ status: 409, message, field }) as const

/**
 * The errors of the service by code, except those that only a schema reports. TypeScript throws
 * them as `DomainError`, and SQL raises their codes (`db/rules.ts`).
 */
export const ERRORS = {
  UNAUTHENTICATED: error(401, 'No autenticado.'),
  FORBIDDEN: error(403, 'No tienes permiso para realizar esta acción.'),
  CLOCK_IN_OFF: error(403, 'Aquí no se puede checar desde la app.'),
  REQUESTS_OFF: error(403, 'Aquí no se pueden solicitar checadas.'),
  WRONG_CREDENTIALS: error(401, 'El correo electrónico o la contraseña no son correctos.'),
  USER_INACTIVE: error(403, 'El usuario está inactivo.'),
  WRONG_PASSWORD: invalid('password', 'La contraseña no es correcta.'),
  NO_AGREEMENT: error(404, 'Todavía no hay un acuerdo.'),
  AGREEMENT_NOT_FOUND: error(404, 'No existe un acuerdo con ese identificador.'),
  AGREEMENT_EXISTS: error(409, 'Ese mismo texto ya se publicó desde ese día.'),
  AGREEMENT_CHANGED: error(409, 'La huella no es la de este texto: vuelve a leerlo.'),
  AGREEMENT_NOT_YET: error(409, 'Este texto todavía no vale.'),
  PAPER_DAY: invalid('signed_on', 'La fecha del papel va del primer día del texto hasta hoy.'),
  PAPER_EXISTS: error(409, 'Ya consta un acuerdo en papel de esta persona: anúlalo antes.'),
  PAPER_MISSING: error(409, 'No consta un acuerdo en papel de esta persona.'),
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
    ({ days_max }: { days_max: number }) => `El periodo puede tener ${days_max} días como máximo.`,
  ),
  EVIDENCE_OUT_OF_SCOPE: error(
    403,
    'En ese periodo, parte de sus checadas es de otras sucursales. Pide un periodo sin ellas, o la evidencia a quien administra todas.',
  ),
  NOBODY_IN_PERIOD: error(404, 'Nadie tiene checadas de esa sucursal en ese periodo.'),
  NO_SEAL_KEY: error(404, 'Esta instalación no sella sus registros.'),
  NOTHING_SEALED: error(404, 'Todavía no hay registros sellados.'),
  NO_EMPLOYEE: error(403, 'Tu usuario no está vinculado a un empleado.'),
  EMPLOYEE_NOT_FOUND: error(404, UNKNOWN_EMPLOYEE_MESSAGE),
  OWN_EMPLOYEE: error(403, 'No puedes cambiar tu propio registro.'),
  REPEATED_EMPLOYEE: invalid('employee_id', 'Este número está repetido en la lista.'),
  NEW_EMPLOYEE_ID: invalid(
    'employee_id',
    'Un número nuevo tiene de 1 a 50 caracteres visibles, sin espacios al principio ni al final.',
  ),
  BRANCH_OUT_OF_SCOPE: invalid('branch_office', 'Esta sucursal no es de las tuyas.'),
  USER_NOT_DEACTIVATED: invalid(
    'deactivate_user',
    'Solo se desactiva el usuario de una persona con rol employee cuyo último día ya pasó.',
  ),
  MACHINE_DEACTIVATES: error(403, 'Una máquina no desactiva usuarios: lo hace una persona.'),
  EMPLOYEE_ID_TAKEN: error(409, 'Ese número ya existe.'),
  EMPLOYEE_MOVED: error(409, 'Alguien cambió este registro mientras lo editabas.'),
  PAID_AFTER_END: error(
    409,
    ({ closing_id, day }: { closing_id: number; day: string }) =>
      `El cierre ${closing_id} pagó el ${shownDay(day)}, después del último día: corrige esos días antes.`,
  ),
  EMPLOYEE_IN_USE: error(
    409,
    'Ya tiene checadas, usuario o cierres: no se borra. Pon su último día de trabajo.',
  ),
  USER_NOT_FOUND: error(404, 'No existe un usuario con ese identificador.'),
  OWN_USER: error(
    403,
    'No puedes cambiar tu propio rol, alcance, orígenes, empleado ni estado, ni invitarte.',
  ),
  USER_MOVED: error(409, 'Alguien cambió este usuario mientras lo editabas.'),
  EMAIL_TAKEN: conflict('email', 'Ya hay un usuario con ese correo electrónico.'),
  EMAIL_FIXED: invalid(
    'email',
    'El correo no se cambia: desactiva este usuario y crea otro con el correo correcto.',
  ),
  EMPLOYEE_LINKED: conflict('employee_id', 'Esa persona ya tiene un usuario.'),
  LAST_ADMINISTRATOR: error(
    409,
    'Es la última persona que administra todas las sucursales y tiene contraseña: invita antes a otra.',
  ),
  UNKNOWN_ROLE: invalid('role', (known?: { roles: readonly string[] }) =>
    known
      ? `Los ajustes no nombran ese rol. Nombran: ${known.roles.join(', ')}.`
      : 'Los ajustes no nombran ese rol.',
  ),
  MACHINE_ROLE: invalid(
    'role',
    'Una máquina lleva un rol de INTAKE_ROLES o PEOPLE_ROLES, y de ningún otro ajuste.',
  ),
  MACHINE_EMPLOYEE: invalid('employee_id', 'Una máquina no es una persona de la empresa.'),
  NOT_A_MACHINE: error(409, 'Solo una máquina activa recibe un token.'),
  MACHINE_HAS_NO_PASSWORD: error(409, 'Una máquina no tiene contraseña: dale un token.'),
  INVITED_INACTIVE: error(409, 'El usuario está inactivo: actívalo antes de invitarlo.'),
  INVITATION_ENDED: error(410, 'Este enlace ya no sirve. Pide uno nuevo a quien te lo dio.'),
  EMPLOYEE_NOT_INVITED: invalid('employee_ids', 'A esta persona no se le puede dar un enlace.'),
  UNKNOWN_EMPLOYEE: invalid('employee_id', UNKNOWN_EMPLOYEE_MESSAGE),
  FOREIGN_SOURCE: error(403, 'Tu usuario no puede enviar registros de ese origen.'),
  SOURCE_NOT_FOUND: error(404, 'No existe un origen con ese nombre.'),
  SOURCE_IS_CLOCK: error(409, 'Ese reloj se conecta solo: cámbialo entre los relojes.'),
  CLOCK_NOT_FOUND: error(404, 'No existe un reloj con ese número de serie.'),
  CLOCK_NEVER_CALLED: error(409, 'Ningún reloj con ese número de serie ha llamado.'),
  CLOCK_MOVED: error(409, 'Alguien cambió el reloj mientras lo editabas.'),
  CLOCK_EXISTS: error(409, 'Ese reloj ya está agregado.'),
  NOTHING_TO_CORRECT: invalid(
    'from',
    'En ese periodo no hay checadas de ese reloj que puedas corregir.',
  ),
  CORRECTION_TOO_LARGE: invalid(
    'to',
    ({ count, until }: { count: number; until: string | null }) =>
      `Son ${count} checadas, y se corrigen 1000 a la vez: elige ${until === null ? 'menos horas' : `hasta el ${shownDay(until)}`}.`,
  ),
  CORRECTION_NOT_FOUND: error(404, 'No existe esa corrección de ese reloj.'),
  CORRECTION_UNDONE: error(
    409,
    'Esa corrección se deshizo. Para corregir otra vez, hazlo como una corrección nueva.',
  ),
  OWN_CLOCK: error(
    403,
    'Lo confirma otra persona: tú agregaste el reloj, lo cambiaste de sucursal o nombraste sus números.',
  ),
  NOTHING_WAITING: error(404, 'Ninguna checada de ese número espera en ese reloj.'),
  OWN_NUMBER: error(403, 'Nadie dice cuál es su propio número de reloj.'),
  CLOCK_BUSY: error(503, 'El reloj debe enviar otra vez lo que falta.'),
  NUMBER_OUT_OF_SCOPE: error(403, 'Ese número es de alguien de otra sucursal.'),
  NOT_OF_A_CLOCK: invalid(
    'text',
    'Ese archivo no es de la asistencia de un reloj. Se espera el que termina en attlog.dat, o GLG_001.TXT o AGL_001.TXT con sus encabezados.',
  ),
  TOO_MANY_WAITING: error(
    409,
    ({ created, known, waiting, left_out }: StoredOfFile) =>
      `En ese reloj ya esperan demasiadas checadas. De este archivo se registraron ${created}, esperan ${waiting}, ya estaban ${known} y faltan ${left_out}: di de quién son las que esperan, o descártalas, y súbelo otra vez.`,
  ),
  PROBLEM_NOT_FOUND: error(404, 'Ese problema ya no está abierto.'),
  TIME_AHEAD: invalid('recorded_at', 'La hora no puede estar en el futuro.'),
  TIME_TOO_OLD: invalid(
    'recorded_at',
    ({ days_max }: { days_max: number }) =>
      `La hora puede ser de hace ${days_max} días como máximo.`,
  ),
  LOCAL_TIME_MISSING: invalid(
    'local_time',
    ({ local_time, next }: { local_time: string; next: string }) =>
      `Ese día no hubo ${local_time.slice(11, 16)}, porque el reloj se adelantó: la hora que sigue es ${next.slice(11, 16)}${next.slice(0, 10) === local_time.slice(0, 10) ? '' : ` del ${shownDay(next.slice(0, 10))}`}.`,
  ),
  LOCAL_TIME_ONCE: invalid('second', 'Ese día la hora no pasó dos veces.'),
  REQUEST_AFTER_END: invalid(
    'recorded_at',
    'La hora es de un día posterior a tu último día de trabajo.',
  ),
  TOO_MANY_REQUESTED: error(409, 'Ya tienes 10 solicitudes por revisar.'),
  COMPLETE_UNTIL_AHEAD: invalid(
    'complete_until',
    'La fecha de cierre no puede estar en el futuro.',
  ),
  UNKNOWN_PAYROLL_GROUP: invalid(
    'payroll_group',
    ({ payroll_group }: { payroll_group: string }) =>
      `No existe el grupo de nómina «${payroll_group}».`,
  ),
  GROUP_MOVED: error(409, 'Alguien cambió este grupo mientras lo editabas.'),
  PAYS_FROM_STAYS: invalid(
    'pays_from',
    'Este grupo ya tiene un primer día: se puede cambiar, pero no quitar.',
  ),
  PAID_FROM_NOT_YOURS: invalid(
    'paid_from',
    'Desde qué día se le paga lo dice quien cierra y paga todas las sucursales.',
  ),
  CLOSING_NOT_FOUND: error(404, 'No existe un cierre con ese identificador.'),
  CLOSING_CANCELLED: error(409, 'El cierre ya está cancelado.'),
  NOTHING_TO_SIGN: error(409, 'Este cierre no tiene renglones tuyos.'),
  SIGNATURE_OUTDATED: error(409, 'Los renglones ya no son esos: vuelve a leerlos antes de firmar.'),
  OBJECTION_NOT_FOUND: error(404, 'No hay una objeción sin responder.'),
  OWN_OBJECTION: error(403, 'No puedes responder tu propia objeción.'),
  CLOSING_OUTDATED: error(
    409,
    'Mientras se cerraba hubo otro cierre, una cancelación o un cambio de personas, grupos o reglas de horas: no se cerró nada. Inténtalo de nuevo.',
  ),
  RULE_PAID: error(
    409,
    ({ day }: { day: string }) =>
      `Los días anteriores al ${shownDay(day)} ya se pagaron: la regla puede valer desde ese día.`,
  ),
  COMPANY_MOVED: error(409, 'Alguien cambió la empresa mientras la editabas.'),
  UNKNOWN_BRANCH: invalid(
    'branch_office',
    'Nadie está en esa sucursal: agrega antes a alguien de ella.',
  ),
  ALREADY_CLOSED: error(
    409,
    ({ closing_id, until, closed_by }: { closing_id: number; until: string; closed_by: string }) =>
      `Estos días ya se cerraron: los pagó el cierre ${closing_id}, hasta el ${shownDay(until)}, que hizo ${closed_by}. No hay nada más que pagar.`,
  ),
  OWN_DAYS: error(403, 'No puedes revisar tus propios días.'),
  LOG_OF_OTHER_DAY: invalid('approve_log_ids', 'Una de estas checadas no es de ese día.'),
  INVERTED_DAY: invalid(
    'confirm_seconds',
    ({ employee_id, day, seconds }: { employee_id: string; day: string; seconds: number }) =>
      `El ${shownDay(day)} de ${employee_id} puede tener entradas y salidas invertidas: agrega la checada que falta, o confirma que se pagan ${hoursAndMinutes(seconds)}.`,
  ),
  INVERTED_DAYS: error(409, ({ days, seconds }: { days: number; seconds: number }) =>
    days === 0
      ? 'Ya no hay días con entradas y salidas invertidas: vuelve a ver el cierre antes de guardarlo.'
      : `Hay ${days} ${days === 1 ? 'día' : 'días'} con entradas y salidas invertidas, que ${days === 1 ? 'suma' : 'suman'} ${hoursAndMinutes(seconds)}: corrígelos, o confirma con \`confirm_inverted\` que se pagan ${seconds} segundos.`,
  ),
  REVIEW_AHEAD: invalid('day', 'El día no puede estar en el futuro.'),
  CLOSING_AHEAD: invalid(
    'before',
    'El periodo se puede cerrar hasta el día de mañana como máximo.',
  ),
  CLOSING_TAKES_NOBODY: invalid(
    'before',
    'El cierre no toma a nadie: revisa la fecha y a quién se cierra.',
  ),
  TOO_MANY_PEOPLE: invalid(
    'payroll_group',
    ({ people_max }: { people_max: number }) =>
      `Un cierre toma ${people_max} personas como máximo: cierra por grupo.`,
  ),
  GROUP_WITHOUT_DAY: error(409, ({ groups }: { groups: readonly string[] }) =>
    groups.length === 1
      ? `Di desde qué día paga este servicio al grupo ${groupName(groups[0])}.`
      : `Di desde qué día paga este servicio a los grupos ${groups.map(groupName).join(', ')}.`,
  ),
  CLOSES_EARLY: conflict(
    'confirm_early',
    ({ groups }: { groups: readonly string[] }) =>
      `Ese día todavía no termina el periodo de ${groups.map(groupName).join(', ')}: espera a que termine, o di que cierras antes.`,
  ),
  PAID_LATER: error(
    409,
    ({ employee_id, day }: { employee_id: string; day: string }) =>
      `${employee_id} empieza a pagarse el ${shownDay(day)}: el cierre no le paga ningún día.`,
  ),
  OTHER_SECONDS: error(
    409,
    ({ seconds }: { seconds: number }) =>
      `Algo cambió desde la vista previa: ahora se pagarían ${hoursAndMinutes(seconds)}. Vuelve a verla.`,
  ),
  PENDING_LOGS: error(
    409,
    ({ count, of_period, waiting }: { count: number; of_period: number; waiting: number }) =>
      [
        count > 0 &&
          `${count === 1 ? 'Queda 1 registro pendiente' : `Quedan ${count} registros pendientes`} antes de esa fecha (${of_period} del periodo).`,
        waiting > 0 &&
          `${waiting === 1 ? 'Espera 1 checada de un reloj' : `Esperan ${waiting} checadas de relojes`}: falta saber de quién es, o su hora no puede ser.`,
      ]
        .filter(Boolean)
        .join(' '),
  ),
  LOG_CLOSED: error(409, ({ ids }: LogIds = { ids: [] }) =>
    ids.length === 1
      ? `El periodo del registro ${ids[0]} está cerrado.`
      : 'El periodo del registro está cerrado.',
  ),
  COMMENT_REQUIRED: invalid('comment', 'El comentario es obligatorio.'),
  PAID_WITHOUT_COMMENT: invalid('comment', 'Ya se pagó: di por qué cambia.'),
  OWN_LOG: error(403, 'No puedes cambiar el estado de tus propios registros.'),
  STATUS_MOVED: error(409, ({ ids, status }: LogIds & { status?: string } = { ids: [] }) =>
    status
      ? `El registro ${ids[0]} ya cambió: su estado actual es ${status}.`
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
  UNKNOWN_PUSH_SERVICE: invalid(
    'endpoint',
    'La dirección no es de un servicio de avisos conocido.',
  ),
  BODY_INTERRUPTED: error(400, 'El cuerpo de la petición llegó incompleto.'),
  BODY_TIMEOUT: error(408, 'El cuerpo de la petición tardó demasiado.'),
  BODY_TOO_LARGE: error(413, 'El cuerpo de la petición es demasiado grande.'),
} as const satisfies Record<string, ErrorEntry>

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
