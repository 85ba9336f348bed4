import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

export const AGREEMENTS_ERRORS = {
  NO_AGREEMENT: error(404, 'Todavía no hay un acuerdo.'),
  AGREEMENT_NOT_FOUND: error(404, 'No existe un acuerdo con ese identificador.'),
  AGREEMENT_EXISTS: error(409, 'Ese mismo texto ya se publicó desde ese día.'),
  AGREEMENT_CHANGED: error(409, 'La huella no es la de este texto: vuelve a leerlo.'),
  AGREEMENT_NOT_YET: error(409, 'Este texto todavía no vale.'),
  PAPER_DAY: invalid('signed_on', 'La fecha del papel va del primer día del texto hasta hoy.'),
  PAPER_EXISTS: error(409, 'Ya consta un acuerdo en papel de esta persona: anúlalo antes.'),
  PAPER_MISSING: error(409, 'No consta un acuerdo en papel de esta persona.'),
} as const satisfies Record<string, ErrorEntry>
