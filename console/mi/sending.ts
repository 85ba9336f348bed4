import { dataOf } from '../../sdk/api-client.ts'
import { hasStatus, messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { createStore } from '../state/store.ts'
import { type Check, checks, keepCheck, readChecks, removeCheck } from './checks.ts'
import { apiOf, currentSession, type Session } from './session.ts'

/** A check that is sent within this time after the press gets the service's own time. */
const FRESH_MS = 5_000
const RETRY_MS = 30_000

/** Why the last attempt to send checks failed. Undefined if it did not fail. */
export const sendingProblem = createStore<{ problem?: string | undefined }>({})

/** The time of each press, by a clock that cannot be set. Deleted when the check is first sent. */
const pressed = new Map<string, number>()

export const markPressed = ({ client_id }: Check): void => {
  pressed.set(client_id, performance.now())
}

/**
 * Returns the times by the phone's clock. Returns no times if the button was pressed just now,
 * because then the service's own time is as exact.
 */
const timeOf = ({ client_id, recorded_at }: Check) => {
  const at = pressed.get(client_id) ?? Number.NEGATIVE_INFINITY
  pressed.delete(client_id)
  const isFresh = performance.now() - at < FRESH_MS
  return isFresh ? {} : { recorded_at, sent_at: new Date().toISOString() }
}

const send = async (check: Check, session: Session): Promise<void> => {
  const json = { client_id: check.client_id, kind: check.kind, ...timeOf(check) }
  try {
    const outcome = await dataOf(apiOf(session).v2.incidents.my_logs.$post({ json }))
    if (outcome.result !== 'refused') return await removeCheck(check)
    await keepCheck({ ...check, refusal: outcome.detail ?? outcome.reason ?? 'invalid' })
  } catch (error) {
    if (!hasStatus(error, 403) && !hasStatus(error, 422)) throw error
    await keepCheck({ ...check, refusal: messageOf(error) })
  }
}

/** Sends the signed-in user's checks, except those that the service has refused. */
const sendAll = async (): Promise<void> => {
  const { session } = currentSession.get()
  await readChecks()
  if (!session?.token) return
  const own = checks.get().all.filter((one) => one.user_id === session.user_id && !one.refusal)
  let problem: string | undefined
  for (const check of own) {
    try {
      await send(check, session)
    } catch (error) {
      problem = messageOf(error)
      // A status of 500 may be about this check alone, so the next check is sent too.
      if (!hasStatus(error, 500)) break
    }
  }
  sendingProblem.set({ problem })
}

let last = Promise.resolve()

/**
 * Sends the checks, one after another. If another tab sends the same check, the service recognizes
 * its `client_id` and records it once.
 */
export const sendChecks = (): Promise<void> => {
  last = last.then(sendAll)
  return last
}

/** Sends checks now, after a sign-in, when the network or page is back, and every 30 seconds. */
export const keepSending = (): void => {
  connection.subscribe(() => void sendChecks())
  document.addEventListener('visibilitychange', () => document.hidden || void sendChecks())
  let token: string | undefined
  currentSession.subscribe(() => {
    const next = currentSession.get().session?.token
    if (next && next !== token) void sendChecks()
    token = next
  })
  setInterval(() => navigator.onLine && checks.get().all.length > 0 && sendChecks(), RETRY_MS)
  void sendChecks()
}
