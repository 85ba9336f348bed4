import { type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

export const SESSION_ERRORS = {
  CLOCK_IN_OFF: error(403, 'Aquí no se puede checar desde la app.'),
  REQUESTS_OFF: error(403, 'Aquí no se pueden solicitar checadas.'),
  WRONG_CREDENTIALS: error(401, 'El correo electrónico o la contraseña no son correctos.'),
  USER_INACTIVE: error(403, 'El usuario está inactivo.'),
  WRONG_PASSWORD: invalid('password', 'La contraseña no es correcta.'),
  WRONG_CURRENT_PASSWORD: invalid('current_password', 'La contraseña actual no es correcta.'),
  SAME_PASSWORD: invalid('password', 'La contraseña nueva debe ser distinta de la actual.'),
  NO_EMPLOYEE: error(403, 'Tu usuario no está vinculado a un empleado.'),
} as const satisfies Record<string, ErrorEntry>
