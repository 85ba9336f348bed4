import { failure } from './envelope.ts'
import { logPassedOn } from './log-request.ts'
import { readSettings, type SettingsSource } from './settings.ts'
import type { SiteMap } from './site-map.ts'

/** Bad settings are for the app to answer. */
const legacyOrigin = (env: SettingsSource): string | undefined => {
  try {
    return readSettings(env).LEGACY_ORIGIN
  } catch {
    return undefined
  }
}

/** Where to pass a request on to: a path of the API that is not ours, whatever the method. */
const targetOf = (
  request: Request,
  env: SettingsSource,
  methodsOf: SiteMap,
): string | undefined => {
  const origin = legacyOrigin(env)
  if (!origin) return undefined
  const { pathname, search } = new URL(request.url)
  const foreign = /^\/api(\/|$)/.test(pathname) && methodsOf(request).length === 0
  return foreign ? `${origin}${pathname}${search}` : undefined
}

/**
 * Passes what only the old installation knows on to it: method, path, query, headers and body as
 * they came, and its answer as it comes, redirects included. Undefined where the request is ours.
 */
export const passOn = async (
  request: Request,
  env: SettingsSource,
  methodsOf: SiteMap,
): Promise<Response | undefined> => {
  const target = targetOf(request, env, methodsOf)
  if (!target) return undefined

  const start = Date.now()
  try {
    const answer = await fetch(target, new Request(request, { redirect: 'manual' }))
    logPassedOn(request.method, answer.status, start)
    return answer
  } catch (error) {
    logPassedOn(request.method, 502, start, error as Error)
    return Response.json(
      failure('El sistema anterior no responde. Inténtalo de nuevo más tarde.'),
      {
        status: 502,
        headers: { 'Cache-Control': 'no-store' },
      },
    )
  }
}
