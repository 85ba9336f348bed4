import { appFor, legacyDown } from './app.ts'
import { forwardToLegacy, legacyUrl, redirectToFile } from './core/http/other-servers.ts'
import { clockPath, refuseHttp } from './core/http/plain-http.ts'
import { readSettings } from './core/http/settings.ts'

export default {
  // Requests of clocks, for the legacy API and for files are answered before the app runs, because
  // the app's rules on CORS, caching and body size do not apply to them.
  fetch: async (request, env, ctx) => {
    if (clockPath(request) !== undefined) {
      const { clockPush } = await import('./clocks/adms/adms.routes.ts')
      return clockPush.fetch(request, env, ctx)
    }
    const answer = refuseHttp(request) ?? redirectToFile(request, env)
    if (answer) return answer
    const url = legacyUrl(request, env)
    if (!url) return (await appFor(request)).fetch(request, env, ctx)
    const { isSignedByUs } = await import('./core/http/token.ts')
    const isServiceToken = (text: string) => isSignedByUs(text, readSettings(env))
    return forwardToLegacy(request, url, isServiceToken).catch((cause: unknown) =>
      legacyDown(request, env, ctx, cause),
    )
  },
  scheduled: async ({ cron }, env) => {
    const { runScheduled } = await import('./scheduled.ts')
    await runScheduled(env, cron, () => new Date())
  },
} satisfies ExportedHandler<Env>
