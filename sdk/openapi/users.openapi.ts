import * as z from 'zod'
import {
  CreateUserBody,
  InvitationAcceptBody,
  InvitationCheckBody,
  InvitationsBody,
  UserBody,
  UserPath,
  UsersQuery,
} from '../../src/users/users.schemas.ts'
import {
  component,
  Failure,
  InvalidInput,
  idField,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
} from './operations.ts'
import { SignedIn } from './session.openapi.ts'

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

const CreatedUser = component('CreatedUser', {
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

const path = pathParameters(UserPath, { id: 'El número del usuario.' })
export const userRecordOperations = [
  ...operations('people', {
    'GET /v2/people/users': {
      id: 'listUserRecords',
      summary: 'Listar los usuarios, por nombre',
      description: 'Para quien administra todas las sucursales.',
      parameters: queryParameters(UsersQuery, {
        q: 'Partes del nombre, del correo o del número de empleado.',
        role: 'Solo los de este rol.',
        not_role: 'Sin los de este rol.',
        active: 'true: los activos; false: los desactivados.',
        limit: pageSizeParameter(500),
      }),
      data: UserPage,
    },
    'POST /v2/people/users': {
      id: 'createUser',
      summary: 'Crear un usuario, con un enlace para que ponga su contraseña',
      description: 'El enlace se muestra solo esta vez y sirve 72 horas, una vez.',
      body: ['CreateUserBody', CreateUserBody],
      data: CreatedUser,
      bodies: { 409: UserConflict },
      limited: true,
    },
    'GET /v2/people/users/{id}': {
      id: 'getUser',
      summary: 'Consultar un usuario',
      parameters: path,
      data: OneUser,
    },
    'PUT /v2/people/users/{id}': {
      id: 'putUser',
      summary: 'Reemplazar lo que se decide de un usuario',
      description:
        'Todos los campos van siempre, menos el correo, que no cambia. Otro rol, otra persona o ser máquina cierra sus sesiones. Si puede o ve más que antes, se borra la contraseña que puso con el enlace de quien no administra todas las sucursales; con otra persona, cualquiera.',
      parameters: path,
      body: ['UserBody', UserBody],
      data: SavedUser,
      bodies: { 409: UserConflict },
      limited: true,
    },
    'POST /v2/people/users/{id}/revoke': {
      id: 'revokeUser',
      summary: 'Cerrar todas las sesiones de un usuario, y su enlace',
      parameters: path,
      limited: true,
    },
    'POST /v2/people/users/{id}/invitation': {
      id: 'inviteUser',
      summary: 'Dar un enlace para poner otra contraseña',
      description: 'El enlace anterior deja de servir. La contraseña de ahora vale hasta usarlo.',
      parameters: path,
      data: Link,
      limited: true,
    },
    'POST /v2/people/users/{id}/token': {
      id: 'createMachineToken',
      summary: 'Dar un token a una máquina',
      description: 'Se muestra solo esta vez y no vence. Los anteriores siguen valiendo.',
      parameters: path,
      data: MachineToken,
      limited: true,
    },
    'POST /v2/people/invitations': {
      id: 'inviteEmployees',
      summary: 'Dar un enlace a hasta 100 empleados, y un usuario a quien no tiene',
      description:
        'Los usuarios nuevos tienen el rol employee y una dirección sin correo. Nadie recibe nada si alguno no puede. Una máquina no da enlaces, con los que tomaría cuentas: 403.',
      body: ['InvitationsBody', InvitationsBody],
      data: EmployeeInvitations,
      limited: true,
    },
  }),
  ...operations('auth', {
    'POST /auth/invitation/check': {
      id: 'checkInvitation',
      caller: 'anyone',
      summary: 'Ver de quién es un enlace',
      body: ['InvitationCheckBody', InvitationCheckBody],
      data: InvitedUser,
      limited: true,
    },
    'POST /auth/invitation': {
      id: 'acceptInvitation',
      caller: 'anyone',
      summary: 'Poner la contraseña con un enlace, e iniciar sesión',
      description: 'El enlace deja de servir, y se cierran las sesiones de antes.',
      body: ['InvitationBody', InvitationAcceptBody],
      data: SignedIn,
      limited: true,
    },
  }),
]
