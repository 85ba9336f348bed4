import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RequestIdVariables } from 'hono/request-id'
import { nearest, primary, type Tally } from '../db/d1.ts'
import type { D1 } from '../db/query.ts'
import { readSettings, type Settings } from './settings.ts'

/** The world of one request, read once. */
interface World {
  db: D1
  /** The replica nearest to the caller. */
  replica: D1
  tally: Tally
  now: Date
  settings: Settings
}

export interface AppEnv {
  Bindings: Env
  Variables: World & RequestIdVariables
}

/** An app of this service, or a group of its routes. A trailing slash is accepted. */
export const createApp = () => new Hono<AppEnv>({ strict: false })

export const openWorld = createMiddleware<AppEnv>(async (c, next) => {
  const tally = { roundTrips: 0 }
  c.set('tally', tally)
  c.set('db', primary(c.env.DB, tally))
  c.set('replica', nearest(c.env.DB, tally))
  c.set('settings', readSettings(c.env))
  await next()
})

/** The request's one clock, read when all of the request is here. */
export const readClock = createMiddleware<AppEnv>(async (c, next) => {
  c.set('now', new Date())
  await next()
})
