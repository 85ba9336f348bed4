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

/** No path of the app has more names. */
const NAMES_MAX = 12

const isScript = (name: string): boolean => name.includes('.')

const withoutExtension = (name: string): string => name.replace(/[. ].*/, '')

/**
 * The paths that a front controller may take this one for. It ignores extensions, and what follows
 * a blank. A name with an extension, such as `app.php`, may be a front controller, and so may the
 * next ones, unless they are last.
 */
const routedPaths = (path: string): string[] => {
  const names = path.split('/').filter((name) => !TAKEN_AWAY.has(withoutExtension(name)))
  const scripts = names.flatMap((name, i) => (isScript(name) && i < names.length - 1 ? [i] : []))
  const paths: string[] = []
  for (let count = Math.max(0, names.length - NAMES_MAX); count <= scripts.length; count++) {
    const skipped = new Set(scripts.slice(0, count))
    const rest = names.filter((_, i) => !skipped.has(i)).map(withoutExtension)
    paths.push(`/api${rest.join('/')}`)
  }
  return paths
}

/** The paths in the query of a front controller: `/api/index.php?/auth/login`, `/api/?r=auth/login`. */
const queriedPaths = (path: string, search: string): string[] => {
  const names = path.split('/').filter((name) => name !== '' && !TAKEN_AWAY.has(name))
  if (!names.every(isScript)) return []
  const texts = new Set([...new URLSearchParams(search)].flat())
  const split = [...texts].map((text) => text.split(/[/\\]/))
  return split.map((parts) => `/${parts.filter((part) => !['', '.'].includes(part)).join('/')}`)
}

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
    allowedMethods({ url: `https://checada${encodeURI(address)}` }).length > 0
  // Some servers ignore case, or treat look-alikes such as full-width letters as ASCII.
  const fold = (text: string) => text.normalize('NFKC').toLowerCase()
  const addresses = [path, ...queriedPaths(fold(path), search)].map(fold)
  if ([path, ...addresses, ...addresses.flatMap(routedPaths)].some(isOwnPath)) return undefined
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
