import { ConsoleError } from '../session/client.ts'

/** This browser's subscription to messages. Undefined if the browser cannot have one. */
export const readPushManager = async (): Promise<PushManager | undefined> =>
  (await navigator.serviceWorker?.getRegistration())?.pushManager

/** Ends the subscription, also without a network. Returns the ended one. */
export const endSubscription = async (): Promise<PushSubscription | null> => {
  const subscription = (await (await readPushManager())?.getSubscription()) ?? null
  await subscription?.unsubscribe()
  return subscription
}

const SUBSCRIBE_MS = 20_000

/** A browser that has just ended a subscription may need a moment for the next one. */
const PAUSES_MS = [0, 1_000, 3_000]

/** A key in base64url. */
const toText = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Chrome has ended a subscription with an address of this domain. Edge even gives it to new ones. */
const isEnded = ({ endpoint }: PushSubscription): boolean =>
  new URL(endpoint).hostname.endsWith('.invalid')

const isOf = ({ options }: PushSubscription, applicationServerKey: string): boolean =>
  toText(options.applicationServerKey) === applicationServerKey

const subscribeInTime = (
  manager: PushManager,
  applicationServerKey: string,
): Promise<PushSubscription> =>
  new Promise((resolve, reject) => {
    // A browser without a push service may not respond at all.
    const timer = setTimeout(() => reject(new Error('No push service.')), SUBSCRIBE_MS)
    manager
      .subscribe({ userVisibleOnly: true, applicationServerKey })
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })

/**
 * Subscribes, unless there is a subscription for the service's current key already.
 * @throws ConsoleError if this browser has no push service
 */
export const subscribe = async (applicationServerKey: string): Promise<PushSubscription> => {
  const manager = await readPushManager()
  if (!manager) throw new Error('This browser cannot get messages.')
  const stored = await manager.getSubscription()
  if (stored && isOf(stored, applicationServerKey) && !isEnded(stored)) return stored
  await stored?.unsubscribe()
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const subscription = await subscribeInTime(manager, applicationServerKey).catch((error) => {
      // Without a network, browsers fail in the same way.
      if (!navigator.onLine) throw error
    })
    if (!subscription) break
    if (!isEnded(subscription)) return subscription
    await subscription.unsubscribe()
  }
  throw new ConsoleError(
    'Este navegador no puede recibir avisos. Mira tus decisiones en «Mis días».',
  )
}
