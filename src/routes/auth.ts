import * as z from 'zod/mini'
import { PASSWORD_MAX, PASSWORD_MIN } from '../domain/passwords.ts'
import { changeOwnPassword, signOut, signOutEverywhere } from '../domain/session.ts'
import { signIn } from '../domain/sign-in.ts'
import { requireUser } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { bareFailure, success } from '../http/envelope.ts'
import { throttleLogin, throttlePassword } from '../http/rate-limit.ts'
import { issueToken } from '../http/token.ts'
import { validate } from '../http/validate.ts'
import { requiredText, secretText } from '../schemas/fields.ts'
import { isEmail } from '../shared/email.ts'

export const Login = z.object({
  email: requiredText('El correo electrónico').check(
    z.refine(isEmail, { error: 'El correo electrónico no es una dirección válida.' }),
  ),
  password: secretText('La contraseña', PASSWORD_MAX),
})

export const PasswordChange = z.object({
  current_password: secretText('La contraseña actual', PASSWORD_MAX),
  password: secretText('La contraseña', PASSWORD_MAX, PASSWORD_MIN),
})

/** What a sign-in answers. */
const signedIn = <User>(user: User, token: string) => ({ user, token, token_type: 'Bearer' })

export const auth = createApp()
  .post('/login', throttleLogin, validate(Login), async (c) => {
    const { email, password } = c.req.valid('json')
    const { db, settings, now } = c.var

    const { user, tokenVersion } = await signIn(db, email, password)
    const token = await issueToken({ id: user.id, tokenVersion }, settings, now)
    return c.json(success('Inicio de sesión correcto.', signedIn(user, token)), 200)
  })
  .get('/me', requireUser(bareFailure), (c) => {
    const { user, details, employee } = c.var
    return c.json(success('Usuario autenticado.', { user: { ...user, ...details }, employee }), 200)
  })
  .post('/logout', requireUser(), async (c) => {
    const { db, token, now } = c.var
    await signOut(db, token, now)
    return c.json(success('Sesión cerrada.', null), 200)
  })
  .post('/logout_all', requireUser(), async (c) => {
    const { db, user } = c.var
    await signOutEverywhere(db, user.id)
    return c.json(success('Se cerraron todas las sesiones.', null), 200)
  })
  .post('/password', requireUser(), throttlePassword, validate(PasswordChange), async (c) => {
    const { current_password, password } = c.req.valid('json')
    const { db, settings, now, token, user } = c.var

    const tokenVersion = await changeOwnPassword(db, token, current_password, password)
    const fresh = await issueToken({ id: user.id, tokenVersion }, settings, now)
    return c.json(success('La contraseña se cambió.', signedIn(user, fresh)), 200)
  })
