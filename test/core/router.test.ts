import { TrieRouter } from 'hono/router/trie-router'
import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { PathRouter } from '../../src/core/http/router.ts'

const METHODS = ['GET', 'POST', 'PUT', 'OPTIONS']

/** Paths of the app, with values for parameters, and near misses of each. */
const ROUTES = app.routes.filter(({ method }) => method !== 'ALL')
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].flatMap((path) => {
  const values = ['1', 'summary', 'a%2Fb', 'ñ', '.'].map((value) => path.replace(/:\w+/g, value))
  return values.flatMap((one) => [
    one,
    `${one}/x`,
    one.replace(/\/[^/]*$/, '') || '/',
    `${one}x`,
    `/${one}`,
  ])
})

it('finds the handlers, in their order, and the parameters that Hono’s TrieRouter finds', () => {
  const [ours, theirs] = [new PathRouter<number>(), new TrieRouter<number>()]
  for (const [i, { method, path }] of app.routes.entries()) {
    ours.add(method, path, i)
    theirs.add(method, path, i)
  }
  const found = (router: typeof ours | typeof theirs, method: string, path: string) => {
    const [handlers, stash] = router.match(method, path) as [
      [number, Record<string, string | number>][],
      string[]?,
    ]
    return handlers.map(([handler, params]) => [
      handler,
      Object.fromEntries(
        Object.entries(params).map(([name, at]) => [name, stash ? stash[at as number] : at]),
      ),
    ])
  }
  for (const method of METHODS) {
    for (const path of [...PATHS, ...PATHS]) {
      expect([path, found(ours, method, path)]).toEqual([path, found(theirs, method, path)])
    }
  }
})
