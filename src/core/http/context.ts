import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { RouterRoute } from 'hono/types'
import type { AuthorizedDb } from '../db/authorization.ts'
import type { TokenClaims } from '../db/caller.queries.ts'
import { type DatabaseStats, nearestReplica, primary } from '../db/d1.ts'
import type { D1 } from '../db/query.ts'
import type { FailureCode } from '../errors.ts'
import type { FailureShape } from './envelope.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * The values that handlers read with `c.get`. `c.var` has them too, but copies all of them each
 * time.
 */
interface RequestContext {
  requestId: string
  db: D1
  databaseStats: DatabaseStats
  /** The time of the request. It is taken once, after the body has arrived. */
  now: Date
  settings: Settings
  /** The code of the failure that the response is. */
  failureCode?: FailureCode
  /** Whom the response signs in. */
  signedInId?: number
  /** Who tries to sign in: the key of the account, where one is named, and of the address. */
  attempt?: { account?: string; address: string }
  /** The shape of this route's 401. Undefined if the route needs no token. */
  unauthenticatedShape?: FailureShape
}

export interface AppEnv {
  Bindings: Env
  Variables: RequestContext
}

/**
 * The environment of routes that need a signed-in user. They query through `authorizedDb`, which
 * checks the caller in the same transaction. The type `never` keeps these routes from using `db`.
 */
export interface UserEnv {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & {
    authorizedDb: AuthorizedDb
    claims: TokenClaims
    db: never
  }
}

/** Makes an app, or a group of routes of the app. Paths may end with a slash. */
export const createApp = () => new Hono<AppEnv>({ strict: false })

/** The replica nearest to the caller. Only routes without a token may read from it. */
export const replicaOf = (c: Context<AppEnv>): D1 =>
  nearestReplica(c.env.DB, c.get('databaseStats'))

export const initContext = createMiddleware<AppEnv>((c, next) => {
  const stats = { roundTrips: 0 }
  c.set('databaseStats', stats)
  c.set('db', primary(c.env.DB, stats))
  c.set('settings', readSettings(c.env))
  return next()
})

/** Hono registers middleware under this method. A route with any other method is an endpoint. */
export const ANY_METHOD = 'ALL'

/** The endpoint that handles this request. Undefined if there is none for its path and method. */
export const endpointOf = (c: Context): RouterRoute | undefined =>
  matchedRoutes(c).findLast((route) => route.method !== ANY_METHOD)
