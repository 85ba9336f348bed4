import { agreements } from './agreements/agreements.routes.ts'
import { clients } from './clients/clients.routes.ts'
import { clockActs } from './clocks/clock-acts.routes.ts'
import { clocks } from './clocks/clocks.routes.ts'
import { company } from './company/company.routes.ts'
import { DomainError } from './core/errors.ts'
import { collectAllowedMethods, notFound } from './core/http/allowed-methods.ts'
import { receiveBody } from './core/http/body-limit.ts'
import { createApp, initContext } from './core/http/context.ts'
import { handleError } from './core/http/error-responses.ts'
import { corsForBrowsers, setHeaders } from './core/http/headers.ts'
import { logRequest } from './core/http/request-log.ts'
import { audit } from './evidence/audit.routes.ts'
import { health } from './health/health.routes.ts'
import { intake } from './intake/intake.routes.ts'
import { logStatus } from './logs/log-status.routes.ts'
import { logs } from './logs/logs.routes.ts'
import { clockCorrections } from './payroll/clock-corrections.routes.ts'
import { closings } from './payroll/closings.routes.ts'
import { hours } from './payroll/hours.routes.ts'
import { ownClosings } from './payroll/own-closings.routes.ts'
import { rulesOfHours } from './payroll/rules-of-hours.routes.ts'
import { auth } from './people/auth.routes.ts'
import { employeeRecords } from './people/employee-records.routes.ts'
import { employees } from './people/employees.routes.ts'
import { settings } from './people/settings.routes.ts'
import { userRecords } from './people/users.routes.ts'
import { push } from './push/push.routes.ts'

/**
 * The middleware of all responses, except redirects to files and responses of the legacy API. Each
 * middleware that is added slows down every request.
 */
const baseMiddleware = [logRequest, setHeaders, initContext, corsForBrowsers] as const

export const app = createApp()
  .use(...baseMiddleware, receiveBody)
  .route('/', health)
  .basePath('/api')
  .route('/', health)
  .route('/auth', auth)
  .route('/v2/clients', clients)
  .route('/v2/incidents', logStatus)
  .route('/v2/incidents', logs)
  .route('/v2/incidents', intake)
  .route('/v2/incidents/clocks', clocks)
  .route('/v2/incidents/clocks', clockCorrections)
  .route('/v2/incidents/clocks', clockActs)
  .route('/v2/incidents', employees)
  .route('/v2/incidents', push)
  .route('/v2/incidents', settings)
  .route('/v2/incidents', hours)
  .route('/v2/incidents', closings)
  .route('/v2/incidents', ownClosings)
  .route('/v2/people', employeeRecords)
  .route('/v2/people', userRecords)
  .route('/v2/company', rulesOfHours)
  .route('/v2/company', company)
  .route('/v2/agreements', agreements)
  .route('/v2/audit', audit)

app.onError(handleError)
app.notFound(notFound(collectAllowedMethods(app.routes)))

/** Responds with 502, because the legacy API cannot be reached. `env.cause` is the error. */
export const legacyDown = createApp()
  .use(...baseMiddleware)
  .all('*', (c) => {
    throw new DomainError('LEGACY_DOWN', undefined, { cause: (c.env as { cause?: unknown }).cause })
  })
  .onError(handleError)
