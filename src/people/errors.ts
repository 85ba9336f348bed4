import { type ErrorEntry, error, invalid, shownDay } from '../core/values/error-entry.ts'

const UNKNOWN_EMPLOYEE_MESSAGE = 'No existe un empleado con ese identificador.'

export const PEOPLE_ERRORS = {
  EMPLOYEE_NOT_FOUND: error(404, UNKNOWN_EMPLOYEE_MESSAGE),
  OWN_EMPLOYEE: error(403, 'No puedes cambiar tu propio registro.'),
  REPEATED_EMPLOYEE: invalid('employee_id', 'Este número está repetido en la lista.'),
  NEW_EMPLOYEE_ID: invalid(
    'employee_id',
    'Un número nuevo tiene de 1 a 50 caracteres visibles, sin espacios al principio ni al final.',
  ),
  BRANCH_OUT_OF_SCOPE: invalid('branch_office', 'Esta sucursal no es de las tuyas.'),
  USER_NOT_DEACTIVATED: invalid(
    'deactivate_user',
    'Solo se desactiva el usuario de una persona con rol employee cuyo último día ya pasó.',
  ),
  MACHINE_DEACTIVATES: error(403, 'Una máquina no desactiva usuarios: lo hace una persona.'),
  EMPLOYEE_ID_TAKEN: error(409, 'Ese número ya existe.'),
  EMPLOYEE_MOVED: error(409, 'Alguien cambió este registro mientras lo editabas.'),
  PAID_AFTER_END: error(
    409,
    ({ closing_id, day }: { closing_id: number; day: string }) =>
      `El cierre ${closing_id} pagó el ${shownDay(day)}, después del último día: corrige esos días antes.`,
  ),
  EMPLOYEE_IN_USE: error(
    409,
    'Ya tiene checadas, usuario o cierres: no se borra. Pon su último día de trabajo.',
  ),
  UNKNOWN_EMPLOYEE: invalid('employee_id', UNKNOWN_EMPLOYEE_MESSAGE),
  PAID_FROM_NOT_YOURS: invalid(
    'paid_from',
    'Desde qué día se le paga lo dice quien cierra y paga todas las sucursales.',
  ),
} as const satisfies Record<string, ErrorEntry>
