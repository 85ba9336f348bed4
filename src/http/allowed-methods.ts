import type { Context, NotFoundHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import type { RouterRoute } from 'hono/types'
import { getPathNoStrict } from 'hono/utils/url'
import type { AppEnv } from './context.ts'
import { refuse } from './errors.ts'

/** A middleware's method; whatever has another one is an endpoint. */
const EVERY_METHOD = 'ALL'

/** Answers which methods a request's path has; none for a path that is not ours. */
export type SiteMap = (request: Request) => string[]

/** The endpoint that this request reaches, if its path and its method have one. */
export const endpointOf = (c: Context): RouterRoute | undefined =>
  matchedRoutes(c).findLast((route) => route.method !== EVERY_METHOD)

export const mapSite = (routes: RouterRoute[]): SiteMap => {
  const router = new TrieRouter<string>()
  for (const { method, path } of routes) {
    if (method !== EVERY_METHOD) router.add(EVERY_METHOD, path, method)
  }
  return (request) => {
    const [endpoints] = router.match(EVERY_METHOD, getPathNoStrict(request))
    const methods = new Set(endpoints.map(([method]) => method))
    if (methods.size === 0) return []
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods, 'OPTIONS']
  }
}

/** Where no endpoint answers: 404, or 405 with `Allow`; a plain OPTIONS learns the methods. */
export const answerUnrouted =
  (methodsOf: SiteMap): NotFoundHandler<AppEnv> =>
  (c) => {
    const methods = methodsOf(c.req.raw)
    if (methods.length === 0) return refuse(c, 'PATH_NOT_FOUND')
    c.header('Allow', methods.join(', '))
    return c.req.method === 'OPTIONS' ? c.body(null, 204) : refuse(c, 'METHOD_NOT_ALLOWED')
  }
