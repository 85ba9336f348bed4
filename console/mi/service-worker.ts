/**
 * Keeps the page's own files, so that the page opens without a network. It keeps no response of the
 * API. A new version takes over at once, and removes the files of the previous version.
 */

/** The page's files, and the hash of their contents. The build defines both constants. */
declare const FILES: string[]
declare const VERSION: string

interface WorkerEvent extends Event {
  request: Request
  respondWith: (response: Promise<Response>) => void
  waitUntil: (work: Promise<unknown>) => void
}

const worker = self as unknown as {
  addEventListener: (
    name: 'install' | 'activate' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ) => void
  clients: { claim: () => Promise<void> }
  skipWaiting: () => Promise<void>
}

const CACHE = `mi ${VERSION}`

const addresses = FILES.map((file) => new URL(file, location.href).href)

const keepFiles = async (): Promise<void> => {
  const cache = await caches.open(CACHE)
  await cache.addAll(addresses.map((address) => new Request(address, { cache: 'reload' })))
  await worker.skipWaiting()
}

const takeOver = async (): Promise<void> => {
  const older = (await caches.keys()).filter((name) => name !== CACHE)
  await Promise.all(older.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

const fileOf = async (address: string, request: Request): Promise<Response> =>
  (await caches.match(address, { cacheName: CACHE })) ?? fetch(request)

worker.addEventListener('install', (event) => event.waitUntil(keepFiles()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const address = event.request.url.replace(/[?#].*/, '')
  if (event.request.method !== 'GET' || !addresses.includes(address)) return
  event.respondWith(fileOf(address, event.request))
})
