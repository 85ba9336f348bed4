import * as z from 'zod/mini'
import { isEmail } from '../core/values/email.ts'
import { requiredText, secretText } from '../core/values/fields.schemas.ts'
import { isCommonPassword } from './common-passwords.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts'

export const LoginBody = z.object({
  email: requiredText('El correo electrónico').check(
    z.refine(isEmail, { error: 'El correo electrónico no es una dirección válida.' }),
    z.meta({ minLength: 3, pattern: '^\\s*[^@\\s]+@[^@\\s]+\\s*$' }),
  ),
  password: secretText('La contraseña', PASSWORD_MAX),
})

/** Only new passwords have a minimum length. Passwords that were set earlier must still work. */
export const newPassword = secretText('La contraseña', PASSWORD_MAX, PASSWORD_MIN).check(
  z.refine((password) => !isCommonPassword(password), {
    error: 'Esa contraseña es de las más usadas: elige otra.',
  }),
)

export const PasswordChangeBody = z.object({
  current_password: secretText('La contraseña actual', PASSWORD_MAX),
  password: newPassword,
})
