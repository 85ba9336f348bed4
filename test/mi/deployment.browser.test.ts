import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildOwnPage, buildServiceWorker, type File } from '../../scripts/build-console.ts'
import { useBrowser } from '../support/browser.ts'

/**
 * What a deployment may mix: while it reaches the places of a network, each request gets a file of
 * either version. Whatever is mixed, the page opens, and afterwards without a network too.
 */

const TYPES: Record<string, string> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' },
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/json' },
}

type Version = Map<string, Uint8Array>

const versionOf = async (files: File[]): Promise<Version> =>
  new Map([...files, await buildServiceWorker(files)].map(({ name, contents }) => [name, contents]))

/** Another version: its scripts have other names, and its page another title. */
const change = ({ name, contents }: File): File => {
  if (extname(name) === '.png') return { name, contents }
  const text = Buffer.from(contents).toString().replaceAll('part-', 'part-n')
  const changed = text.replace('<title>Checada', '<title>Checada nueva')
  return { name: name.replace('part-', 'part-n'), contents: Buffer.from(`${changed}\n`) }
}

const newContext = useBrowser()
let older: Version
let newer: Version
/** Which version has a file now, or a public network's page in place of all files. */
let versionFor: (name: string) => Version | 'portal'
let server: Server
let context: BrowserContext

beforeAll(async () => {
  const { files } = await buildOwnPage()
  older = await versionOf(files)
  newer = await versionOf(files.map(change))
  server = createServer((request, response) => {
    const name = request.url === '/mi/' ? 'index.html' : (request.url ?? '').replace('/mi/', '')
    const version = versionFor(name)
    if (version === 'portal') {
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Wi-Fi gratis')
    }
    const contents = version.get(name)
    const type = TYPES[extname(name)] ?? 'text/plain'
    response.writeHead(contents ? 200 : 404, { 'Content-Type': type }).end(contents)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
afterEach(() => context.close())

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mi/`

const open = async (): Promise<Page> => {
  context = await newContext({ viewport: { width: 320, height: 640 } })
  const page = await context.newPage()
  await page.goto(address())
  return page
}

/** Asks for a new service worker, as the browser does at each visit. Resolves when it is decided. */
const update = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.ready.then(async (registration) => {
    await registration.update().catch(() => {})
    const next = registration.installing ?? registration.waiting
    if (!next) return 'none'
    await new Promise((done) => {
      next.onstatechange = () => /activated|redundant/.test(next.state) && done()
    })
    return next.state
  })`)

/** The title of the version that opens without a network. */
const titleOffline = async (page: Page): Promise<string> => {
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  await page.reload()
  await page.getByText('Entra para checar').waitFor()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return page.title()
}

const MIXES: [string, (name: string) => Version | 'portal'][] = [
  ['the old script', (name) => (name === 'mi.js' ? older : newer)],
  ['the old page', (name) => (name === 'index.html' ? older : newer)],
  ['old styles', (name) => (name === 'styles.css' ? older : newer)],
  ['everything old but the service worker', (name) => (/^service/.test(name) ? newer : older)],
  ['a public network', (name) => (/^service/.test(name) ? newer : 'portal')],
]

it.each(MIXES)('a new service worker beside %s waits for its own files', async (_, mixed) => {
  versionFor = () => older
  const page = await open()
  await page.evaluate('navigator.serviceWorker.ready')

  versionFor = mixed
  expect(await update(page)).toBe('redundant')
  expect(await titleOffline(page)).toBe('Checada')

  versionFor = () => newer
  expect(await update(page)).toBe('activated')
  expect(await titleOffline(page)).toBe('Checada nueva')
})

it('an old service worker beside new files keeps its own', async () => {
  versionFor = () => older
  const page = await open()
  await page.evaluate('navigator.serviceWorker.ready')
  versionFor = (name) => (/^service/.test(name) ? older : newer)
  expect(await update(page)).toBe('none')
  expect(await titleOffline(page)).toBe('Checada')
})

it('a first visit during a deployment keeps nothing, and the next one does', async () => {
  versionFor = (name) => (/^service/.test(name) ? older : newer)
  const page = await open()
  await page.getByText('Entra para checar').waitFor()
  // The page's own attempt may be under way still: it is then this one.
  await page.evaluate(`navigator.serviceWorker.register('service-worker.js').then(
    ({ installing }) => installing && new Promise((done) => {
      installing.onstatechange = () => done()
    }),
  )`)
  expect(await page.evaluate('caches.keys()')).toEqual([])

  versionFor = () => newer
  await page.reload()
  await page.evaluate('navigator.serviceWorker.ready')
  expect(await titleOffline(page)).toBe('Checada nueva')
})

it('an old page that is still open says so where it needs an old file, and opens anew', async () => {
  versionFor = () => older
  const page = await open()
  await page.evaluate('navigator.serviceWorker.ready')
  versionFor = () => newer
  expect(await update(page)).toBe('activated')
  expect(await page.title()).toBe('Checada')

  await page.evaluate("location.hash = '#/invitacion/x'")
  await page.getByText('No se pudo abrir esta sección').waitFor()
  await page.getByRole('button').click()
  await expect.poll(() => page.title()).toBe('Checada nueva')
  await page.getByText('No se pudo abrir esta sección').waitFor({ state: 'hidden' })
})

it('opens from the network if the phone refuses to read what it has stored', async () => {
  versionFor = () => newer
  const page = await open()
  await page.evaluate('navigator.serviceWorker.ready')
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate('caches.match = () => Promise.reject(new Error("storage"))')
  await page.reload()
  await page.getByText('Entra para checar').waitFor()
})
