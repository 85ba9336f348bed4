import { conflict, type ErrorEntry, error, invalid } from '../core/values/error-entry.ts'

export const USERS_ERRORS = {
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
} as const satisfies Record<string, ErrorEntry>
