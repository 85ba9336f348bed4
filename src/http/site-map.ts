import type { Context, NotFoundHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import type { RouterRoute } from 'hono/types'
import type { AppEnv } from './context.ts'
import { refuse } from './refusals.ts'

/** A middleware's method; whatever has another one is an endpoint. */
const EVERY_METHOD = 'ALL'

/** The endpoint that this request reaches, if its path and its method have one. */
export const endpointOf = (c: Context): RouterRoute | undefined =>
  matchedRoutes(c).findLast((route) => route.method !== EVERY_METHOD)

/** Answers the methods of a path that is ours, and nothing for one that is not. */
const mapSite = (routes: RouterRoute[]) => {
  const router = new TrieRouter<string>()
  for (const { method, path } of routes) {
    if (method !== EVERY_METHOD) router.add(EVERY_METHOD, path, method)
  }
  return (path: string): string[] => {
    const methods = new Set(router.match(EVERY_METHOD, path)[0].map(([method]) => method))
    if (methods.size === 0) return []
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods, 'OPTIONS']
  }
}

/** Where no endpoint answers: 404, or 405 with `Allow`; a plain OPTIONS learns the methods. */
export const answerUnrouted = (routes: RouterRoute[]): NotFoundHandler<AppEnv> => {
  const methodsOf = mapSite(routes)
  return (c) => {
    const methods = methodsOf(c.req.path.replace(/(?<=.)\/$/, ''))
    if (methods.length === 0) return refuse(c, 'PATH_NOT_FOUND')
    c.header('Allow', methods.join(', '))
    return c.req.method === 'OPTIONS' ? c.body(null, 204) : refuse(c, 'METHOD_NOT_ALLOWED')
  }
}
