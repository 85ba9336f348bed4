import { app, legacyDown } from './app.ts'
import { clockPush } from './clocks/push.routes.ts'
import { forwardToLegacy, legacyUrl, redirectToFile } from './core/http/other-servers.ts'
import { clockPath, refuseHttp } from './core/http/plain-http.ts'
import { readSettings } from './core/http/settings.ts'
import { isSignedByUs } from './core/http/token.ts'
import { runScheduled } from './scheduled.ts'

export default {
  // Requests of clocks, for the legacy API and for files are answered before the app runs, because
  // the app's rules on CORS, caching and body size do not apply to them.
  fetch: (request, env, ctx) => {
    if (clockPath(request) !== undefined) return clockPush.fetch(request, env, ctx)
    const answer = refuseHttp(request) ?? redirectToFile(request, env)
    if (answer) return answer
    const url = legacyUrl(request, env)
    if (!url) return app.fetch(request, env, ctx)
    // The body may have been consumed, but the 502 needs only the method and the headers.
    const { method, headers } = request
    const isServiceToken = (text: string) => isSignedByUs(text, readSettings(env))
    return forwardToLegacy(request, url, isServiceToken).catch((cause: unknown) =>
      legacyDown.fetch(new Request(request.url, { method, headers }), { ...env, cause }, ctx),
    )
  },
  scheduled: ({ cron }, env) => runScheduled(env, cron, () => new Date()),
} satisfies ExportedHandler<Env>
