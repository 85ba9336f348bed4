import { createMiddleware } from 'hono/factory'
import { Refused } from '../domain/refusal.ts'
import type { AppEnv } from './context.ts'
import { InvalidSettings } from './settings.ts'
import { endpointOf } from './site-map.ts'

/** Only words that cannot carry a value: our own, and the database's on its tables and constraints. */
const isSafeToLog = ({ message }: Error): boolean => message.startsWith('D1_ERROR')

/** What failed and where, without a message that could repeat a value. */
const describe = (thrown: Error) => {
  const error = thrown instanceof Refused && thrown.cause instanceof Error ? thrown.cause : thrown
  return {
    name: error.name,
    ...((error instanceof InvalidSettings || isSafeToLog(error)) && { message: error.message }),
    at: error.stack?.match(/^ +at .+$/gm)?.map((frame) => frame.trim()) ?? [],
  }
}

/** One JSON line a request: never a body, a token, a path's or a query's values. */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const start = Date.now()
  await next()
  const { status } = c.res
  const { user } = c.var as { user?: { id: number } }
  const failed = status >= 500
  const line = JSON.stringify({
    request_id: c.var.requestId,
    method: c.req.method,
    route: endpointOf(c)?.path ?? null,
    status,
    duration_ms: Date.now() - start,
    user_id: user?.id ?? null,
    ...(failed && c.error && { error: describe(c.error) }),
  })
  if (failed) console.error(line)
  else console.log(line)
})
