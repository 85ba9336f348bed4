import { type ErrorEntry, error } from '../core/values/error-entry.ts'

export const CLIENTS_ERRORS = {
  NO_MODULES: error(404, 'No hay módulos habilitados.'),
  CLIENT_NOT_FOUND: error(404, 'No existe un cliente con ese código.'),
  CLIENT_INACTIVE: error(403, 'El cliente está inactivo o bloqueado.'),
  CONFIG_NOT_FOUND: error(404, 'No existe una configuración con ese nombre.'),
} as const satisfies Record<string, ErrorEntry>
