import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Session } from '../../db/users.ts'
import { type Caller, openSession } from '../../domain/session.ts'
import type { FailureShape, failure } from '../answer/envelope.ts'
import { refuse } from '../answer/refusals.ts'
import type { AppEnv } from '../context.ts'
import { readToken } from './token.ts'

/** Behind the door, and only there, the request has a user. */
export interface Inside {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] &
    Pick<Session, 'user' | 'details' | 'employee'> & { token: Caller }
}

/** The scheme in any letter case, then one space or more (RFC 9110, section 11.4). */
const BEARER = /^Bearer +(\S+)$/i

const enter = async (c: Context<Inside>): Promise<Session | undefined> => {
  const { db, settings, now } = c.var
  const token = BEARER.exec(c.req.header('Authorization') ?? '')?.[1]
  const claims = token ? await readToken(token, settings, now) : undefined
  const session = claims && (await openSession(db, claims))
  if (!session) return undefined
  c.set('token', claims)
  c.set('user', session.user)
  c.set('details', session.details)
  c.set('employee', session.employee)
  return session
}

/**
 * The door: a live token of an active user, or 401 in the endpoint's own shape. The same bytes
 * whatever the cause: a stranger learns nothing about the token.
 */
export const requireUser = <Shape extends FailureShape = typeof failure>(shape?: Shape) =>
  createMiddleware<
    Inside,
    string,
    object,
    Response & TypedResponse<ReturnType<Shape>, 401, 'json'>
  >(async (c, next) => {
    if (!(await enter(c))) return refuse(c, 'UNAUTHENTICATED', { shape }) as never
    await next()
  })

/** The door for administrators: 401 for a stranger, 403 for any other role. */
export const requireAdmin = createMiddleware<Inside>(async (c, next) => {
  const session = await enter(c)
  if (!session) return refuse(c, 'UNAUTHENTICATED')
  if (!c.var.settings.ADMIN_ROLES.includes(session.user.role)) return refuse(c, 'FORBIDDEN')
  await next()
})
