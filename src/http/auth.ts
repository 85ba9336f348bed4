import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import {
  type Caller,
  createDoor,
  openSession,
  type Session,
  type WatchedDoor,
} from '../domain/session.ts'
import type { AppEnv } from './context.ts'
import type { FailureShape, failure } from './envelope.ts'
import { refuse } from './errors.ts'
import { readToken } from './token.ts'

/** Inside, and only there, the request has a user. */
export interface Inside {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] &
    Pick<Session, 'user' | 'details' | 'employee'> & { token: Caller }
}

/** Where the database is asked through the door alone: nothing else of it is in reach. */
export interface Behind {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { door: WatchedDoor; db: never; replica: never }
}

/** The scheme in any letter case, then one space or more (RFC 9110, section 11.4). */
const BEARER = /^Bearer +(\S+)$/i

const callerOf = async (
  { req }: Context,
  { settings, now }: AppEnv['Variables'],
): Promise<Caller | undefined> => {
  const token = BEARER.exec(req.header('Authorization') ?? '')?.[1]
  return token ? readToken(token, settings, now) : undefined
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
    const world = c.var
    const caller = await callerOf(c, world)
    const session = caller && (await openSession(world.db, caller))
    if (!session) return refuse(c, 'UNAUTHENTICATED', { shape }) as never
    c.set('token', caller)
    c.set('user', session.user)
    c.set('details', session.details)
    c.set('employee', session.employee)
    await next()
  })

/**
 * The door for administrators: 401 for a stranger, 403 for any other role. What the endpoint asks of
 * the database rides with the door's question, in one round trip; an answer that came without asking,
 * such as a 422, leaves only if the door opens for it.
 */
export const requireAdmin = createMiddleware<Behind>(async (c, next) => {
  const world: AppEnv['Variables'] = c.var
  const caller = await callerOf(c, world)
  if (!caller) return refuse(c, 'UNAUTHENTICATED')
  const door = createDoor(world.db, caller, world.settings.ADMIN_ROLES)
  c.set('door', door)
  await next()
  if (!door.asked) await door.ask()
})
