import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

export const COMPANY_ERRORS = {
  COMPANY_MOVED: error(409, 'Alguien cambió la empresa mientras la editabas.'),
  UNKNOWN_BRANCH: invalid(
    'branch_office',
    'Nadie está en esa sucursal: agrega antes a alguien de ella.',
  ),
} as const satisfies Record<string, ErrorEntry>
