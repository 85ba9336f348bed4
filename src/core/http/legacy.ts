import type { AllowedMethods } from './allowed-methods.ts'
import { logForwarded } from './request-log.ts'
import { readSettings, type SettingsSource } from './settings.ts'

/** Returns undefined for invalid settings, because the app reports them. */
const legacyOrigin = (env: SettingsSource): string | undefined => {
  try {
    return readSettings(env).LEGACY_ORIGIN
  } catch {
    return undefined
  }
}

/** Only paths of the API are forwarded to the legacy API. */
const API_PATH = /^\/api(\/|$)/

/**
 * A decoded name in a path that every server reads in the same way. It has no control character,
 * second encoding, matrix parameter or backslash, and no dot or space at an end that servers trim.
 */
const PLAIN_NAME =
  /^[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-]([\p{L}\p{M}\p{N}_~!$&'()*+,=:@. -]*[\p{L}\p{M}\p{N}_~!$&'()*+,=:@-])?$/u

/**
 * Decodes a path. Returns undefined if a lenient server could read it as a different path. A slash
 * at the end is allowed, but an empty name is not.
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

/** Names, without their extension, that a front controller leaves out of the path. */
const TAKEN_AWAY = new Set(['api', 'public', 'index'])

/**
 * The paths that a front controller may take this one for. It ignores extensions, and what follows
 * a blank. The first name with an extension, such as `app.php`, may be the front controller, unless
 * it is last.
 */
const routedPaths = (path: string): string[] =>
  [path, path.replace(/\/[^/.]+\.[^/]*(?=\/)/, '')].map((address) => {
    const names = address.split('/').map((name) => name.replace(/[. ].*/, ''))
    return `/api${names.filter((name) => !TAKEN_AWAY.has(name)).join('/')}`
  })

/** A TRACE response repeats the request, and with it the caller's token. */
const ECHO_METHOD = 'TRACE'

/**
 * The URL to which a request is forwarded. Undefined unless its path is under /api and not one of
 * the app's.
 */
export const legacyUrl = (
  request: Request,
  env: SettingsSource,
  allowedMethods: AllowedMethods,
): string | undefined => {
  const origin = legacyOrigin(env)
  if (!origin || request.method === ECHO_METHOD) return undefined
  const { pathname, search } = new URL(request.url)
  const path = plainPath(pathname)
  if (!path || !API_PATH.test(pathname) || !API_PATH.test(path)) return undefined
  const isOwnPath = (address: string) =>
    allowedMethods(new Request(new URL(encodeURI(address), request.url))).length > 0
  // Some servers ignore case, or treat look-alikes such as full-width letters as ASCII.
  const folded = path.normalize('NFKC').toLowerCase()
  if (isOwnPath(path) || [folded, ...routedPaths(folded)].some(isOwnPath)) return undefined
  return `${origin}${pathname}${search}`
}

/**
 * Headers that override the path, method or origin of a request. Only a proxy in front of the
 * legacy API may set them.
 */
const OVERRIDE_HEADERS =
  /^(x-(original|rewrite)-url|x-(http-)?method(-override)?|forwarded|x-forwarded-.*)$/i

/** Finds texts that may be tokens. */
const TOKEN_LIKE = /[\w+/-]+\.[\w+/-]+\.[\w+/-]+/g

/**
 * The headers to forward. Overrides are removed. A token of this service is removed too, because
 * the legacy API could misuse it.
 */
const forwardedHeaders = async (
  headers: Headers,
  isOwnToken: (text: string) => Promise<boolean>,
): Promise<Headers> => {
  const forwarded = new Headers(headers)
  for (const name of headers.keys()) {
    // Some servers treat an underscore as a hyphen.
    if (OVERRIDE_HEADERS.test(name.replaceAll('_', '-'))) forwarded.delete(name)
  }
  const tokens = headers.get('Authorization')?.match(TOKEN_LIKE) ?? []
  const isOwn = await Promise.all(tokens.map(isOwnToken))
  if (isOwn.includes(true)) forwarded.delete('Authorization')
  return forwarded
}

/** Forwards a request to the legacy API and returns its response unchanged, including redirects. */
export const forward = async (
  request: Request,
  target: string,
  isOwnToken: (text: string) => Promise<boolean>,
): Promise<Response> => {
  const start = Date.now()
  const headers = await forwardedHeaders(request.headers, isOwnToken)
  const response = await fetch(target, new Request(request, { headers, redirect: 'manual' }))
  logForwarded(request.method, response.status, start)
  return response
}
