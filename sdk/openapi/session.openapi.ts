import * as z from 'zod'
import { EmployeeQuery } from '../../src/people/employees.schemas.ts'
import { LoginBody, PasswordChangeBody } from '../../src/session/session.schemas.ts'
import {
  ContractFailure,
  component,
  idField,
  listedEmployeeFields,
  operations,
  queryParameters,
} from './operations.ts'

const account = {
  id: idField,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  mother_last_name: z.string(),
  role: z.string(),
  active: z.int().meta({ description: '1 = activo.' }),
}

export const SignedIn = component('SignedIn', {
  user: component('Account', account),
  token: z.string(),
  token_type: z.literal('Bearer'),
})

const User = component('User', {
  ...account,
  external: z.int(),
  type_user: z.string(),
  status_user: z.string(),
})

const Employee = component('Employee', {
  employee_id: z.string(),
  full_name: z.string(),
  rfc: z.string(),
  phone: z.string(),
  cellphone: z.string(),
  started_at: z.iso.date(),
  job_position: z.string(),
  department: z.string(),
  branch_office: z.string(),
  profile_image: z.string().meta({ description: 'Ruta del archivo, relativa a `/files/`.' }),
})

const CurrentUser = component('CurrentUser', { user: User, employee: Employee.nullable() })

const BareFailure = ContractFailure.pick({ message: true }).meta({
  id: 'BareFailure',
  description: 'Solo el mensaje, sin `success` ni `data`.',
})

const FoundEmployee = component('FoundEmployee', {
  ...listedEmployeeFields,
  ended_at: z.iso.date().nullable().meta({ description: 'El último día de trabajo, o null.' }),
})

const FoundEmployees = component('FoundEmployees', { employees: z.array(FoundEmployee).max(20) })

const ACCOUNT = {
  id: 1,
  email: 'ana.torres@demo.mx',
  first_name: 'Ana',
  last_name: 'Torres',
  mother_last_name: 'Rivas',
  role: 'admin',
  active: 1,
}
export const SIGNED_IN_EXAMPLE = { user: ACCOUNT, token: '<ACCESS_TOKEN>', token_type: 'Bearer' }
export const peopleOperations = [
  ...operations('auth', {
    'POST /auth/login': {
      id: 'login',
      caller: 'anyone',
      summary: 'Iniciar sesión',
      description: 'El correo no distingue mayúsculas; la contraseña se compara tal cual.',
      body: ['LoginBody', LoginBody],
      data: SignedIn,
      errors: ['WRONG_CREDENTIALS', 'USER_INACTIVE'],
      limited: true,
    },
    'GET /auth/me': {
      id: 'me',
      caller: 'signedIn',
      summary: 'Consultar el usuario de la sesión y su perfil de empleado',
      data: CurrentUser,
      bodies: { 401: BareFailure },
    },
    'POST /auth/logout': {
      id: 'logout',
      caller: 'signedIn',
      summary: 'Cerrar esta sesión',
    },
    'POST /auth/logout_all': {
      id: 'logoutAll',
      caller: 'signedIn',
      summary: 'Cerrar todas las sesiones del usuario',
    },
    'POST /auth/password': {
      id: 'changePassword',
      caller: 'signedIn',
      summary: 'Cambiar la contraseña',
      description: 'Cierra las demás sesiones y devuelve un token nuevo.',
      body: ['PasswordChangeBody', PasswordChangeBody],
      data: SignedIn,
      limited: true,
    },
  }),
  ...operations('incidents', {
    'GET /v2/incidents/employees': {
      id: 'findEmployees',
      summary: 'Buscar empleados por nombre o identificador',
      description:
        'Los 20 primeros que contienen cada palabra, sin distinguir mayúsculas ni acentos, por nombre.',
      parameters: queryParameters(EmployeeQuery, {
        q: 'Partes del nombre o del identificador, separadas por espacios.',
      }),
      data: FoundEmployees,
    },
  }),
]
