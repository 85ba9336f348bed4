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

const DECODINGS_MAX = 8

/** Decodes until nothing changes, so that repeated encoding hides no path; '' after too many. */
const decodeWhole = (text: string, left = DECODINGS_MAX): string => {
  let decoded = text
  try {
    decoded = decodeURIComponent(text)
  } catch {
    return text
  }
  if (decoded === text) return text
  return left === 0 ? '' : decodeWhole(decoded, left - 1)
}

/**
 * Normalizes a path the way the most lenient server might: decoding, trimming, merging slashes,
 * ignoring case. Used only to decide; the forwarded path is untouched.
 */
const normalizePath = (pathname: string): string => {
  const segments: string[] = []
  for (const raw of decodeWhole(pathname).replaceAll('\\', '/').toLowerCase().split('/')) {
    const segment = raw.replace(/;.*$/s, '').replace(/^[\s\0]+|[\s\0]+$/g, '')
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment.replace(/\.+$/, ''))
  }
  return `/${segments.filter((segment) => segment !== '').join('/')}`
}

const isApiPath = (path: string): boolean => /^\/api(\/|$)/.test(path)

/** The URL to forward a request to, if its path is under /api but not one of the app's. */
export const legacyUrl = (
  request: Request,
  env: SettingsSource,
  allowedMethods: AllowedMethods,
): string | undefined => {
  const origin = legacyOrigin(env)
  if (!origin) return undefined
  const { pathname, search } = new URL(request.url)
  const path = normalizePath(pathname)
  const isOwnPath = (address: string) =>
    allowedMethods(new Request(new URL(address, request.url))).length > 0
  const isLegacy =
    isApiPath(pathname) && isApiPath(path) && !isOwnPath(pathname) && !isOwnPath(encodeURI(path))
  return isLegacy ? `${origin}${pathname}${search}` : undefined
}

/** Forwards a request to the legacy API and returns the response, unchanged, redirects included. */
export const forward = async (request: Request, target: string): Promise<Response> => {
  const start = Date.now()
  const response = await fetch(target, new Request(request, { redirect: 'manual' }))
  logForwarded(request.method, response.status, start)
  return response
}
