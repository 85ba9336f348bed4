import { bareFailure } from '../../src/http/core/envelope.ts'
import { messageOf } from '../../src/http/core/errors.ts'
import { LoginBody, PasswordChangeBody } from '../../src/schemas/people/auth.ts'
import {
  authenticatedOperation,
  body,
  done,
  failed,
  invalid,
  operation,
  response,
  shared,
  WWW_AUTHENTICATE,
} from './parts.ts'
import * as schemas from './schemas.ts'

const ACCOUNT = {
  id: 1,
  email: 'ana.torres@demo.mx',
  first_name: 'Ana',
  last_name: 'Torres',
  mother_last_name: 'Rivas',
  role: 'admin',
  active: 1,
}
const TOKEN = { user: ACCOUNT, token: '<ACCESS_TOKEN>', token_type: 'Bearer' }
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
  profile_image: 'empleados/ana-torres.jpg',
}

export const authPaths = {
  '/auth/login': {
    post: operation({
      operationId: 'login',
      tags: ['auth'],
      summary: 'Iniciar sesión',
      description: 'El correo no distingue mayúsculas; la contraseña se compara tal cual.',
      requestBody: body(LoginBody, { email: 'ana.torres@demo.mx', password: 'checada-demo' }),
      responses: {
        '200': done('Sesión iniciada.', schemas.SignedIn, 'Inicio de sesión correcto.', TOKEN),
        '401': failed('Credenciales incorrectas.', 'WRONG_CREDENTIALS', WWW_AUTHENTICATE),
        '403': failed('El usuario está inactivo.', 'USER_INACTIVE'),
        '422': invalid({
          email: ['El correo electrónico es obligatorio.'],
          password: ['La contraseña es obligatoria.'],
        }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
  '/auth/me': {
    get: authenticatedOperation({
      operationId: 'me',
      tags: ['auth'],
      summary: 'Consultar el usuario de la sesión y su perfil de empleado',
      responses: {
        '200': done('El usuario.', schemas.CurrentUser, 'Usuario autenticado.', {
          user: { ...ACCOUNT, external: 0, type_user: 'interno', status_user: 'activo' },
          employee: EMPLOYEE,
        }),
        '401': response(
          'Falta un token válido; el cuerpo es solo el mensaje.',
          schemas.BareFailure,
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
      responses: { '200': done('Sesión cerrada.', schemas.Nothing, 'Sesión cerrada.', null) },
    }),
  },
  '/auth/logout_all': {
    post: authenticatedOperation({
      operationId: 'logoutAll',
      tags: ['auth'],
      summary: 'Cerrar todas las sesiones del usuario',
      responses: {
        '200': done('Sesiones cerradas.', schemas.Nothing, 'Se cerraron todas las sesiones.', null),
      },
    }),
  },
  '/auth/password': {
    post: authenticatedOperation({
      operationId: 'changePassword',
      tags: ['auth'],
      summary: 'Cambiar la contraseña',
      description: 'Cierra las demás sesiones y devuelve un token nuevo.',
      requestBody: body(PasswordChangeBody, {
        current_password: 'checada-demo',
        password: 'una clave más larga',
      }),
      responses: {
        '200': done('Contraseña cambiada.', schemas.SignedIn, 'La contraseña se cambió.', TOKEN),
        '422': invalid({ current_password: [messageOf('WRONG_CURRENT_PASSWORD')] }),
        '429': shared('TooManyRequests'),
      },
    }),
  },
}
