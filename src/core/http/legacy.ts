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
 * A path decoded, if all of its names are plain; undefined where a lenient server could read
 * another path than we do. A trailing slash is allowed, an empty name is not.
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

/** It echoes the request, with the caller's token, to whoever sent it. */
const ECHO_METHOD = 'TRACE'

/** The URL to forward a request to, if its path is under /api but not one of the app's. */
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
  // Some servers ignore case, or take look-alikes such as full-width letters for ASCII.
  if (isOwnPath(path) || isOwnPath(path.normalize('NFKC').toLowerCase())) return undefined
  return `${origin}${pathname}${search}`
}

/**
 * Headers that override the path, the method or the origin of a request. Only a proxy in front of the
 * legacy API may set them.
 */
const OVERRIDES =
  /^(x-(original|rewrite)-url|x-(http-)?method(-override)?|forwarded|x-forwarded-.*)$/i

/** A text that may be a token. */
const TOKEN = /[\w+/-]+\.[\w+/-]+\.[\w+/-]+/g

/**
 * The headers to forward: those of the caller without the overrides, and without a token of ours,
 * which the legacy API does not know and could use here.
 */
const forwardedHeaders = async (
  headers: Headers,
  isOwnToken: (text: string) => Promise<boolean>,
): Promise<Headers> => {
  const forwarded = new Headers(headers)
  for (const name of headers.keys()) {
    // Some servers take an underscore for a hyphen.
    if (OVERRIDES.test(name.replaceAll('_', '-'))) forwarded.delete(name)
  }
  const tokens = headers.get('Authorization')?.match(TOKEN) ?? []
  const isOwn = await Promise.all(tokens.map(isOwnToken))
  if (isOwn.includes(true)) forwarded.delete('Authorization')
  return forwarded
}

/** Forwards a request to the legacy API and returns the response, unchanged, redirects included. */
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
