/**
 * Keeps the page's own files, so that the page opens without a network. It keeps no response of the
 * API. A new version takes over at once, and removes the files of the previous version. It also
 * shows the service's messages.
 */

/** The page's files with their SHA-256 in hexadecimal, and a hash of all. The build defines both. */
declare const FILES: Record<string, string>
declare const VERSION: string

interface WorkerEvent extends Event {
  request: Request
  respondWith: (response: Promise<Response>) => void
  waitUntil: (work: Promise<unknown>) => void
  /** What the service sent. Only a `push` event has it. */
  data: { json: () => Message } | null
  /** The message that was tapped. */
  notification: Notification
}

interface OpenPage {
  focus: () => Promise<OpenPage>
  navigate: (url: string) => Promise<unknown>
}

const worker = self as unknown as {
  addEventListener: (
    name:
      | 'install'
      | 'activate'
      | 'fetch'
      | 'push'
      | 'pushsubscriptionchange'
      | 'notificationclick',
    listener: (event: WorkerEvent) => void,
  ) => void
  clients: {
    claim: () => Promise<void>
    matchAll: (options: { type: 'window' }) => Promise<OpenPage[]>
    openWindow: (url: string) => Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  skipWaiting: () => Promise<void>
}

const CACHE = `mi ${VERSION}`

const hashes = new Map(
  Object.entries(FILES).map(([file, hash]) => [new URL(file, location.href).href, hash]),
)

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Reads a file of this version. During a deployment, the network may still have the file of another
 * one, and a public network answers with its sign-in page.
 */
const readFile = async ([address, hash]: [string, string]) => {
  const response = await fetch(new Request(address, { cache: 'reload' }))
  const bytes = await response.clone().arrayBuffer()
  if (response.redirected || toHex(await crypto.subtle.digest('SHA-256', bytes)) !== hash) {
    throw new Error(`${address} is of another version.`)
  }
  return { address, response }
}

/** Keeps all files or none. The browser tries again when it next looks for a new version. */
const keepFiles = async (): Promise<void> => {
  const files = await Promise.all([...hashes].map(readFile))
  const cache = await caches.open(CACHE)
  await Promise.all(files.map(({ address, response }) => cache.put(address, response)))
  await worker.skipWaiting()
}

const takeOver = async (): Promise<void> => {
  const older = (await caches.keys()).filter((name) => name !== CACHE)
  await Promise.all(older.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** The phone may refuse to read what it has stored. */
const fileOf = async (address: string, request: Request): Promise<Response> =>
  (await caches.match(address, { cacheName: CACHE }).catch(() => undefined)) ?? fetch(request)

worker.addEventListener('install', (event) => event.waitUntil(keepFiles()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const address = event.request.url.replace(/[?#].*/, '')
  if (event.request.method !== 'GET' || !hashes.has(address)) return
  event.respondWith(fileOf(address, event.request))
})

/** Opens a part of the page, in the page's window if it is open. */
const openPage = async (path: string): Promise<void> => {
  const url = new URL(path, worker.registration.scope).href
  const [page] = await worker.clients.matchAll({ type: 'window' })
  if (!page) return void (await worker.clients.openWindow(url))
  await page.focus()
  await page.navigate(url)
}

interface Message {
  text: string
  /** The part of the page that a tap opens. */
  path: string
}

/** A message is shown once, also if it comes twice. */
const show = ({ text: body, path: data }: Message): Promise<void> => {
  const options = { body, data, tag: body, icon: 'icon.png', lang: 'es-MX' }
  return worker.registration.showNotification('Checada', options)
}

worker.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.json() ?? { text: 'Hay algo nuevo.', path: '' }))
})
// The browser has ended the subscription. Only the open page has a token to register a new one.
worker.addEventListener('pushsubscriptionchange', (event) => {
  const text = 'Abre esta página para que te sigan llegando avisos.'
  event.waitUntil(show({ text, path: '' }).catch(() => {}))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data))
})
