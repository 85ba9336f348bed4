import { app, legacyDown } from './app.ts'
import { forwardToLegacy, legacyUrl, redirectToFile } from './core/http/other-servers.ts'
import { readSettings } from './core/http/settings.ts'
import { isSignedByUs } from './core/http/token.ts'
import { runScheduled } from './scheduled.ts'

export default {
  // Requests for the legacy API and for files are answered before the app runs, because the app's
  // rules on CORS, caching and body size do not apply to them.
  fetch: (request, env, ctx) => {
    const redirect = redirectToFile(request, env)
    if (redirect) return redirect
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
