import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { bareFailure } from '../core/http/envelope.ts'
import {
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  failureResponse,
  idField,
  invalidResponse,
  listedEmployeeFields,
  operation,
  queryParameters,
  response,
  sharedResponse,
  successResponse,
  WWW_AUTHENTICATE,
} from '../core/operations.openapi.ts'
import { LoginBody, PasswordChangeBody } from './auth.schemas.ts'
import { EmployeeQuery } from './employees.schemas.ts'

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

const BareFailure = Failure.pick({ message: true }).meta({
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
const EMPLOYEE = {
  employee_id: 'E-001',
  full_name: 'Ana Torres Rivas',
  rfc: 'TORA850412AB1',
  phone: '5555010101',
  cellphone: '5512340001',
  started_at: '2019-03-04',
  job_position: 'Jefa de Recursos Humanos',
  department: 'Recursos Humanos',
  branch_office: 'Centro',
  profile_image: 'empleados/ana-torres.png',
}

export const peoplePaths = {
  '/auth/login': {
    post: operation({
      operationId: 'login',
      tags: ['auth'],
      summary: 'Iniciar sesión',
      description: 'El correo no distingue mayúsculas; la contraseña se compara tal cual.',
      requestBody: bodyComponent('LoginBody', LoginBody, {
        email: 'ana.torres@demo.mx',
        password: 'checada-demo',
      }),
      responses: {
        '200': successResponse(
          'Sesión iniciada.',
          SignedIn,
          'Inicio de sesión correcto.',
          SIGNED_IN_EXAMPLE,
        ),
        '401': failureResponse('Credenciales incorrectas.', 'WRONG_CREDENTIALS', WWW_AUTHENTICATE),
        '403': failureResponse('El usuario está inactivo.', 'USER_INACTIVE'),
        '422': invalidResponse({
          email: ['El correo electrónico es obligatorio.'],
          password: ['La contraseña es obligatoria.'],
        }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/auth/me': {
    get: authenticatedOperation({
      operationId: 'me',
      tags: ['auth'],
      summary: 'Consultar el usuario de la sesión y su perfil de empleado',
      responses: {
        '200': successResponse('El usuario.', CurrentUser, 'Usuario autenticado.', {
          user: { ...ACCOUNT, external: 0, type_user: 'interno', status_user: 'activo' },
          employee: EMPLOYEE,
        }),
        '401': response(
          'Falta un token válido; el cuerpo es solo el mensaje.',
          BareFailure,
          bareFailure(messageOf('UNAUTHENTICATED')),
          WWW_AUTHENTICATE,
        ),
      },
    }),
  },
  '/auth/logout': {
    post: authenticatedOperation({
      operationId: 'logout',
      tags: ['auth'],
      summary: 'Cerrar esta sesión',
      responses: { '200': successResponse('Sesión cerrada.', z.null(), 'Sesión cerrada.', null) },
    }),
  },
  '/auth/logout_all': {
    post: authenticatedOperation({
      operationId: 'logoutAll',
      tags: ['auth'],
      summary: 'Cerrar todas las sesiones del usuario',
      responses: {
        '200': successResponse(
          'Sesiones cerradas.',
          z.null(),
          'Se cerraron todas las sesiones.',
          null,
        ),
      },
    }),
  },
  '/auth/password': {
    post: authenticatedOperation({
      operationId: 'changePassword',
      tags: ['auth'],
      summary: 'Cambiar la contraseña',
      description: 'Cierra las demás sesiones y devuelve un token nuevo.',
      requestBody: bodyComponent('PasswordChangeBody', PasswordChangeBody, {
        current_password: 'checada-demo',
        password: 'una clave más larga',
      }),
      responses: {
        '200': successResponse(
          'Contraseña cambiada.',
          SignedIn,
          'La contraseña se cambió.',
          SIGNED_IN_EXAMPLE,
        ),
        '422': invalidResponse({ current_password: [messageOf('WRONG_CURRENT_PASSWORD')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/employees': {
    get: authorizedOperation({
      operationId: 'findEmployees',
      tags: ['incidents'],
      summary: 'Buscar empleados por nombre o identificador',
      description:
        'Los 20 primeros que contienen cada palabra, sin distinguir mayúsculas ni acentos, por nombre.',
      parameters: queryParameters(EmployeeQuery, {
        q: { description: 'Partes del nombre o del identificador, separadas por espacios.' },
      }),
      responses: {
        '200': successResponse('Los empleados.', FoundEmployees, 'Empleados encontrados.', {
          employees: [
            {
              employee_id: 'E-002',
              full_name: 'Luis Mendoza Peña',
              department: 'Almacén',
              branch_office: 'Norte',
              ended_at: null,
            },
          ],
        }),
        '422': invalidResponse({ q: ['La búsqueda es obligatoria.'] }),
      },
    }),
  },
}
