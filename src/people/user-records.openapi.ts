import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import {
  anyFailure,
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  failureResponse,
  InvalidInput,
  idField,
  invalidResponse,
  operation,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  response,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { SIGNED_IN_EXAMPLE, SignedIn } from './people.openapi.ts'
import {
  InvitationAcceptBody,
  InvitationCheckBody,
  InvitationsBody,
  NewUserBody,
  UserBody,
  UserPath,
  UsersQuery,
} from './user-records.schemas.ts'

const names = z.array(z.string()).nullable()

const UserRecord = component('UserRecord', {
  id: idField,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  mother_last_name: z.string(),
  role: z.string(),
  active: z.int().meta({ description: '1 = activo.' }),
  machine: z.boolean().meta({ description: 'Un programa: tiene token y no contraseña.' }),
  employee_id: z.string().nullable(),
  scope_branches: names.meta({ description: 'Las sucursales que ve; null: todas.' }),
  sources: names.meta({ description: 'Los orígenes que puede enviar; null: cualquiera.' }),
  has_password: z.boolean(),
  password_through: z
    .object({ id: idField, full_name: z.string() })
    .nullable()
    .meta({ description: 'De quién era el enlace con que se puso la contraseña.' }),
  invitation_expires_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Hasta cuándo sirve su enlace; null si no tiene uno vigente.' }),
  version: z.int().meta({ description: 'Se envía de vuelta como `expected_version`.' }),
})

const link = { url: z.url(), expires_at: z.iso.datetime() }
const Link = component('InvitationLink', link)

const OneUser = component('OneUser', { user: UserRecord })
const SavedUser = component('SavedUser', {
  user: UserRecord,
  password_cleared: z.boolean().meta({
    description: 'La contraseña se borró, y hace falta un enlace nuevo: puede más que antes.',
  }),
})
const UserPage = component('UserPage', {
  users: z.array(UserRecord),
  next_cursor: z.string().nullable(),
})

const NewUser = component('NewUser', {
  user: UserRecord,
  invitation: Link.nullable().meta({ description: 'Null para una máquina.' }),
})

const EmployeeInvitations = component('EmployeeInvitations', {
  invitations: z.array(
    component('EmployeeInvitation', { employee_id: z.string(), email: z.string(), ...link }),
  ),
})

const InvitedUser = component('InvitedUser', {
  full_name: z.string(),
  email: z.string(),
  expires_at: z.iso.datetime(),
})

const UserConflict = component(
  'UserConflict',
  {
    ...Failure.shape,
    errors: InvalidInput.shape.errors.optional(),
    current: UserRecord.optional(),
  },
  'El usuario cambió (`current`), el correo o la persona ya tienen otro, o es la última que administra.',
)

const MachineToken = component('MachineToken', {
  token: z.string(),
  token_type: z.literal('Bearer'),
})

const NAMES = { first_name: 'Luis', last_name: 'Mendoza', mother_last_name: 'Peña' }
const ACCESS = { machine: false, employee_id: 'E-002', scope_branches: ['Norte'], sources: null }
const LINK = {
  url: 'https://checada.example.com/revision/#/invitacion/0Vd1xF9mQ2rT7yK3bN8cW5sHzLpAeJgUoXiMqRtYvBk',
  expires_at: '2026-11-19T15:00:00.000Z',
}
const USER = {
  id: 2,
  email: 'luis.mendoza@demo.mx',
  ...NAMES,
  role: 'admin',
  active: 1,
  ...ACCESS,
  has_password: false,
  password_through: null,
  invitation_expires_at: LINK.expires_at,
  version: 1,
}

const path = pathParameters(UserPath, { id: { description: 'El número del usuario.' } })
const wrongId = invalidResponse({ id: ['El identificador del usuario debe ser un número.'] })
const notFound = failureResponse('No existe.', 'USER_NOT_FOUND')
const ended = failureResponse('El enlace es desconocido, ya se usó o venció.', 'INVITATION_ENDED')
const LINK_TOKEN = { token: '<TOKEN>' }

export const userRecordPaths = {
  '/v2/people/users': {
    get: authorizedOperation({
      operationId: 'listUserRecords',
      tags: ['people'],
      summary: 'Listar los usuarios, por nombre',
      description: 'Para quien administra todas las sucursales.',
      parameters: queryParameters(UsersQuery, {
        q: { description: 'Partes del nombre, del correo o del número de empleado.' },
        role: { description: 'Solo los de este rol.' },
        active: { description: 'true: los activos; false: los desactivados.' },
        limit: pageSizeParameter(500),
      }),
      responses: {
        '200': successResponse('Una página.', UserPage, 'Usuarios.', {
          users: [USER],
          next_cursor: null,
        }),
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 500.'] }),
      },
    }),
    post: authorizedOperation({
      operationId: 'createUser',
      tags: ['people'],
      summary: 'Crear un usuario, con un enlace para que ponga su contraseña',
      description: 'El enlace se muestra solo esta vez y sirve 72 horas, una vez.',
      requestBody: bodyComponent('NewUserBody', NewUserBody, {
        email: 'luis.mendoza@demo.mx',
        ...NAMES,
        role: 'admin',
        ...ACCESS,
      }),
      responses: {
        '200': successResponse('Creado.', NewUser, 'El usuario se creó.', {
          user: USER,
          invitation: LINK,
        }),
        '409': response(
          'El correo o la persona ya tienen usuario.',
          UserConflict,
          failure(messageOf('EMAIL_TAKEN'), { email: [messageOf('EMAIL_TAKEN')] }),
        ),
        '422': invalidResponse({ role: [messageOf('UNKNOWN_ROLE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/users/{id}': {
    get: authorizedOperation({
      operationId: 'getUser',
      tags: ['people'],
      summary: 'Consultar un usuario',
      parameters: path,
      responses: {
        '200': successResponse('El usuario.', OneUser, 'Usuario.', { user: USER }),
        '404': notFound,
        '422': wrongId,
      },
    }),
    put: authenticatedOperation({
      operationId: 'putUser',
      tags: ['people'],
      summary: 'Reemplazar lo que se decide de un usuario',
      description:
        'Todos los campos van siempre, menos el correo, que no cambia. Otro rol, otra persona o ser máquina cierra sus sesiones. Si puede o ve más que antes, se borra la contraseña que puso con el enlace de quien no administra todas las sucursales; con otra persona, cualquiera.',
      parameters: path,
      requestBody: bodyComponent('UserBody', UserBody, {
        ...NAMES,
        role: 'admin',
        active: 1,
        ...ACCESS,
        expected_version: 1,
      }),
      responses: {
        '200': successResponse('Guardado.', SavedUser, 'El usuario se guardó.', {
          user: USER,
          password_cleared: false,
        }),
        '403': anyFailure('Sin permiso, o es el propio usuario.', ['FORBIDDEN', 'OWN_USER']),
        '404': notFound,
        '409': response(
          'El usuario cambió (con `current`), la persona ya tiene otro, o es la última que administra.',
          UserConflict,
          { ...failure(messageOf('USER_MOVED')), current: USER },
        ),
        '422': invalidResponse({ role: [messageOf('UNKNOWN_ROLE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/users/{id}/revoke': {
    post: authorizedOperation({
      operationId: 'revokeUser',
      tags: ['people'],
      summary: 'Cerrar todas las sesiones de un usuario, y su enlace',
      parameters: path,
      responses: {
        '200': successResponse(
          'Sesiones cerradas.',
          z.null(),
          'Se cerraron todas las sesiones del usuario.',
          null,
        ),
        '404': notFound,
        '422': wrongId,
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/users/{id}/invitation': {
    post: authenticatedOperation({
      operationId: 'inviteUser',
      tags: ['people'],
      summary: 'Dar un enlace para poner otra contraseña',
      description: 'El enlace anterior deja de servir. La contraseña de ahora vale hasta usarlo.',
      parameters: path,
      responses: {
        '200': successResponse('El enlace.', Link, 'El enlace se muestra solo esta vez.', LINK),
        '403': anyFailure('Sin permiso, o es el propio usuario.', ['FORBIDDEN', 'OWN_USER']),
        '404': notFound,
        '409': anyFailure('Es una máquina, o está inactivo.', [
          'MACHINE_HAS_NO_PASSWORD',
          'INVITED_INACTIVE',
        ]),
        '422': wrongId,
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/users/{id}/token': {
    post: authorizedOperation({
      operationId: 'createMachineToken',
      tags: ['people'],
      summary: 'Dar un token a una máquina',
      description: 'Se muestra solo esta vez y no vence. Los anteriores siguen valiendo.',
      parameters: path,
      responses: {
        '200': successResponse('El token.', MachineToken, 'El token se muestra solo esta vez.', {
          token: '<ACCESS_TOKEN>',
          token_type: 'Bearer',
        }),
        '409': failureResponse('No es una máquina activa.', 'NOT_A_MACHINE'),
        '422': wrongId,
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/invitations': {
    post: authorizedOperation({
      operationId: 'inviteEmployees',
      tags: ['people'],
      summary: 'Dar un enlace a hasta 100 empleados, y un usuario a quien no tiene',
      description:
        'Los usuarios nuevos tienen el rol employee y una dirección sin correo. Nadie recibe nada si alguno no puede. Una máquina no da enlaces, con los que tomaría cuentas: 403.',
      requestBody: bodyComponent('InvitationsBody', InvitationsBody, { employee_ids: ['E-002'] }),
      responses: {
        '200': successResponse(
          'Los enlaces.',
          EmployeeInvitations,
          'Los enlaces se muestran solo esta vez.',
          {
            invitations: [{ employee_id: 'E-002', email: 'e-002@sin-correo.invalid', ...LINK }],
          },
        ),
        '409': failureResponse('Algo cambió mientras tanto.', 'EMPLOYEE_MOVED'),
        '422': invalidResponse({ 'employee_ids.0': [messageOf('UNKNOWN_EMPLOYEE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/auth/invitation/check': {
    post: operation({
      operationId: 'checkInvitation',
      tags: ['auth'],
      summary: 'Ver de quién es un enlace',
      requestBody: bodyComponent('InvitationCheckBody', InvitationCheckBody, LINK_TOKEN),
      responses: {
        '200': successResponse('El enlace sirve.', InvitedUser, 'Enlace vigente.', {
          full_name: 'Luis Mendoza Peña',
          email: 'luis.mendoza@demo.mx',
          expires_at: LINK.expires_at,
        }),
        '410': ended,
        '422': invalidResponse({ token: ['El enlace es obligatorio.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/auth/invitation': {
    post: operation({
      operationId: 'acceptInvitation',
      tags: ['auth'],
      summary: 'Poner la contraseña con un enlace, e iniciar sesión',
      description: 'El enlace deja de servir, y se cierran las sesiones de antes.',
      requestBody: bodyComponent('InvitationBody', InvitationAcceptBody, {
        ...LINK_TOKEN,
        password: 'una clave más larga',
      }),
      responses: {
        '200': successResponse(
          'Sesión iniciada.',
          SignedIn,
          'La contraseña quedó guardada.',
          SIGNED_IN_EXAMPLE,
        ),
        '410': ended,
        '422': invalidResponse({ password: ['La contraseña debe tener al menos 8 caracteres.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
}
