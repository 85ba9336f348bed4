import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Refused } from '../domain/errors.ts'
import { endpointOf } from './allowed-methods.ts'
import type { Behind, Inside } from './auth.ts'
import type { AppEnv } from './context.ts'
import { InvalidSettings } from './settings.ts'

/** Only words that cannot carry a value: our own, and the database's on its tables and constraints. */
const isSafeToLog = (error: Error): boolean =>
  error instanceof InvalidSettings ||
  error instanceof Refused ||
  error.message.startsWith('D1_ERROR')

/** What failed and where, without a message that could repeat a value. */
const describe = (thrown: Error) => {
  const error = thrown instanceof Refused && thrown.cause instanceof Error ? thrown.cause : thrown
  return {
    name: error.name,
    ...(isSafeToLog(error) && { message: error.message }),
    at: error.stack?.match(/^ +at .+$/gm)?.map((frame) => frame.trim()) ?? [],
  }
}

interface Line {
  request_id: string | null
  method: string
  /** The route's pattern; null where none answered. */
  route: string | null
  status: number
  duration_ms: number
  user_id: number | null
  /** How often the request has waited for the database. */
  round_trips: number
  error?: ReturnType<typeof describe>
}

/** One JSON line a request: never a body, a token, a path's or a query's values. */
const write = (line: Line): void => {
  const text = JSON.stringify(line)
  if (line.status >= 500) console.error(text)
  else console.log(text)
}

const isLegacyDown = (error: unknown): boolean =>
  error instanceof Refused && error.refusal === 'LEGACY_DOWN'

/** What is told of a request, by the way it went through the app. */
const lineOf = (c: Context<AppEnv>, status: number, start: number, error: unknown): Line => {
  const { requestId, tally, user, door } = c.var as AppEnv['Variables'] &
    Partial<Pick<Inside['Variables'], 'user'> & Pick<Behind['Variables'], 'door'>>
  return {
    request_id: requestId,
    method: c.req.method,
    route: endpointOf(c)?.path ?? (isLegacyDown(error) ? 'legacy' : null),
    status,
    duration_ms: Date.now() - start,
    user_id: (user ?? door?.user)?.id ?? null,
    round_trips: tally.roundTrips,
    ...(status >= 500 && error instanceof Error && { error: describe(error) }),
  }
}

export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const start = Date.now()
  await next()
  write(lineOf(c, c.res.status, start, c.error))
})

/** A second line for an answer that broke after it had begun. */
export const logBroken = (c: Context, error: unknown): void =>
  write(lineOf(c, 500, c.get('now').getTime(), error))

/** The same line for a request that the old installation answered. */
export const logPassedOn = (method: string, status: number, start: number): void =>
  write({
    request_id: null,
    method,
    route: 'legacy',
    status,
    duration_ms: Date.now() - start,
    user_id: null,
    round_trips: 0,
  })
