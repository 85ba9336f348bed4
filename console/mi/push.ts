import { dataOf } from '../../sdk/api-client.ts'
import { ConsoleError, isLost, messageOf } from '../session/client.ts'
import { browserStorage } from '../session/storage.ts'
import { createStore } from '../session/store.ts'
import { apiOf, isSharedPhone, type Session, signedIn } from './session.ts'
import { endSubscription, subscribe } from './subscription.ts'

const KEY = 'checada.mi.push'

/** Whether the user of this phone wants messages. Another user has not been asked. */
interface Choice {
  user_id: number
  wants: boolean
}

const readStored = (): Choice | null => {
  try {
    return JSON.parse(browserStorage.getItem(KEY) ?? 'null')
  } catch {
    // What the browser has stored is damaged.
    return null
  }
}

export const pushChoice = createStore<{
  choice: Choice | null
  /** Why no messages come, although the person wants them. Undefined if none is known. */
  problem?: string | undefined
}>({ choice: readStored() })

/** Follows the choices that are made in other tabs, and the permission in the phone's settings. */
export const followPushChoice = (): void => {
  addEventListener('storage', ({ key }) => {
    if (key === KEY) pushChoice.set({ choice: readStored() })
  })
  document.addEventListener('visibilitychange', () => pushChoice.set({}))
}

const choose = ({ user_id }: Session, wants: boolean): void => {
  const choice = { user_id, wants }
  try {
    browserStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // The storage is full. Then the choice lasts until the page is closed.
  }
  pushChoice.set({ choice, problem: undefined })
}

export const refusePush = (): void => choose(signedIn(), false)

/**
 * Whether this is an iPhone or iPad, which get messages only from a page on the home screen, since
 * iOS 16.4. An iPad says that it is a Mac.
 */
const mustInstall = (): boolean => {
  const { userAgent, maxTouchPoints } = navigator
  const isApple =
    /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const [, version = '16.4'] = /OS (\d+_\d+) like Mac/.exec(userAgent) ?? []
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  return isApple && Number(version.replace('_', '.')) >= 16.4 && !isInstalled
}

export type PushState =
  | 'impossible'
  | 'blocked'
  | 'ask-install'
  | 'must-install'
  | 'unasked'
  | 'on'
  | 'off'

/** @param pushKey the service's public key, null if the service sends no messages */
export const pushStateOf = (pushKey: string | null, choice: Choice | null): PushState => {
  if (pushKey === null || isSharedPhone()) return 'impossible'
  const own = choice?.user_id === signedIn().user_id ? choice : null
  if (!('PushManager' in window)) {
    if (!mustInstall()) return 'impossible'
    return own === null ? 'ask-install' : 'must-install'
  }
  if (Notification.permission === 'denied') return 'blocked'
  if (own === null) return 'unasked'
  return own.wants && Notification.permission === 'granted' ? 'on' : 'off'
}

/** The token and the key with which this page has registered the phone. */
let registered = ''

/** Subscribes this phone, or registers its subscription for a new session. */
const register = async (session: Session, pushKey: string): Promise<void> => {
  const { endpoint = '', keys } = (await subscribe(pushKey)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const json = { endpoint, keys: { p256dh, auth } }
  await dataOf(apiOf(session).v2.incidents.my_push.$put({ json }))
  registered = `${session.token} ${pushKey}`
  pushChoice.set({ problem: undefined })
}

/** The registration that is under way. */
let registering: Promise<void> = Promise.resolve()

const registerPhone = (session: Session, pushKey: string): Promise<void> => {
  registering = register(session, pushKey)
  return registering
}

/**
 * Registers the phone once for each session of a person who has said yes. Without an answer, it may
 * still be registered as before.
 */
export const keepRegistered = async (pushKey: string): Promise<void> => {
  const session = signedIn()
  if (registered === `${session.token} ${pushKey}`) return
  try {
    await registerPhone(session, pushKey)
  } catch (error) {
    const isKnown = error instanceof ConsoleError || !isLost(error)
    pushChoice.set({ problem: isKnown ? messageOf(error) : undefined })
  }
}

/** Asks for the browser's permission. Must be called by a click. Returns a message. */
export const acceptPush = async (pushKey: string): Promise<string> => {
  const session = signedIn()
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    if (permission === 'denied') choose(session, false)
    return 'Este teléfono no dio permiso para avisar.'
  }
  try {
    await registerPhone(session, pushKey)
  } catch (error) {
    // The browser has no push service, such as one without Google's services.
    if (error instanceof ConsoleError) choose(session, false)
    throw error
  }
  choose(session, true)
  return 'Te avisamos en este teléfono.'
}

/** Returns a message. */
export const stopPush = async (): Promise<string> => {
  const session = signedIn()
  // If its request came after the one below, the phone would stay registered.
  await registering.catch(() => {})
  const ended = await endSubscription()
  registered = ''
  choose(session, false)
  const json = { endpoint: ended?.endpoint ?? '' }
  // Without this request, the push service refuses the next message, which ends the phone too.
  if (ended) await dataOf(apiOf(session).v2.incidents.my_push.$delete({ json })).catch(() => {})
  return 'Ya no llegan avisos a este teléfono.'
}
