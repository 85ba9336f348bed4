import * as z from 'zod'
import { isEmail } from '../domain/email.ts'
import { PASSWORD_MAX } from '../domain/passwords.ts'
import { signIn } from '../domain/sign-in.ts'
import { createApp } from '../http/context.ts'
import { bareFailure, success } from '../http/envelope.ts'
import { requiredText } from '../http/fields.ts'
import { requireUser } from '../http/require-user.ts'
import { issueToken } from '../http/token.ts'
import { validate } from '../http/validate.ts'

const Login = z.object({
  email: requiredText('El correo electrónico').refine(isEmail, {
    error: 'El correo electrónico no es una dirección válida.',
  }),
  password: requiredText('La contraseña', PASSWORD_MAX),
})

export const auth = createApp()
  .post('/login', validate(Login), async (c) => {
    const { email, password } = c.req.valid('json')
    const { db, settings, now } = c.var

    const { user, tokenVersion } = await signIn(db, email, password)
    const token = await issueToken({ id: user.id, tokenVersion }, settings, now)
    return c.json(success('Inicio de sesión correcto.', { user, token, token_type: 'Bearer' }))
  })
  .get('/me', requireUser(bareFailure), (c) => {
    const { user, employee } = c.var
    return c.json(success('Usuario autenticado.', { user, employee }))
  })
