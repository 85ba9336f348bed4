import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type AuthorizedDb, authorizeDb, type TokenClaims } from '../db/authorization.ts'
import { memoryOf } from '../db/memory.ts'
import { DomainError } from '../errors.ts'
import type { AppEnv } from './context.ts'
import { type FailureShape, failure } from './envelope.ts'
import type { Settings } from './settings.ts'
import { verifyToken } from './token.ts'

/**
 * The environment of routes that need a signed-in user. They query through `authorizedDb`, which
 * checks the caller in the same transaction; `db` and `replica` are typed `never`.
 */
export interface UserEnv {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & {
    authorizedDb: AuthorizedDb
    claims: TokenClaims
    db: never
    replica: never
  }
}

/** The settings that list roles. */
type RoleSetting = 'ADMIN_ROLES' | 'INTAKE_ROLES' | 'PAYROLL_ROLES'

/** The scheme in any letter case, then one space or more (RFC 9110, section 11.4). */
const BEARER = /^Bearer +(\S+)$/i

const readClaims = async (
  c: Context<UserEnv>,
  settings: Settings,
): Promise<TokenClaims | undefined> => {
  const token = BEARER.exec(c.req.header('Authorization') ?? '')?.[1]
  return token ? verifyToken(token, settings, c.get('now')) : undefined
}

const requireCaller = <Shape extends FailureShape>(
  shape: Shape,
  rolesOf: (settings: Settings) => readonly string[] | null,
  { allBranches = false } = {},
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
    const authorizedDb = authorizeDb(db, claims, rolesOf(settings), {
      memory: memoryOf(c.env.DB),
      timeZone: settings.TIME_ZONE,
      allBranches,
    })
    c.set('claims', claims)
    c.set('authorizedDb', authorizedDb)
    await next()
    // A response made without a query, such as a 422, must not leave before the caller is checked.
    await authorizedDb.ensureChecked()
  })

/** 401 without a valid token of an active user: the same response whatever the cause. */
export const requireUser = requireCaller(failure, () => null)

/** The same, with the 401 in another shape. */
export const requireUserAs = <Shape extends FailureShape>(shape: Shape) =>
  requireCaller(shape, () => null)

/** 401 without a valid token, 403 for users whose role is in none of these settings. */
export const requireRole = (...names: RoleSetting[]) =>
  requireCaller(failure, (settings) => names.flatMap((name) => settings[name]))

/** The same, and 403 for users who see one branch only. */
export const requireRoleInAllBranches = (...names: RoleSetting[]) =>
  requireCaller(failure, (settings) => names.flatMap((name) => settings[name]), {
    allBranches: true,
  })

/** 403 unless employees may record their own logs here. */
export const requireClockIn = createMiddleware<UserEnv>(async (c, next) => {
  if (!c.get('settings').EMPLOYEE_CLOCK_IN) throw new DomainError('CLOCK_IN_OFF')
  await next()
})

export const requireAdmin = requireRole('ADMIN_ROLES')

/** For reading logs: administrators, and those who pay by them. */
export const requireReader = requireRole('ADMIN_ROLES', 'PAYROLL_ROLES')
