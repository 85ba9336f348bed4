import { dataOf } from '../../sdk/api-client.ts'
import { createStore } from '../session/store.ts'
import { api, isSharedPhone, signedIn } from './session.ts'
import { endSubscription, subscribe } from './subscription.ts'

const KEY = 'checada.mi.push'

/** Whether the user of this phone wants messages. Another user has not been asked. */
interface Choice {
  user_id: number
  wants: boolean
}

export const pushChoice = createStore<{ choice: Choice | null }>({
  choice: JSON.parse(localStorage.getItem(KEY) ?? 'null'),
})

const choose = (wants: boolean): void => {
  const choice = { user_id: signedIn().user_id, wants }
  localStorage.setItem(KEY, JSON.stringify(choice))
  pushChoice.set({ choice })
}

export const refusePush = (): void => choose(false)

/** An iPhone gets messages only from a page on its home screen. */
const isIphone = /iPhone|iPad/.test(navigator.userAgent)

export type PushState = 'impossible' | 'blocked' | 'must-install' | 'unasked' | 'on' | 'off'

/** @param pushKey the service's public key, null if the service sends no messages */
export const pushStateOf = (pushKey: string | null, choice: Choice | null): PushState => {
  if (pushKey === null || isSharedPhone()) return 'impossible'
  const own = choice?.user_id === signedIn().user_id ? choice : null
  if (!('PushManager' in window)) return isIphone && own === null ? 'must-install' : 'impossible'
  if (Notification.permission === 'denied') return 'blocked'
  if (own === null) return 'unasked'
  return own.wants && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Subscribes this phone, or registers its subscription for a new session. */
export const registerPhone = async (pushKey: string): Promise<void> => {
  const { endpoint = '', keys } = (await subscribe(pushKey)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const json = { endpoint, keys: { p256dh, auth } }
  await dataOf(api().v2.incidents.my_push.$put({ json }))
}

/** Asks for the browser's permission. Must be called by a click. Returns a message. */
export const acceptPush = async (pushKey: string): Promise<string> => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    if (permission === 'denied') choose(false)
    return 'Este teléfono no dio permiso para avisar.'
  }
  try {
    await registerPhone(pushKey)
  } catch {
    return 'No se pudieron activar los avisos. Inténtalo de nuevo con conexión.'
  }
  choose(true)
  return 'Te avisamos en este teléfono.'
}

/** Returns a message. */
export const stopPush = async (): Promise<string> => {
  const ended = await endSubscription()
  choose(false)
  const json = { endpoint: ended?.endpoint ?? '' }
  // Without this request, the push service refuses the next message, which ends the phone too.
  if (ended) await dataOf(api().v2.incidents.my_push.$delete({ json })).catch(() => {})
  return 'Ya no llegan avisos a este teléfono.'
}
