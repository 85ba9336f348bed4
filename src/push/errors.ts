import { type ErrorEntry, invalid } from '../core/values/error-entry.ts'

export const PUSH_ERRORS = {
  UNKNOWN_PUSH_SERVICE: invalid(
    'endpoint',
    'La dirección no es de un servicio de avisos conocido.',
  ),
} as const satisfies Record<string, ErrorEntry>
