import { dataOf } from '../../sdk/api-client.ts'
import { connection } from '../session/connection.ts'
import { createStore } from '../session/store.ts'
import { type CheckIn, checkIns, readCheckIns, removeCheckIn, storeCheckIn } from './check-ins.ts'
import { readServiceTime } from './own.ts'
import {
  bodyOf,
  isOfTime,
  type Outcome,
  outcomeOfAnswer,
  outcomeOfError,
  withServiceTime,
} from './sending-rules.ts'
import { apiOf, currentSession, type Session } from './session.ts'
import { followClocks, readServiceAhead, steadyNow } from './steady-clock.ts'

const RETRY_MS = 30_000

/** Why the last attempt to send check-ins failed. Undefined if it did not fail. */
export const sendingProblem = createStore<{ problem?: string | undefined }>({})

/** The moments of the presses on this page. */
const pressed = new Map<string, number>()

const timed = (checkIn: CheckIn): CheckIn =>
  withServiceTime(checkIn, pressed.get(checkIn.client_id), readServiceAhead())

/** Marks the moment of a press. Returns the check-in with the service's time, if it is known. */
export const markPressed = (checkIn: CheckIn): CheckIn => {
  pressed.set(checkIn.client_id, steadyNow())
  return timed(checkIn)
}

/** Asks the service for its time if that helps to know when a check-in was made. */
const askForTime = async (checkIn: CheckIn, session: Session): Promise<CheckIn> => {
  if (checkIn.by_service || !pressed.has(checkIn.client_id)) return checkIn
  // An answer that took long does not have the time. The next one is often quick.
  for (let tries = 0; tries < 2 && readServiceAhead() === undefined; tries++) {
    await readServiceTime(session)
  }
  const withTime = timed(checkIn)
  if (withTime.by_service) await storeCheckIn(withTime)
  return withTime
}

const send = async (untimed: CheckIn, session: Session): Promise<Outcome> => {
  try {
    const checkIn = await askForTime(untimed, session)
    const sentAt = steadyNow()
    const json = bodyOf(checkIn, Date.now())
    const answer = await dataOf(apiOf(session).v2.incidents.my_logs.$post({ json }))
    return outcomeOfAnswer(answer, checkIn, steadyNow() - sentAt)
  } catch (error) {
    return outcomeOfError(error)
  }
}

/** Whether another tab has sent this page's check-in with the phone's time, which was refused. */
const canBeTimed = ({ client_id, refusal, by_service }: CheckIn): boolean =>
  isOfTime(refusal) && !by_service && pressed.has(client_id)

/** A check-in that waits. Undefined if it is gone, such as by another tab. */
const find = (client_id: string): CheckIn | undefined =>
  checkIns.get().all.find((one) => one.client_id === client_id)

/** Sends the signed-in user's check-ins, except those that the service has refused. */
const sendAll = async (): Promise<void> => {
  const { session } = currentSession.get()
  await readCheckIns()
  if (!session?.token) return
  const own = checkIns
    .get()
    .all.filter((one) => one.user_id === session.user_id && (!one.refusal || canBeTimed(one)))
  let problem: string | undefined
  for (const { client_id } of own) {
    const checkIn = find(client_id)
    if (!checkIn) continue
    const outcome = await send(checkIn, session)
    // Sending may have changed its time.
    const sent = find(client_id) ?? checkIn
    if (outcome.state === 'recorded') await removeCheckIn(sent, 'recorded')
    else if (outcome.state === 'refused') {
      const { refusal, message } = outcome
      await storeCheckIn({ ...sent, refusal, message })
    } else {
      problem = outcome.problem
      if (!outcome.othersMayPass) break
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
  last = last.then(sendAll, sendAll)
  return last
}

/** Sends check-ins now, after a sign-in, when the network or page is back, and every 30 seconds. */
export const keepSending = (): void => {
  followClocks()
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
