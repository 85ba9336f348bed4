import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { TrieRouter } from 'hono/router/trie-router'

type Route<T> = [method: string, path: string, handler: T]

const hasParameter = ([, path]: Route<unknown>): boolean => /[:*]/.test(path)

const routerOf = <T>(router: Router<T>, routes: readonly Route<T>[]): Router<T> => {
  for (const route of routes) router.add(...route)
  return router
}

const build = <T>(routes: readonly Route<T>[]) => ({
  all: routerOf(new TrieRouter<T>(), routes),
  parametric: routerOf(new RegExpRouter<T>(), routes.filter(hasParameter)),
  /** The results of each path without a parameter, by method. */
  fixed: new Map(
    routes
      .filter((route) => !hasParameter(route))
      .map(([, path]) => [path, new Map<string, Result<T>>()]),
  ),
})

/**
 * Hono's RegExpRouter, which finds a route with one expression, takes no two routes of which one has
 * a name where the other has a parameter, as /logs/summary and /logs/:log_id; its preset then falls
 * back to the TrieRouter for all. Here the RegExpRouter has the routes with parameters, and the
 * TrieRouter is asked once for each path without one. Both are made for the first request: a group of
 * routes needs neither.
 */
export class PathRouter<T> implements Router<T> {
  readonly name = 'PathRouter'
  readonly #routes: Route<T>[] = []
  #built: ReturnType<typeof build<T>> | undefined

  add(...route: Route<T>): void {
    this.#routes.push(route)
  }

  match(method: string, path: string): Result<T> {
    this.#built ??= build(this.#routes)
    const { all, parametric, fixed } = this.#built
    const results = fixed.get(path)
    if (!results) return parametric.match(method, path)
    const result = results.get(method) ?? all.match(method, path)
    results.set(method, result)
    return result
  }
}
