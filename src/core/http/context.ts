import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type DatabaseStats, nearestReplica, primary } from '../db/d1.ts'
import type { D1 } from '../db/query.ts'
import type { FailureShape } from './envelope.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * What handlers read with `c.get`. `c.var` has the same, but copies all of it at each access.
 */
interface RequestContext {
  requestId: string
  db: D1
  /** The replica nearest to the caller. */
  replica: D1
  databaseStats: DatabaseStats
  /** The time of the request, read once, when its body has arrived. */
  now: Date
  settings: Settings
  /** The shape of a 401, where it is not the envelope. */
  unauthenticatedShape?: FailureShape
}

export interface AppEnv {
  Bindings: Env
  Variables: RequestContext
}

/** An app of this service, or a group of its routes. A trailing slash is accepted. */
export const createApp = () => new Hono<AppEnv>({ strict: false })

export const initContext = createMiddleware<AppEnv>((c, next) => {
  const stats = { roundTrips: 0 }
  c.set('databaseStats', stats)
  c.set('db', primary(c.env.DB, stats))
  c.set('replica', nearestReplica(c.env.DB, stats))
  c.set('settings', readSettings(c.env))
  return next()
})
