import type { AllowedMethods } from './allowed-methods.ts'
import { plainPath } from './plain-path.ts'
import { logForwarded } from './request-log.ts'
import { type SettingsSource, settingsIfValid } from './settings.ts'

/** Only requests with these paths are forwarded. */
const API_PATH = /^\/api(\/|$)/

/** Names, without their extension, that a front controller leaves out of the path. */
const TAKEN_AWAY = new Set(['api', 'public', 'index'])

/**
 * Names that are left out only if the path has a script: default documents, and the folders of a
 * server.
 */
const BESIDE_SCRIPTS = new Set('default web webroot public_html htdocs www cgi-bin'.split(' '))

/** No path of the app has more segments. */
const NAMES_MAX = 12

const isScript = (name: string): boolean => name.includes('.')

/** Trying many scripts as front controllers would take long. Real paths have few scripts. */
const hasTooManyScripts = (path: string): boolean =>
  path.split('/').filter(isScript).length > NAMES_MAX

/**
 * The letters, digits, hyphens and underscores at the beginning of a name. Servers ignore an
 * extension, or what follows a blank or a sign, and ASP.NET ignores a whole name in parentheses.
 */
const beginningOf = (name: string): string => name.trim().replace(/[^\p{L}\p{N}_-].*/u, '')

/**
 * The paths to which front controllers may route this path. Each segment with an extension, such as
 * `app.php`, may be a front controller, which is left out. Or the segment may be the target, which
 * ends the path.
 */
const routedPaths = (path: string): string[] => {
  const hasScript = isScript(path)
  const isTakenAway = (name: string) =>
    name === '' || TAKEN_AWAY.has(name) || (hasScript && BESIDE_SCRIPTS.has(name))
  const names = path
    .split('/')
    .map((text) => ({ name: beginningOf(text), isScript: isScript(text) }))
    .filter(({ name }) => !isTakenAway(name))
  const scripts = names.flatMap((one, i) => (one.isScript && i < names.length - 1 ? [i] : []))
  const paths: string[] = []
  for (let count = 0; count <= scripts.length; count++) {
    const skipped = new Set(scripts.slice(0, count))
    const rest = names.filter((_, i) => !skipped.has(i)).slice(0, NAMES_MAX)
    const ends = rest.flatMap((one, i) => (one.isScript ? [i + 1] : []))
    for (const end of new Set([...ends, rest.length])) {
      const path = rest.slice(0, end).map(({ name }) => name)
      paths.push(`/api/${path.join('/')}`)
    }
  }
  return paths
}

/**
 * Resolves a path in a query as lenient front controllers do. They decode the path a second time.
 */
const queriedPath = (text: string): string => {
  try {
    return decodeURIComponent(new URL(`http://x/${decodeURIComponent(text)}`).pathname)
  } catch {
    return text
  }
}

/**
 * The paths in the query of a front controller: `/api/index.php?/auth/login`, `/api/?r=auth/login`.
 */
const queriedPaths = (path: string, search: string): string[] => {
  const names = path.split('/')
  const last = names.at(-1) ?? ''
  if (!isScript(last) && !TAKEN_AWAY.has(last)) return []
  const folder = names.filter((name) => !isScript(name)).join('/')
  const texts = new Set([...new URLSearchParams(search)].flat())
  return [...texts].map((text) => `${folder}/${queriedPath(text)}`)
}

/** Some front controllers treat hyphens and underscores alike. */
const withOtherHyphens = (path: string): string[] => [
  path,
  path.replaceAll('-', '_'),
  path.replaceAll('_', '-'),
]

/** A TRACE response repeats the request, and with it the caller's token. */
const ECHO_METHOD = 'TRACE'

/**
 * The URL to which a request is forwarded. Undefined without LEGACY_ORIGIN, for TRACE, for paths
 * outside /api or with many scripts, and for paths that a server could read as a path of the app.
 */
export const legacyUrl = (
  request: Request,
  env: SettingsSource,
  allowedMethods: AllowedMethods,
): string | undefined => {
  const origin = settingsIfValid(env)?.LEGACY_ORIGIN
  if (!origin || request.method === ECHO_METHOD) return undefined
  const { pathname, search } = new URL(request.url)
  const path = plainPath(pathname)
  if (!path || !API_PATH.test(pathname) || !API_PATH.test(path)) return undefined
  const isServicePath = (address: string) =>
    allowedMethods({ url: `https://checada${encodeURI(address)}` }).length > 0
  // Some servers ignore case and accents, or treat look-alikes such as full-width letters as ASCII.
  const fold = (text: string) =>
    text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase()
  const addresses = [path, ...queriedPaths(fold(path), search)].map(fold)
  if (addresses.some(hasTooManyScripts)) return undefined
  const routed = addresses.flatMap(routedPaths).flatMap(withOtherHyphens)
  if ([path, ...addresses, ...routed].some(isServicePath)) return undefined
  return `${origin}${pathname}${search}`
}

/**
 * Headers that override the path, method or origin of a request. Only a proxy in front of the
 * legacy API may set them.
 */
const OVERRIDE_HEADERS =
  /^(x-(original|rewrite)-url|x-(http-)?method(-override)?|forwarded|x-forwarded-.*)$/i

const TOKEN_LIKE = /[\w+/-]+\.[\w+/-]+\.[\w+/-]+/g

/**
 * The headers to forward. Overrides are removed. A token of this service is removed too, because
 * the legacy API could misuse it.
 */
const forwardedHeaders = async (
  headers: Headers,
  isServiceToken: (text: string) => Promise<boolean>,
): Promise<Headers> => {
  const forwarded = new Headers(headers)
  for (const name of headers.keys()) {
    // Some servers treat an underscore as a hyphen.
    if (OVERRIDE_HEADERS.test(name.replaceAll('_', '-'))) forwarded.delete(name)
  }
  const tokens = headers.get('Authorization')?.match(TOKEN_LIKE) ?? []
  const isOwn = await Promise.all(tokens.map(isServiceToken))
  if (isOwn.includes(true)) forwarded.delete('Authorization')
  return forwarded
}

/** Forwards a request to the legacy API and returns its response unchanged, including redirects. */
export const forwardToLegacy = async (
  request: Request,
  target: string,
  isServiceToken: (text: string) => Promise<boolean>,
): Promise<Response> => {
  const start = Date.now()
  const headers = await forwardedHeaders(request.headers, isServiceToken)
  const response = await fetch(target, new Request(request, { headers, redirect: 'manual' }))
  logForwarded('legacy', request.method, response.status, start)
  return response
}
