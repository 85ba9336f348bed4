import * as z from 'zod/mini'
import { isEmail } from '../core/values/email.ts'
import {
  idAsText,
  limitedText,
  listField,
  nameText,
  optional,
  orMissing,
  requiredText,
  secretText,
  strictObject,
  textField,
  trueOrFalse,
  yesOrNo,
} from '../core/values/fields.schemas.ts'
import { SOURCE_MAX } from '../core/values/log-values.ts'
import { cursorField, pageSizeField, query } from '../core/values/query-fields.schemas.ts'
import { codePoints, isReservedSource, sourceKey } from '../core/values/text.ts'
import { ADDRESS_MAX, NAME_MAX, TEXT_MAX } from '../core/values/text-limits.ts'
import { newPassword } from '../session/session.schemas.ts'

const LIMIT_MAX = 500
const LIST_MAX = 200
const INVITATIONS_MAX = 100

const emailField = limitedText('El correo electrónico', ADDRESS_MAX).check(
  z.refine(isEmail, { error: 'El correo electrónico no es una dirección válida.' }),
)

/**
 * A list or null. The list is sorted, and duplicates are removed. An empty list is not allowed,
 * because the user could then see or send nothing.
 */
const listOrNull = (name: string, item: z.ZodMiniType<string, string>, texts = 'textos') => {
  const rule = `${name} debe ser una lista de 1 a ${LIST_MAX} ${texts}, o null.`
  const list = listField(item, { max: LIST_MAX, tooLong: rule, empty: rule, error: () => rule })
  const sorted = z.pipe(
    list,
    z.transform((items) => [...new Set(items)].sort()),
  )
  return z.union([z.null(), sorted], { error: orMissing(name, rule) })
}

const sourceItem = z.pipe(
  textField('El origen'),
  z
    .transform(sourceKey)
    .check(
      z.refine((key) => key !== '' && codePoints(key) <= SOURCE_MAX && !isReservedSource(key)),
    ),
)

const employeeId = z.union([z.null(), requiredText('El número de empleado')], {
  error: orMissing('El número de empleado', 'El número de empleado debe ser texto o null.'),
})

const names = {
  first_name: limitedText('El nombre', NAME_MAX).check(z.normalize('NFC')),
  last_name: nameText('El apellido paterno', NAME_MAX),
  mother_last_name: nameText('El apellido materno', NAME_MAX),
  role: limitedText('El rol', TEXT_MAX),
}

const links = {
  machine: yesOrNo('La máquina'),
  employee_id: employeeId,
  scope_branches: listOrNull('La lista de sucursales', limitedText('La sucursal', TEXT_MAX)),
  sources: listOrNull(
    'La lista de orígenes',
    sourceItem,
    `textos de ${SOURCE_MAX} caracteres como máximo, sin dos puntos ni «clock » al principio`,
  ),
}

const UNKNOWN_FIELD = 'El usuario debe ser un objeto.'

export const CreateUserBody = strictObject(
  {
    email: emailField,
    ...names,
    machine: optional(links.machine, false),
    employee_id: z._default(links.employee_id, null),
    scope_branches: z._default(links.scope_branches, null),
    sources: z._default(links.sources, null),
  },
  UNKNOWN_FIELD,
)

/** Only `email` may be missing. A missing limit could otherwise widen the user's access. */
export const UserBody = strictObject(
  {
    email: optional(emailField),
    ...names,
    active: z.literal([0, 1], {
      error: orMissing('El estado', 'El estado debe ser 0 o 1.'),
    }),
    ...links,
    expected_version: z.int({
      error: orMissing('La versión', 'La versión debe ser un número entero.'),
    }),
  },
  UNKNOWN_FIELD,
)

export const UserPath = z.object({
  id: idAsText('El identificador del usuario debe ser un número.'),
})

export const UsersQuery = query({
  q: z.optional(textField('La búsqueda')),
  role: z.optional(textField('El rol')),
  not_role: z.optional(textField('El rol')),
  active: z.optional(trueOrFalse('Activo debe ser true o false.')),
  limit: z.optional(pageSizeField(LIMIT_MAX)),
  cursor: z.optional(cursorField(z.tuple([z.string(), z.int()]))),
})

const IDS_RULE = `Los empleados deben ser una lista de 1 a ${INVITATIONS_MAX} números.`

export const InvitationsBody = strictObject(
  {
    employee_ids: listField(requiredText('El número de empleado'), {
      max: INVITATIONS_MAX,
      tooLong: IDS_RULE,
      empty: IDS_RULE,
      error: orMissing('La lista de empleados', IDS_RULE),
    }),
  },
  UNKNOWN_FIELD,
)

const LINK_TOKEN_MAX = 200

export const InvitationCheckBody = z.object({ token: secretText('El enlace', LINK_TOKEN_MAX) })

export const InvitationAcceptBody = z.object({
  token: secretText('El enlace', LINK_TOKEN_MAX),
  password: newPassword,
})
