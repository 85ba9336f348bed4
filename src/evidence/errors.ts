import { type ErrorEntry, error } from '../core/values/error-entry.ts'

export const EVIDENCE_ERRORS = {
  EVIDENCE_OUT_OF_SCOPE: error(
    403,
    'En ese periodo, parte de sus checadas es de otras sucursales. Pide un periodo sin ellas, o la evidencia a quien administra todas.',
  ),
  NOBODY_IN_PERIOD: error(404, 'Nadie tiene checadas de esa sucursal en ese periodo.'),
  NO_SEAL_KEY: error(404, 'Esta instalación no sella sus registros.'),
  NOTHING_SEALED: error(404, 'Todavía no hay registros sellados.'),
} as const satisfies Record<string, ErrorEntry>
