import { expect, it } from 'vitest'
import { appFor } from '../../src/app.ts'
import { app } from '../support/app.ts'

const endpointsOf = ({ routes }: Pick<typeof app, 'routes'>) =>
  routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)

const paths = [...new Set(endpointsOf(app).map((endpoint) => endpoint.split(' ')[1] ?? ''))]

const pathsFor = async (path: string) => endpointsOf(await appFor(new Request(`http://x${path}`)))

it.each(paths)('what is loaded for %s has all methods of the path', async (path) => {
  const all = endpointsOf(app).filter((endpoint) => endpoint.endsWith(` ${path}`))
  expect(await pathsFor(path.replace(/:\w+/g, 'x'))).toEqual(expect.arrayContaining(all))
})

it('a slash at the end makes no difference, and an unknown path loads no route', async () => {
  expect(await pathsFor('/api/v2/clients/')).toEqual(await pathsFor('/api/v2/clients/config/logo'))
  for (const path of ['/', '/api/', '/api/v2/clientsx/modules_enabled', '/healthx']) {
    expect([path, await pathsFor(path)]).toEqual([path, []])
  }
})
