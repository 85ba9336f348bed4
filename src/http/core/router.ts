import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono's RegExpRouter, which finds a route with one expression, takes no two routes of which one has
 * a name where the other has a parameter, as /logs/summary and /logs/:log_id; its preset then falls
 * back to the TrieRouter for all. Here the RegExpRouter has the routes with parameters, and the
 * TrieRouter is asked once for each path without one.
 */
export class PathRouter<T> implements Router<T> {
  readonly name = 'PathRouter'
  readonly #all = new TrieRouter<T>()
  readonly #parametric = new RegExpRouter<T>()
  /** The results of each path without a parameter, by method. */
  readonly #fixed = new Map<string, Map<string, Result<T>>>()

  add(method: string, path: string, handler: T): void {
    this.#all.add(method, path, handler)
    if (/[:*]/.test(path)) this.#parametric.add(method, path, handler)
    else this.#fixed.set(path, new Map())
  }

  match(method: string, path: string): Result<T> {
    const results = this.#fixed.get(path)
    if (!results) return this.#parametric.match(method, path)
    const result = results.get(method) ?? this.#all.match(method, path)
    results.set(method, result)
    return result
  }
}
