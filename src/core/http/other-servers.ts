import { plainPath } from './plain-path.ts'
import { logForwarded } from './request-log.ts'
import { type SettingsSource, settingsIfValid } from './settings.ts'

/** Requests that other servers answer: for the files at FILES_ORIGIN, and for the legacy API. */

const FOLDER = '/files'

/**
 * An app on any origin may show a file. After a change of FILES_ORIGIN, apps use the new origin
 * within five minutes.
 */
const FILE_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' }

/**
 * Redirects a GET or HEAD request for a file to FILES_ORIGIN. Returns undefined for other requests,
 * if FILES_ORIGIN is not set, or if its server could read the path differently. The Worker gets no
 * requests for the files of public/files.
 */
export const redirectToFile = (request: Request, env: SettingsSource): Response | undefined => {
  const origin = settingsIfValid(env)?.FILES_ORIGIN
  if (!origin || !/^(GET|HEAD)$/.test(request.method)) return undefined
  const { pathname, search } = new URL(request.url)
  const isFile = pathname.startsWith(`${FOLDER}/`) && plainPath(pathname)?.startsWith(`${FOLDER}/`)
  if (!isFile) return undefined
  logForwarded('files', request.method, 302, Date.now())
  const Location = `${origin}${pathname.slice(FOLDER.length)}${search}`
  return new Response(null, { status: 302, headers: { ...FILE_HEADERS, Location } })
}

/** A name that every server reads in the same way: it has no encoding, parameter or extension. */
const NAME = '[\\w~@:,+=-]+'

/** A path of such names. Only the last one may have dots inside, and one slash may follow it. */
const PLAIN_PATH = new RegExp(`^(/${NAME})*/${NAME}(\\.${NAME})*/?$`)

/** A TRACE response repeats the request, and with it the caller's token. */
const ECHO_METHOD = 'TRACE'

/**
 * The URL to which a request is forwarded. Undefined unless its path is one of LEGACY_PATHS, or
 * lies below one and has only plain names.
 */
export const legacyUrl = (request: Request, env: SettingsSource): string | undefined => {
  const { LEGACY_ORIGIN, LEGACY_PATHS = [] } = settingsIfValid(env) ?? {}
  if (!LEGACY_ORIGIN || request.method === ECHO_METHOD) return undefined
  // The parser has resolved `.` and `..`, also if they were encoded.
  const { origin, pathname, search } = new URL(request.url)
  const isListed = LEGACY_PATHS.some((path) => `${pathname}/`.startsWith(`${path}/`))
  // With its own origin, the service would send requests to itself without an end.
  if (!isListed || !PLAIN_PATH.test(pathname) || origin === LEGACY_ORIGIN) return undefined
  return `${LEGACY_ORIGIN}${pathname}${search}`
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

/**
 * A page of the legacy API would have the origin of this service, and could read the sessions of
 * its pages.
 */
const ISOLATION_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
}

/** Forwards a request to the legacy API and returns its response, also a redirect, isolated. */
export const forwardToLegacy = async (
  request: Request,
  target: string,
  isServiceToken: (text: string) => Promise<boolean>,
): Promise<Response> => {
  const start = Date.now()
  const headers = await forwardedHeaders(request.headers, isServiceToken)
  const answer = await fetch(target, new Request(request, { headers, redirect: 'manual' }))
  logForwarded('legacy', request.method, answer.status, start)
  const response = new Response(answer.body, answer)
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) response.headers.set(name, value)
  return response
}
