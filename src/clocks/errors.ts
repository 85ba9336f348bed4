import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

/** What became of the lines of a file that could not be stored whole. */
interface StoredOfFile {
  created: number
  known: number
  waiting: number
  left_out: number
}

export const CLOCKS_ERRORS = {
  CLOCK_NOT_FOUND: error(404, 'No existe un reloj con ese número de serie.'),
  CLOCK_NEVER_CALLED: error(409, 'Ningún reloj con ese número de serie ha llamado.'),
  CLOCK_MOVED: error(409, 'Alguien cambió el reloj mientras lo editabas.'),
  CLOCK_EXISTS: error(409, 'Ese reloj ya está agregado.'),
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
} as const satisfies Record<string, ErrorEntry>
