import { requestId } from 'hono/request-id'
import { DomainError } from './domain/errors.ts'
import { collectAllowedMethods, notFound } from './http/allowed-methods.ts'
import { bodyLimit } from './http/body-limit.ts'
import { createApp, initContext, setNow } from './http/context.ts'
import { handleError } from './http/errors.ts'
import { corsForBrowsers, jsonCharset, noStore, securityHeaders } from './http/headers.ts'
import { logRequest } from './http/request-log.ts'
import { audit } from './routes/audit.ts'
import { auth } from './routes/auth.ts'
import { clients } from './routes/clients.ts'
import { employees } from './routes/employees.ts'
import { health } from './routes/health.ts'
import { intake } from './routes/intake.ts'
import { logStatus } from './routes/log-status.ts'
import { logs } from './routes/logs.ts'
import { payroll } from './routes/payroll.ts'
import { settings } from './routes/settings.ts'

/** Middleware of every response. */
const baseMiddleware = [
  requestId(),
  logRequest,
  securityHeaders,
  noStore,
  jsonCharset,
  initContext,
  corsForBrowsers,
] as const

export const app = createApp()
  .use(...baseMiddleware, bodyLimit, setNow)
  .route('/', health)
  .basePath('/api')
  .route('/auth', auth)
  .route('/v2/clients', clients)
  .route('/v2/incidents', logStatus)
  .route('/v2/incidents', logs)
  .route('/v2/incidents', intake)
  .route('/v2/incidents', employees)
  .route('/v2/incidents', settings)
  .route('/v2/incidents', payroll)
  .route('/v2/audit', audit)

export const allowedMethods = collectAllowedMethods(app.routes)

app.onError(handleError)
app.notFound(notFound(allowedMethods))

/** Returns a 502 while the legacy API is unreachable; `env.cause` is the error, for the log. */
export const legacyDown = createApp()
  .use(...baseMiddleware)
  .all('*', (c) => {
    throw new DomainError('LEGACY_DOWN', { cause: (c.env as { cause?: unknown }).cause })
  })
  .onError(handleError)
