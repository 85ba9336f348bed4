import type { NotFoundHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { RouterRoute } from 'hono/types'
import { getPathNoStrict } from 'hono/utils/url'
import { DomainError } from '../errors.ts'
import { ANY_METHOD, type AppEnv } from './context.ts'
import { errorResponse } from './error-responses.ts'

/**
 * Returns the methods allowed for a request's path. The list is empty if the app does not have the
 * path.
 */
type AllowedMethods = (request: Pick<Request, 'url'>) => string[]

export const collectAllowedMethods = (routes: RouterRoute[]): AllowedMethods => {
  const makeRouter = () => {
    const router = new TrieRouter<string>()
    for (const { method, path } of routes) {
      if (method !== ANY_METHOD) router.add(ANY_METHOD, path, method)
    }
    return router
  }
  let router: TrieRouter<string> | undefined
  return (request) => {
    router ??= makeRouter()
    const [endpoints] = router.match(ANY_METHOD, getPathNoStrict(request as Request))
    const own = endpoints.flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    // The router returns a route once for each of its handlers.
    return own.length === 0 ? [] : [...new Set(own), 'OPTIONS']
  }
}

/**
 * Responds with 404 to an unknown path, 405 and `Allow` to a wrong method, and 204 to an OPTIONS.
 */
export const notFound =
  (allowedMethods: AllowedMethods): NotFoundHandler<AppEnv> =>
  (c) => {
    const methods = allowedMethods(c.req.raw)
    if (methods.length === 0) return errorResponse(c, new DomainError('PATH_NOT_FOUND'))
    c.header('Allow', methods.join(', '))
    return c.req.method === 'OPTIONS'
      ? c.body(null, 204)
      : errorResponse(c, new DomainError('METHOD_NOT_ALLOWED'))
  }
