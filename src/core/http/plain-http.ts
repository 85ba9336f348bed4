/** Most wall clocks cannot use HTTPS. Nothing but their own paths is answered without it. */

const CLOCK_PATHS = '/iclock/'

/**
 * The path of a clock's request. Some models write two slashes, because the address typed on the
 * clock ends with one. Undefined for other requests. Most URLs are not parsed, because every request
 * comes by here.
 */
export const clockPath = ({ url }: Request): string | undefined => {
  if (!url.includes(CLOCK_PATHS)) return undefined
  const path = new URL(url).pathname.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '')
  return `${path}/`.startsWith(CLOCK_PATHS) ? path : undefined
}

/** What only a local service is called, also by phones. Cloudflare answers for domain names alone. */
const LOCAL = /^http:\/\/(localhost|[^/:]+\.local|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\])(?=[:/])/

/** Whether the edge got the request without HTTPS. Tests have no `CF-Connecting-IP`. */
const isPlain = ({ url, headers }: Request): boolean =>
  url.startsWith('http:') && headers.has('CF-Connecting-IP') && !LOCAL.test(url)

/**
 * Redirects a GET or HEAD request without HTTPS, and refuses any other, and one with a token, because
 * it has been sent in the clear. Undefined for all other requests.
 */
export const refuseHttp = (request: Request): Response | undefined => {
  if (!isPlain(request)) return undefined
  const { method, headers } = request
  if (!/^(GET|HEAD)$/.test(method) || headers.has('Authorization'))
    return new Response(null, { status: 403 })
  const Location = request.url.replace('http:', 'https:')
  return new Response(null, { status: 308, headers: { Location } })
}
