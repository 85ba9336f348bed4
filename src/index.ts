import { answerLegacyDown, app, methodsOf } from './app.ts'
import { legacyTarget, passOn } from './http/legacy.ts'

export default {
  // The pass-through stands ahead of the app, and so ahead of its CORS, caching and size rules.
  fetch: (request, env, ctx) => {
    const target = legacyTarget(request, env, methodsOf)
    if (!target) return app.fetch(request, env, ctx)
    const { method, headers } = request
    return passOn(request, target).catch((error: unknown) =>
      // The body may be used up: only the request's head matters to this answer.
      answerLegacyDown(error).fetch(new Request(request.url, { method, headers }), env, ctx),
    )
  },
} satisfies ExportedHandler<Env>
