import { createMiddleware } from 'hono/factory'
import { type AppEnv, createApp, type UserEnv } from '../core/http/context.ts'
import { bareFailure, success } from '../core/http/envelope.ts'
import { limitAccount, limitPassword, limitSignIns } from '../core/http/rate-limit.ts'
import { issueToken } from '../core/http/token.ts'
import { validate } from '../core/http/validate.ts'
import { requireUser, requireUserAs } from './callers.http.ts'
import {
  endOwnTokens,
  getCurrentUser,
  getOwnCredentials,
  type OwnCredentials,
  revokeOwnToken,
} from './session.queries.ts'
import { LoginBody, PasswordChangeBody } from './session.schemas.ts'
import { changeOwnPassword, findAccount, signedIn, signIn } from './session.ts'

interface CredentialsEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { credentials: OwnCredentials }
}

/**
 * Reads the caller's password hash. This also checks the caller, so the rate limit after it needs no
 * query of its own.
 */
const withCredentials = createMiddleware<CredentialsEnv>(async (c, next) => {
  c.set('credentials', await getOwnCredentials(c.var.authorizedDb))
  await next()
})

interface SignInEnv extends AppEnv {
  Variables: AppEnv['Variables'] & Awaited<ReturnType<typeof findAccount>>
}

/** Finds the account before its rate limit, which is the same for all names of an account. */
const withAccount = createMiddleware<SignInEnv, string, { out: { json: { email: string } } }>(
  async (c, next) => {
    const { account, countedBy } = await findAccount(c.get('db'), c.req.valid('json').email)
    c.set('account', account)
    c.set('countedBy', countedBy)
    await next()
  },
)

export const session = createApp()
  .post('/login', validate(LoginBody), limitSignIns, withAccount, limitAccount, async (c) => {
    const { password } = c.req.valid('json')
    const { db, account, settings, now } = c.var

    const { user, tokenVersion } = await signIn(db, account, password)
    c.set('signedInId', user.id)
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

      const tokenVersion = await changeOwnPassword(
        authorizedDb,
        credentials,
        current,
        password,
        now,
      )
      const token = await issueToken({ id: user.id, tokenVersion }, settings, now)
      return c.json(success('La contraseña se cambió.', signedIn(user, token)), 200)
    },
  )
