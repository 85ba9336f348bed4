import { requestId } from 'hono/request-id'
import { Refused } from './domain/errors.ts'
import { answerUnrouted, mapSite } from './http/allowed-methods.ts'
import { limitBody } from './http/body-limit.ts'
import { createApp, openWorld, readClock } from './http/context.ts'
import { answerError } from './http/errors.ts'
import { allowOrigins, forbidCaching, protect } from './http/headers.ts'
import { logRequest } from './http/request-log.ts'
import { auth } from './routes/auth.ts'
import { clients } from './routes/clients.ts'
import { health } from './routes/health.ts'
import { incidents } from './routes/log-status.ts'
import { review } from './routes/logs.ts'

/** What stands on every answer of ours, whatever it is. */
const conversation = [
  requestId(),
  logRequest,
  protect,
  forbidCaching,
  openWorld,
  allowOrigins,
] as const

export const app = createApp()
  .use(...conversation, limitBody, readClock)
  .route('/', health)
  .basePath('/api')
  .route('/auth', auth)
  .route('/v2/clients', clients)
  .route('/v2/incidents', incidents)
  .route('/v2/incidents', review)

/** Which methods a path has here; what has none is not ours. */
export const methodsOf = mapSite(app.routes)

app.onError(answerError)
app.notFound(answerUnrouted(methodsOf))

/** The answer where the old installation gives none. */
export const answerLegacyDown = (cause: unknown) =>
  createApp()
    .use(...conversation)
    .all('*', () => {
      throw new Refused('LEGACY_DOWN', { cause })
    })
    .onError(answerError)
