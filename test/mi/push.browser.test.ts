import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveScreenshot } from '../support/browser.ts'
import {
  axeViolations,
  NARROW,
  press,
  useConsole,
  waitForMessage,
  waitForRest,
} from '../support/console.ts'
import { aSubscription, VAPID_KEY, verifySender } from '../support/push-service.ts'

const { open, openTab, api, signIn, service } = useConsole([
  ...['--var', 'EMPLOYEE_CLOCK_IN:on', '--var', 'PAYROLL_ROLES:admin'],
  ...['--var', `VAPID_KEY:${VAPID_KEY}`],
])

const [PUBLIC_KEY = ''] = VAPID_KEY.split('.')
const ITZEL = { email: 'itzel.ramirez@demo.mx', id: 'E-009', name: 'Itzel Ramírez' }

type Subscription = Awaited<ReturnType<typeof aSubscription>>
type Message = Awaited<ReturnType<Subscription['decrypt']>>

/** The push service of the browsers: it decrypts what it gets, as the browser would. */
const received: { message: Message; key: string }[] = []
let phone: Subscription
let server: Server
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const message = await phone.decrypt(new Uint8Array(await buffer(request)))
    const { key } = await verifySender(new Headers(request.headers as Record<string, string>))
    received.push({ message, key })
    response.writeHead(201, { Connection: 'close' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  phone = await aSubscription(`http://127.0.0.1:${port}/push`)
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/**
 * What a phone has and the headless browser lacks: somebody who gives the permission, a push service
 * and a screen for messages. It runs in the page, before the page's own scripts.
 */
const phoneScript = (body: object & { endpoint: string }): string => `
  // All tabs of a phone share them.
  const { localStorage } = window
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  const subscriptionOf = (key) => ({
    options: { applicationServerKey: bytesOf(key).buffer },
    endpoint: '${body.endpoint}',
    toJSON: () => (${JSON.stringify(body)}),
    unsubscribe: async () => localStorage.removeItem('test.key'),
  })
  Object.defineProperty(Notification, 'permission', {
    get: () => localStorage.getItem('test.permission') ?? 'default',
  })
  Notification.requestPermission = async () => {
    localStorage.setItem('test.permission', 'granted')
    return 'granted'
  }
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem('test.key')
    return key && subscriptionOf(key)
  }
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    localStorage.setItem('test.key', key)
    return subscriptionOf(key)
  }`

/** In the service worker: keeps the messages in place of showing them, and lets them be tapped. */
const WORKER_SCRIPT = `
  self.shown = []
  registration.showNotification = async (title, { body, data }) => shown.push({ title, body, data })
  WindowClient.prototype.focus = async function () { return this }`

const TAP = `new Promise((done) => {
    const notification = { data: shown.at(-1).data, close() {} }
    const event = Object.assign(new Event('notificationclick'), { notification, waitUntil: null })
    event.waitUntil = (work) => done(work)
    dispatchEvent(event)
  })`

const END = `new Promise((done) => {
    const event = new Event('pushsubscriptionchange')
    event.waitUntil = (work) => done(work)
    dispatchEvent(event)
  }).then(() => shown.at(-1))`

/** Hands a message to the page's service worker, as the browser does. Returns what is shown. */
const deliver = async (page: Page, message: Message) => {
  const context = page.context()
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const cdp = await context.newCDPSession(page)
  const ids: string[] = []
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    ids.push(...registrations.map(({ registrationId }) => registrationId))
  })
  await cdp.send('ServiceWorker.enable')
  await expect.poll(() => ids.length).toBeGreaterThan(0)
  await worker.evaluate(WORKER_SCRIPT)
  const [origin, data] = [new URL(page.url()).origin, JSON.stringify(message)]
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: ids[0] ?? '', data })
  await expect.poll(() => worker.evaluate('shown.length')).toBe(1)
  return {
    shown: await worker.evaluate('shown'),
    tap: async () => void (await worker.evaluate(TAP)),
    /** The browser ends the subscription. Returns what is shown. */
    end: () => worker.evaluate(END),
  }
}

