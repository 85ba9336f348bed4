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

/** A key in base64url. */
const toText = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Subscribes, unless there is a subscription for the service's current key already. */
export const subscribe = async (applicationServerKey: string): Promise<PushSubscription> => {
  const manager = await readPushManager()
  if (!manager) throw new Error('This browser cannot get messages.')
  const stored = await manager.getSubscription()
  if (stored && toText(stored.options.applicationServerKey) === applicationServerKey) return stored
  await stored?.unsubscribe()
  // A browser without a push service may not respond at all.
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DOMException('No push service.')), SUBSCRIBE_MS)
  const subscription = manager.subscribe({ userVisibleOnly: true, applicationServerKey })
  return Promise.race([subscription, late]).finally(() => clearTimeout(timer))
}
