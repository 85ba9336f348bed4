import type { AllowedMethods } from './allowed-methods.ts'
import { logForwarded } from './request-log.ts'
import { readSettings, type SettingsSource } from './settings.ts'

/** Invalid settings are reported by the app. */
const legacyOrigin = (env: SettingsSource): string | undefined => {
  try {
    return readSettings(env).LEGACY_ORIGIN
  } catch {
    return undefined
  }
}

/** A path of the API: the legacy API never gets another one, whatever it is named. */
const API_PATH = /^\/api(\/|$)/

/**
 * A name in a path, once decoded, that every server reads alike: no control character, no second
 * encoding, no matrix parameter, no backslash, and no dot or space that some servers trim.
 */
const PLAIN_NAME =
  /^[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-]([\p{L}\p{M}\p{N}_~!$&'()*+,=:@. -]*[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-])?$/u

/**
 * A path decoded, if all of its names are plain; undefined where a lenient server could read another
 * path than we do. A trailing slash is allowed, an empty name is not.
 */
const plainPath = (pathname: string): string | undefined => {
  try {
    const [root, ...names] = decodeURIComponent(pathname).replace(/\/$/, '').split('/')
    const isPlain = root === '' && names.every((name) => PLAIN_NAME.test(name))
    return isPlain ? `/${names.join('/')}` : undefined
  } catch {
    return undefined
  }
}

/** The URL to forward a request to, if its path is under /api but not one of the app's. */
export const legacyUrl = (
  request: Request,
  env: SettingsSource,
  allowedMethods: AllowedMethods,
): string | undefined => {
  const origin = legacyOrigin(env)
  if (!origin) return undefined
  const { pathname, search } = new URL(request.url)
  const path = plainPath(pathname)
  if (!path || !API_PATH.test(pathname) || !API_PATH.test(path)) return undefined
  const isOwnPath = (address: string) =>
    allowedMethods(new Request(new URL(encodeURI(address), request.url))).length > 0
  // Some servers ignore case, or take look-alikes such as full-width letters for ASCII.
  if (isOwnPath(path) || isOwnPath(path.normalize('NFKC').toLowerCase())) return undefined
  return `${origin}${pathname}${search}`
}

/** Forwards a request to the legacy API and returns the response, unchanged, redirects included. */
export const forward = async (request: Request, target: string): Promise<Response> => {
  const start = Date.now()
  const response = await fetch(target, new Request(request, { redirect: 'manual' }))
  logForwarded(request.method, response.status, start)
  return response
}
