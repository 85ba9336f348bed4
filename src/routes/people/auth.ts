import { createMiddleware } from 'hono/factory'
import {
  endOwnTokens,
  getCurrentUser,
  getOwnCredentials,
  type OwnCredentials,
  revokeOwnToken,
} from '../../db/people/users.ts'
import { changeOwnPassword, signIn } from '../../domain/people/session.ts'
import { createApp } from '../../http/core/context.ts'
import { bareFailure, success } from '../../http/core/envelope.ts'
import { limitLogin, limitPassword } from '../../http/core/rate-limit.ts'
import { validate } from '../../http/core/validate.ts'
import { requireUser, requireUserAs, type UserEnv } from '../../http/people/auth.ts'
import { issueToken } from '../../http/people/token.ts'
import { LoginBody, PasswordChangeBody } from '../../schemas/people/auth.ts'

interface CredentialsEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { credentials: OwnCredentials }
}

/** Reads the caller's hash before the rate limit, which counts authorized callers only. */
const withCredentials = createMiddleware<CredentialsEnv>(async (c, next) => {
  c.set('credentials', await getOwnCredentials(c.var.authorizedDb))
  await next()
})

const signedIn = <User>(user: User, token: string) => ({ user, token, token_type: 'Bearer' })

export const auth = createApp()
  .post('/login', validate(LoginBody), limitLogin, async (c) => {
    const { email, password } = c.req.valid('json')
    const { db, settings, now } = c.var

    const { user, tokenVersion } = await signIn(db, email, password)
    const token = await issueToken({ id: user.id, tokenVersion }, settings, now)
    return c.json(success('Inicio de sesión correcto.', signedIn(user, token)), 200)
  })
  .get('/me', requireUserAs(bareFailure), async (c) => {
    const { user, details, employee } = await getCurrentUser(c.get('authorizedDb'))
    return c.json(success('Usuario autenticado.', { user: { ...user, ...details }, employee }), 200)
  })
  .post('/logout', requireUser, async (c) => {
    const { authorizedDb, now } = c.var
    await revokeOwnToken(authorizedDb, now.toISOString())
    return c.json(success('Sesión cerrada.', null), 200)
  })
  .post('/logout_all', requireUser, async (c) => {
    await endOwnTokens(c.var.authorizedDb)
    return c.json(success('Se cerraron todas las sesiones.', null), 200)
  })
  .post(
    '/password',
    requireUser,
    withCredentials,
    limitPassword,
    validate(PasswordChangeBody),
    async (c) => {
      const { current_password: current, password } = c.req.valid('json')
      const { authorizedDb, credentials, settings, now } = c.var
      const { user } = credentials

      const tokenVersion = await changeOwnPassword(authorizedDb, credentials, current, password)
      const token = await issueToken({ id: user.id, tokenVersion }, settings, now)
      return c.json(success('La contraseña se cambió.', signedIn(user, token)), 200)
    },
  )
