import { conflict, type ErrorEntry, error, invalid, shownDay } from '../core/values/error-entry.ts'

/** `15:00 h`, rounded to minutes. */
const hoursAndMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** `«semanal»`. The group '' has a name only in texts. */
const groupName = (name = ''): string => `«${name === '' ? 'General' : name}»`

export const PAYROLL_ERRORS = {
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
} as const satisfies Record<string, ErrorEntry>
