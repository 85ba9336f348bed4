import { requestId } from 'hono/request-id'
import { Refused } from './domain/refusal.ts'
import { answerError } from './http/answer/refusals.ts'
import { createApp, openWorld, readClock } from './http/context.ts'
import { allowOrigins, forbidCaching, protect } from './http/headers.ts'
import { limitBody } from './http/input/limit-body.ts'
import { logRequest } from './http/log-request.ts'
import { answerUnrouted, mapSite } from './http/site-map.ts'
import { auth } from './routes/auth.ts'
import { clients } from './routes/clients.ts'
import { health } from './routes/health.ts'
import { incidents } from './routes/incidents.ts'
import { review } from './routes/review.ts'

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
