import { DomainError } from './domain/core/errors.ts'
import { collectAllowedMethods, notFound } from './http/core/allowed-methods.ts'
import { receiveBody } from './http/core/body-limit.ts'
import { createApp, initContext } from './http/core/context.ts'
import { handleError } from './http/core/errors.ts'
import { corsForBrowsers, setHeaders } from './http/core/headers.ts'
import { logRequest } from './http/core/request-log.ts'
import { clients } from './routes/core/clients.ts'
import { health } from './routes/core/health.ts'
import { settings } from './routes/core/settings.ts'
import { audit } from './routes/evidence/audit.ts'
import { intake } from './routes/intake/intake.ts'
import { logStatus } from './routes/logs/log-status.ts'
import { logs } from './routes/logs/logs.ts'
import { closings } from './routes/payroll/closings.ts'
import { hours } from './routes/payroll/hours.ts'
import { auth } from './routes/people/auth.ts'
import { employees } from './routes/people/employees.ts'

/** Middleware of every response; each one more costs every request. */
const baseMiddleware = [logRequest, setHeaders, initContext, corsForBrowsers] as const

export const app = createApp()
  .use(...baseMiddleware, receiveBody)
  .route('/', health)
  .basePath('/api')
  .route('/auth', auth)
  .route('/v2/clients', clients)
  .route('/v2/incidents', logStatus)
  .route('/v2/incidents', logs)
  .route('/v2/incidents', intake)
  .route('/v2/incidents', employees)
  .route('/v2/incidents', settings)
  .route('/v2/incidents', hours)
  .route('/v2/incidents', closings)
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
