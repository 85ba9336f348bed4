import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { TokenClaims } from '../db/caller.queries.ts'
import { type DatabaseStats, sizeWarning } from '../db/d1.ts'
import { DomainError, ERRORS, type FailureCode } from '../errors.ts'
import { LoggableError } from '../values/loggable-error.ts'
import { type AppEnv, endpointOf } from './context.ts'
import { keyedHash } from './keyed-hash.ts'
import type { Settings } from './settings.ts'

/** The messages of D1 name tables and constraints, but never values. */
const isLoggable = (error: Error): boolean =>
  error instanceof LoggableError || error.message.startsWith('D1_ERROR')

/** The cause of this code is an error of D1, also where it lacks D1's prefix. */
const isOfDatabase = (thrown: Error): boolean =>
  thrown instanceof DomainError && thrown.code === 'DATABASE_BUSY'

/** The error for the log. Its message is left out if it could repeat a value of the request. */
export const describeError = (thrown: Error) => {
  const error =
    thrown instanceof DomainError && thrown.cause instanceof Error ? thrown.cause : thrown
  return {
    name: error.name,
    ...((isLoggable(error) || isOfDatabase(thrown)) && { message: error.message }),
    at: error.stack?.match(/^ +at .+$/gm)?.map((frame) => frame.trim()) ?? [],
  }
}

interface LogLine {
  request_id: string | null
  method: string
  /** The route's pattern. Null for an unknown path. */
  route: string | null
  status: number
  duration_ms: number
  /** The user of the token, or who has just signed in. */
  user_id: number | null
  /** The code of a failure. */
  code?: FailureCode
  /** Keyed hashes of who was not signed in. */
  account?: string
  address?: string
  /** The round trips to the database. */
  round_trips: number
  database_bytes?: number
  warning?: string
  error?: ReturnType<typeof describeError>
}

/** Writes a JSON line, which never has a body, a token, or the values of a path or query. */
const write = (line: LogLine): void => {
  const text = JSON.stringify(line)
  if (line.status >= 500) console.error(text)
  else if (line.warning) console.warn(text)
  else console.log(text)
}

const isLegacyDown = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'LEGACY_DOWN'

const databaseSize = (
  bytes: number | undefined,
  settings: Settings | undefined,
): Pick<LogLine, 'database_bytes' | 'warning'> => {
  if (bytes === undefined || !settings) return {}
  const warning = sizeWarning(bytes, settings)
  return { database_bytes: bytes, ...(warning && { warning: warning.text }) }
}

/** The keyed hashes of a refused attempt to sign in, or to guess a code. */
const refusedAttempt = async (
  c: Context<AppEnv>,
  status: number,
): Promise<Pick<LogLine, 'account' | 'address'>> => {
  const { account, address } = c.get('attempt') ?? {}
  if (status < 400 || !address) return {}
  const settings = c.get('settings')
  return {
    ...(account && { account: await keyedHash(settings, `account ${account}`) }),
    address: await keyedHash(settings, `address ${address}`),
  }
}

/** Clocks get no code in their answers. */
const codeOf = (c: Context<AppEnv>, error: unknown): FailureCode | undefined =>
  c.get('failureCode') ?? (error instanceof DomainError ? error.code : undefined)

const logLine = (c: Context<AppEnv>, status: number, start: number, error: unknown): LogLine => {
  const stats: DatabaseStats | undefined = c.get('databaseStats')
  const claims: TokenClaims | undefined = (c as Context).get('claims')
  const code = status < 400 ? undefined : codeOf(c, error)
  return {
    request_id: c.get('requestId'),
    method: c.req.method,
    route: endpointOf(c)?.path ?? (isLegacyDown(error) ? 'legacy' : null),
    status,
    duration_ms: Date.now() - start,
    user_id: claims?.userId ?? c.get('signedInId') ?? null,
    ...(code && { code }),
    round_trips: stats?.roundTrips ?? 0,
    ...databaseSize(stats?.bytes, c.get('settings')),
    ...(status >= 500 && error instanceof Error && { error: describeError(error) }),
  }
}

/**
 * The id that the caller has given to the request, or else a new id. An id has 1 to 255 letters,
 * digits, `_`, `-` or `=`.
 */
const requestIdOf = (c: Context): string => {
  const given = c.req.header('X-Request-Id')
  return given && /^[\w\-=]{1,255}$/.test(given) ? given : crypto.randomUUID()
}

export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const start = Date.now()
  c.set('requestId', requestIdOf(c))
  await next()
  const { status } = c.res
  write({ ...logLine(c, status, start, c.error), ...(await refusedAttempt(c, status)) })
})

/** The client has stopped reading an export, which is not a failure of the service. */
export class StalledExport extends Error {
  override name = 'StalledExport'
}

/** The status to log for a response that broke after it had begun. */
const statusOfBreak = (error: unknown): number => {
  if (error instanceof DomainError) return ERRORS[error.code].status
  return error instanceof StalledExport ? 408 : 500
}

/** Writes a second line for a response that broke after it had begun. */
export const logBrokenStream = (c: Context, error: unknown): void =>
  write(logLine(c, statusOfBreak(error), c.get('now').getTime(), error))

/** Writes the line of a request that was forwarded to the legacy API or redirected to a file. */
export const logForwarded = (
  route: 'legacy' | 'files',
  method: string,
  status: number,
  start: number,
): void =>
  write({
    request_id: null,
    method,
    route,
    status,
    duration_ms: Date.now() - start,
    user_id: null,
    round_trips: 0,
  })
