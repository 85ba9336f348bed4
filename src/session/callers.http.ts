import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AuthorizedDb } from '../core/db/authorization.ts'
import type { TokenClaims } from '../core/db/caller.queries.ts'
import { memoryOf } from '../core/db/d1.ts'
import { DomainError } from '../core/errors.ts'
import type { AppEnv, UserEnv } from '../core/http/context.ts'
import { type FailureShape, failure } from '../core/http/envelope.ts'
import type { Settings } from '../core/http/settings.ts'
import { verifyToken } from '../core/http/token.ts'
import { type Ability, CAN, type Permission } from './can.ts'

/** The scheme in any letter case, then one or more spaces (RFC 9110, section 11.4). */
const BEARER = /^Bearer +(\S+)$/i

const readClaims = async (
  c: Context<UserEnv>,
  settings: Settings,
): Promise<TokenClaims | undefined> => {
  const token = BEARER.exec(c.req.header('Authorization') ?? '')?.[1]
  return token ? verifyToken(token, settings, c.get('now')) : undefined
}

/** Who may call a route. */
interface Callers extends Permission {
  /** More roles, whose users may call it only without a scope. */
  unscopedRoles?: readonly string[]
}

const requireCaller = <Shape extends FailureShape>(
  shape: Shape,
  callersOf: (settings: Settings) => Callers | null,
) =>
  createMiddleware<
    UserEnv,
    string,
    object,
    Response & TypedResponse<ReturnType<Shape>, 401, 'json'>
  >(async (c, next) => {
    const settings = c.get('settings')
    const claims = await readClaims(c, settings)
    c.set('unauthenticatedShape', shape)
    if (!claims) throw new DomainError('UNAUTHENTICATED')
    const db: AppEnv['Variables']['db'] = c.get('db')
    const { roles = null, allBranches = false, unscopedRoles = [] } = callersOf(settings) ?? {}
    const options = { memory: memoryOf(c.env.DB), allBranches, unscopedRoles }
    const authorizedDb = new AuthorizedDb(db, claims, roles, options)
    c.set('claims', claims)
    c.set('authorizedDb', authorizedDb)
    await next()
    // A response that needed no query, such as a 422, is not sent until the caller has been
    // checked.
    await authorizedDb.ensureChecked()
  })

/**
 * Responds with 401 unless the token is valid and its user is active. The 401 does not tell the
 * reason.
 */
export const requireUser = requireCaller(failure, () => null)

/** Like `requireUser`, but with the 401 in a different shape. */
export const requireUserAs = <Shape extends FailureShape>(shape: Shape) =>
  requireCaller(shape, () => null)

/**
 * Like `requireUser`, but responds with 403 to users who may do none of these. A user with a scope
 * passes by an ability that the user's role has with a scope.
 */
export const may = (...abilities: Ability[]) =>
  requireCaller(failure, (settings) => {
    const permissions = abilities.map((ability): Permission => CAN[ability](settings))
    const rolesOf = (list: Permission[]) => list.flatMap(({ roles }) => roles)
    const inScope = permissions.filter(({ allBranches = false }) => !allBranches)
    const unscoped = permissions.filter(({ allBranches = false }) => allBranches)
    if (inScope.length === 0) return { roles: rolesOf(unscoped), allBranches: true }
    return { roles: rolesOf(inScope), unscopedRoles: rolesOf(unscoped) }
  })

/** Like `may`, but also responds with 403 to users who see only some branches. */
export const mayInAllBranches = (ability: Ability) =>
  requireCaller(failure, (settings) => ({ ...CAN[ability](settings), allBranches: true }))

/** Responds with 403 to machines. It must come after the check of the token. */
export const refuseMachines = createMiddleware<UserEnv>(async (c, next) => {
  if (c.get('claims').machine) throw new DomainError('FORBIDDEN')
  await next()
})
