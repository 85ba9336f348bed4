import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

export const INTAKE_ERRORS = {
  FOREIGN_SOURCE: error(403, 'Tu usuario no puede enviar registros de ese origen.'),
  SOURCE_NOT_FOUND: error(404, 'No existe un origen con ese nombre.'),
  SOURCE_IS_CLOCK: error(409, 'Ese reloj se conecta solo: cámbialo entre los relojes.'),
  PROBLEM_NOT_FOUND: error(404, 'Ese problema ya no está abierto.'),
  TIME_AHEAD: invalid('recorded_at', 'La hora no puede estar en el futuro.'),
  TIME_TOO_OLD: invalid(
    'recorded_at',
    ({ days_max }: { days_max: number }) =>
      `La hora puede ser de hace ${days_max} días como máximo.`,
  ),
  REQUEST_AFTER_END: invalid(
    'recorded_at',
    'La hora es de un día posterior a tu último día de trabajo.',
  ),
  TOO_MANY_REQUESTED: error(409, 'Ya tienes 10 solicitudes por revisar.'),
  COMPLETE_UNTIL_AHEAD: invalid(
    'complete_until',
    'La fecha de cierre no puede estar en el futuro.',
  ),
} as const satisfies Record<string, ErrorEntry>