const openAsItzel = async () => {
  const page = await open({ at: 'mi', signedIn: false, viewport: NARROW })
  await page.context().addInitScript(phoneScript(phone.body))
  // A page that loads while the service worker takes over may be without it until the next load.
  await page.evaluate('navigator.serviceWorker.ready')
  await page.reload()
  await signIn(page, ITZEL.email)
  await page.getByRole('heading', { name: `Hola, ${ITZEL.name}` }).waitFor()
  const isControlled = () => page.evaluate('navigator.serviceWorker.controller !== null')
  await expect.poll(isControlled).toBe(true)
  return page
}

const phones = async (): Promise<number> => {
  const response = await fetch(`${new URL(service.api).origin}/health`)
  const { data } = (await response.json()) as { data: { push: { phones: number } } }
  return data.push.phones
}

it('tells a phone that a check-in was rejected, and opens its day', async () => {
  const page = await openAsItzel()
  const question = page.getByRole('region', { name: 'Avisos' })
  await page.getByText('No hay checadas.').waitFor()
  await waitForRest(page)
  expect(await question.count()).toBe(0)
  await press(page, 'Entrada')
  await question.getByText('¿Te avisamos en este teléfono').waitFor()
  await saveScreenshot(page, 'mi question')
  expect(await axeViolations(page)).toEqual([])
  await press(page, 'Avisarme')
  await waitForMessage(page, 'Te avisamos en este teléfono.')
  await page.getByRole('button', { name: 'No avisarme en este teléfono' }).waitFor()
  expect(await question.count()).toBe(0)

  const admin = await api()
  const newest = (await admin.pendingOf(ITZEL.id)).slice(-1)
  await admin.change(newest, 'rejected', 'Nadie la vio entrar.')
  await expect.poll(() => received.length).toBe(1)
  expect(received[0]).toEqual({
    message: {
      text: expect.stringMatching(/^Se rechazó una checada tuya del \d+ de [a-z]+\.$/),
      path: expect.stringMatching(/^#\/dias\?dia=\d{4}-\d\d-\d\d$/),
    },
    key: PUBLIC_KEY,
  })
  const { text, path } = received[0]?.message ?? { text: '', path: '' }
  const { shown, tap, end } = await deliver(page, { text, path })
  expect(shown).toEqual([{ title: 'Checada', body: text, data: path }])
  // The page is open at another fortnight.
  await page.getByRole('link', { name: 'Mis días' }).click()
  await press(page, 'Quincena anterior')
  await tap()
  await page.getByText('Al decidirla: «Nadie la vio entrar.»').waitFor()
  await expect.poll(() => new URL(page.url()).hash).toBe(path)
  const body = 'Abre esta página para que te sigan llegando avisos.'
  expect(await end()).toEqual({ title: 'Checada', body, data: '' })
  // Who gets no messages sees it on the first page too.
  await page.getByRole('link', { name: 'Checar' }).click()
  await page.getByRole('link', { name: text.replace('.', '') }).click()
  await page.getByText('Al decidirla: «Nadie la vio entrar.»').waitFor()
})

it('asks only once, and ends the messages with the session or at the person’s wish', async () => {
  const page = await openAsItzel()
  await press(page, 'Salida')
  await press(page, 'Ahora no')
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  await page.reload()
  await press(page, 'Avisarme en este teléfono')
  await waitForMessage(page, 'Te avisamos en este teléfono.')
  const before = await phones()

  await page.getByRole('button', { name: 'No avisarme en este teléfono' }).click()
  await waitForMessage(page, 'Ya no llegan avisos a este teléfono.')
  expect(await phones()).toBe(before - 1)

  await press(page, 'Avisarme en este teléfono')
  await waitForMessage(page, 'Te avisamos en este teléfono.')
  // A choice in one tab holds in the others, and a view that opens again registers nothing.
  const tab = await openTab(page)
  await press(tab, 'No avisarme en este teléfono')
  await page.getByRole('link', { name: 'Mis días' }).click()
  await page.getByRole('link', { name: 'Checar' }).click()
  await page.getByRole('button', { name: 'Avisarme en este teléfono', exact: true }).waitFor()
  await expect.poll(phones).toBe(before - 1)
  await tab.close()
  await press(page, 'Avisarme en este teléfono')
  await waitForMessage(page, 'Te avisamos en este teléfono.')
  await expect.poll(phones).toBe(before)
  await press(page, 'Salir')
  await expect.poll(phones).toBe(before - 1)

  // The phone is registered for the next session, since the same person has said yes.
  await signIn(page, ITZEL.email)
  await expect.poll(phones).toBe(before)
})
