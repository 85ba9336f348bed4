import { dataOf } from '../../sdk/api-client.ts'
import { hasStatus, messageOf } from '../session/client.ts'
import { connection } from '../session/connection.ts'
import { createStore } from '../session/store.ts'
import { type CheckIn, checkIns, readCheckIns, removeCheckIn, storeCheckIn } from './check-ins.ts'
import { apiOf, currentSession, type Session } from './session.ts'

/** A check-in that is sent within this time after the press gets the service's own time. */
const FRESH_MS = 5_000
const RETRY_MS = 30_000

/** Why the last attempt to send check-ins failed. Undefined if it did not fail. */
export const sendingProblem = createStore<{ problem?: string | undefined }>({})

/** The time of each press, by a clock that cannot be set. Deleted at the first try to send. */
const pressed = new Map<string, number>()

export const markPressed = ({ client_id }: CheckIn): void => {
  pressed.set(client_id, performance.now())
}

/**
 * Returns the times by the phone's clock. Returns no times if the button was pressed just now,
 * because then the service's own time is as exact.
 */
const timeOf = ({ client_id, recorded_at }: CheckIn) => {
  const at = pressed.get(client_id) ?? Number.NEGATIVE_INFINITY
  pressed.delete(client_id)
  const isFresh = performance.now() - at < FRESH_MS
  return isFresh ? {} : { recorded_at, sent_at: new Date().toISOString() }
}

const send = async (checkIn: CheckIn, session: Session): Promise<void> => {
  const json = { client_id: checkIn.client_id, kind: checkIn.kind, ...timeOf(checkIn) }
  try {
    const outcome = await dataOf(apiOf(session).v2.incidents.my_logs.$post({ json }))
    if (outcome.result !== 'refused') return await removeCheckIn(checkIn)
    await storeCheckIn({ ...checkIn, refusal: outcome.detail ?? outcome.reason ?? 'invalid' })
  } catch (error) {
    if (!hasStatus(error, 403) && !hasStatus(error, 422)) throw error
    await storeCheckIn({ ...checkIn, refusal: error.code ?? 'other', message: messageOf(error) })
  }
}

/** Sends the signed-in user's check-ins, except those that the service has refused. */
const sendAll = async (): Promise<void> => {
  const { session } = currentSession.get()
  await readCheckIns()
  if (!session?.token) return
  const own = checkIns.get().all.filter((one) => one.user_id === session.user_id && !one.refusal)
  let problem: string | undefined
  for (const checkIn of own) {
    try {
      await send(checkIn, session)
    } catch (error) {
      problem = messageOf(error)
      // A status of 500 may be about this check-in alone, so the next check-in is sent too.
      if (!hasStatus(error, 500)) break
    }
  }
  sendingProblem.set({ problem })
}

let last = Promise.resolve()

/**
 * Sends the check-ins, one after another. If another tab sends the same check-in, the service
 * recognizes its `client_id` and records it once.
 */
export const sendCheckIns = (): Promise<void> => {
  last = last.then(sendAll)
  return last
}

/** Sends check-ins now, after a sign-in, when the network or page is back, and every 30 seconds. */
export const keepSending = (): void => {
  connection.subscribe(() => void sendCheckIns())
  document.addEventListener('visibilitychange', () => document.hidden || void sendCheckIns())
  let token: string | undefined
  currentSession.subscribe(() => {
    const next = currentSession.get().session?.token
    if (next && next !== token) void sendCheckIns()
    token = next
  })
  setInterval(() => navigator.onLine && checkIns.get().all.length > 0 && sendCheckIns(), RETRY_MS)
  void sendCheckIns()
}
