import { app, methodsOf } from './app.ts'
import { passOn } from './http/legacy.ts'

export default {
  // Ahead of the app, and so ahead of its CORS, caching and size rules.
  fetch: async (request, env, ctx) =>
    (await passOn(request, env, methodsOf)) ?? app.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>
