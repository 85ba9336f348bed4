import type { SiteMap } from './allowed-methods.ts'
import { logPassedOn } from './request-log.ts'
import { readSettings, type SettingsSource } from './settings.ts'

/** Bad settings are for the app to answer. */
const legacyOrigin = (env: SettingsSource): string | undefined => {
  try {
    return readSettings(env).LEGACY_ORIGIN
  } catch {
    return undefined
  }
}

const DECODINGS_MAX = 8

/** Decodes until nothing changes, so that no number of encodings hides a path; too many are none. */
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
 * The path that the most lenient server might see in this one: the old installation may decode,
 * trim, merge slashes or fold case where we do not. For the decision alone; what is passed on stays
 * as it came.
 */
const lenientPath = (pathname: string): string => {
  const segments: string[] = []
  for (const raw of decodeWhole(pathname).replaceAll('\\', '/').toLowerCase().split('/')) {
    const segment = raw.replace(/;.*$/s, '').replace(/^[\s\0]+|[\s\0]+$/g, '')
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment.replace(/\.+$/, ''))
  }
  return `/${segments.filter((segment) => segment !== '').join('/')}`
}

const isOfTheApi = (path: string): boolean => /^\/api(\/|$)/.test(path)

/** Where to pass a request on to: a path of the API that is not ours, whatever the method. */
export const legacyTarget = (
  request: Request,
  env: SettingsSource,
  methodsOf: SiteMap,
): string | undefined => {
  const origin = legacyOrigin(env)
  if (!origin) return undefined
  const { pathname, search } = new URL(request.url)
  const path = lenientPath(pathname)
  const ours = (address: string) => methodsOf(new Request(new URL(address, request.url))).length > 0
  const foreign =
    isOfTheApi(pathname) && isOfTheApi(path) && !ours(pathname) && !ours(encodeURI(path))
  return foreign ? `${origin}${pathname}${search}` : undefined
}

/**
 * Passes a request on to the old installation: method, path, query, headers and body as they came,
 * and its answer as it comes, redirects included.
 */
export const passOn = async (request: Request, target: string): Promise<Response> => {
  const start = Date.now()
  const answer = await fetch(target, new Request(request, { redirect: 'manual' }))
  logPassedOn(request.method, answer.status, start)
  return answer
}
