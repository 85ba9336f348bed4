import { requestId } from 'hono/request-id'
import { createApp, openWorld } from './http/context.ts'
import { allowOrigins, forbidCaching, protect } from './http/headers.ts'
import { limitBody } from './http/limit-body.ts'
import { logRequest } from './http/log-request.ts'
import { answerError } from './http/refusals.ts'
import { answerUnrouted, mapSite } from './http/site-map.ts'
import { auth } from './routes/auth.ts'
import { clients } from './routes/clients.ts'
import { health } from './routes/health.ts'
import { incidents } from './routes/incidents.ts'

export const app = createApp()
  .use(requestId(), logRequest, protect, forbidCaching, openWorld, allowOrigins, limitBody)
  .route('/', health)
  .basePath('/api')
  .route('/auth', auth)
  .route('/v2/clients', clients)
  .route('/v2/incidents', incidents)

/** Which methods a path has here; what has none is not ours. */
export const methodsOf = mapSite(app.routes)

app.onError(answerError)
app.notFound(answerUnrouted(methodsOf))
