import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { fullBytes, memoryOf } from '../db/d1.ts'
import { DomainError } from '../errors.ts'
import type { UserEnv } from './context.ts'

/** Whether the database was almost full when D1 last reported its size. */
export const isDatabaseFull = (c: Context): boolean => {
  const { bytes = 0 } = memoryOf(c.env.DB)
  return bytes >= fullBytes(c.get('settings'))
}

/**
 * Responds with 507 while the database is almost full. It is for requests that add logs, people or
 * texts. What ends or narrows somebody's access goes on.
 */
export const requireDatabaseRoom = createMiddleware<UserEnv>(async (c, next) => {
  if (isDatabaseFull(c)) throw new DomainError('DATABASE_FULL')
  await next()
})
