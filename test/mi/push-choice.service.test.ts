import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { importConsole, stubBrowser } from '../support/browser-globals.ts'
import { aSubscription, VAPID_KEY } from '../support/push-service.ts'
import { useService } from '../support/server.ts'

/** What the page says about messages is what is so. With the real service, without a browser. */

const service = useService(['--var', `VAPID_KEY:${VAPID_KEY}`])
const [PUBLIC_KEY = ''] = VAPID_KEY.split('.')
const ENDED = 'https://permanently-removed.invalid/fcm/send/1'
const NO_SERVICE = 'Este navegador no puede recibir avisos. Mira tus decisiones en «Mis días».'

// Without types, because the console is compiled with those of a browser.
let push: Awaited<ReturnType<typeof importConsole>>
let session: Awaited<ReturnType<typeof importConsole>>

/** The addresses that the browser gives, one after another, and what it has at last. */
let given: string[] = []
let subscribed: { endpoint: string } | null = null
let ended: string[] = []

const subscriptionOf = async (endpoint: string) => ({
  ...{ endpoint, options: { applicationServerKey: Buffer.from(PUBLIC_KEY, 'base64url') } },
  toJSON: (
    (body) => () =>
      body
  )((await aSubscription(endpoint)).body),
  unsubscribe: async () => {
    ended.push(endpoint)
    subscribed = null
  },
})

const pushManager = {
  getSubscription: async () => subscribed,
  subscribe: async () => {
    const endpoint = given.shift()
    if (!endpoint) throw new DOMException('Registration failed', 'AbortError')
    subscribed = await subscriptionOf(endpoint)
    return subscribed
  },
}

const notification = { permission: 'granted', requestPermission: async () => 'granted' }

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15'
const OLD_IPHONE = IPHONE.replace('17_5', '15_8')
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'

const isOn = (userAgent: string, maxTouchPoints = 5) =>
  Object.assign(navigator, { userAgent, maxTouchPoints })

beforeAll(async () => {
  stubBrowser(new URL(service.api).origin)
  const serviceWorker = { getRegistration: async () => ({ pushManager }) }
  vi.stubGlobal('navigator', { onLine: true, serviceWorker, userAgent: '' })
  vi.stubGlobal('window', { PushManager: true })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('Notification', notification)
  session = await importConsole('mi/session')
  // What the phone has stored is damaged. The page must open all the same.
  localStorage.setItem('checada.mi.push', '{"user_id":')
  push = await importConsole('mi/push')
  await session.signIn('itzel.ramirez@demo.mx', DEMO_PASSWORD, false)
})

beforeEach(async () => {
  ;[given, ended, subscribed] = [[], [], null]
  Object.assign(navigator, { onLine: true })
  push.pushChoice.set({ choice: null, problem: undefined })
})

const phones = async () => {
  const response = await fetch(`${new URL(service.api).origin}/health`)
  return ((await response.json()) as { data: { push: { phones: number } } }).data.push.phones
}
const state = () => push.pushStateOf(PUBLIC_KEY, push.pushChoice.get().choice)

it('replaces a subscription that the browser has ended', async () => {
  const before = await phones()
  subscribed = await subscriptionOf(ENDED)
  given = ['https://fcm.googleapis.com/fcm/send/2']
  expect(await push.acceptPush(PUBLIC_KEY)).toBe('Te avisamos en este teléfono.')
  expect([ended, await phones(), state()]).toEqual([[ENDED], before + 1, 'on'])
  await push.stopPush()
  expect([await phones(), state()]).toEqual([before, 'off'])
})

it('asks a browser again that gives an ended subscription, but not for ever', async () => {
  given = [ENDED, 'https://jmt17.google.com/fcm/send/3']
  expect(await push.acceptPush(PUBLIC_KEY)).toBe('Te avisamos en este teléfono.')
  await push.stopPush()

  given = [ENDED, ENDED, ENDED]
  ended = []
  await expect(push.acceptPush(PUBLIC_KEY)).rejects.toThrow(NO_SERVICE)
  expect([ended.length, state()]).toEqual([3, 'off'])
})

it('keeps the choice until the page is closed if the storage is full', async () => {
  const { setItem } = localStorage
  localStorage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  given = ['https://fcm.googleapis.com/fcm/send/7']
  expect(await push.acceptPush(PUBLIC_KEY)).toBe('Te avisamos en este teléfono.')
  expect(state()).toBe('on')
  await push.stopPush()
  expect(state()).toBe('off')
  localStorage.setItem = setItem
})

describe('a person who has said yes', () => {
  beforeEach(async () => {
    given = ['https://fcm.googleapis.com/fcm/send/4']
    await push.acceptPush(PUBLIC_KEY)
    await push.stopPush()
    const { user_id } = session.signedIn()
    push.pushChoice.set({ choice: { user_id, wants: true } })
  })

  it('is registered again if the phone has lost its subscription', async () => {
    const before = await phones()
    given = ['https://fcm.googleapis.com/fcm/send/5']
    await push.keepRegistered(PUBLIC_KEY)
    expect([await phones(), push.pushChoice.get().problem]).toEqual([before + 1, undefined])
    await push.stopPush()
  })

  it('gets none after saying no while the page that was just opened registers the phone', async () => {
    const before = await phones()
    given = ['https://fcm.googleapis.com/fcm/send/8']
    const { fetch } = globalThis
    const sent = Promise.withResolvers<void>()
    // The page's request is slow.
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (init?.method === 'PUT') {
        sent.resolve()
        for (let i = 0; i < 3; i++) await phones()
      }
      return fetch(input, init)
    })
    const registered = push.keepRegistered(PUBLIC_KEY)
    await sent.promise
    await Promise.all([registered, push.stopPush()])
    vi.stubGlobal('fetch', fetch)
    expect([await phones(), state()]).toEqual([before, 'off'])
  })

  it('sees why no messages come any more', async () => {
    await push.keepRegistered(PUBLIC_KEY)
    expect(push.pushChoice.get().problem).toBe(NO_SERVICE)

    given = ['https://push.example.com/6']
    await push.keepRegistered(PUBLIC_KEY)
    expect(push.pushChoice.get().problem).toBe(
      'La dirección no es de un servicio de avisos conocido.',
    )
    expect(state()).toBe('on')
  })

  it('is told nothing without a network, where the phone may be registered as before', async () => {
    Object.assign(navigator, { onLine: false })
    await push.keepRegistered(PUBLIC_KEY)
    expect(push.pushChoice.get().problem).toBeUndefined()
  })

  it.each([
    ['denied', 'blocked'],
    ['default', 'off'],
  ])('has the switch that the permission says: %s', (permission, expected) => {
    notification.permission = permission
    expect(state()).toBe(expected)
    notification.permission = 'granted'
  })
})

describe('without a push service, an iPhone', () => {
  beforeAll(() => vi.stubGlobal('window', {}))
  it.each([
    [IPHONE, 5, 'ask-install'],
    [IPAD, 5, 'ask-install'],
    [IPAD, 0, 'impossible'],
    [OLD_IPHONE, 5, 'impossible'],
    ['Mozilla/5.0 (Linux; Android 14)', 5, 'impossible'],
  ])('must have the page on its home screen: %s, %i', (userAgent, touch, expected) => {
    isOn(userAgent, touch)
    expect(state()).toBe(expected)
    if (expected !== 'ask-install') return
    push.refusePush()
    expect(state()).toBe('must-install')
  })
})
