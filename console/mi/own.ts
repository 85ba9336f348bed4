import { dataOf } from '../../sdk/api-client.ts'
import { hasStatus } from '../session/client.ts'
import { api, apiOf, type Session } from './session.ts'
import { setServiceTime, steadyNow } from './steady-clock.ts'

/** The person's logs of the last 14 days, and whether the person may check in and make requests. */
export const readOwnLogs = async () => {
  const askedAt = steadyNow()
  const own = await dataOf(api().v2.incidents.my_logs.$get({ query: {} }))
  setServiceTime(own.now, askedAt)
  return own
}

export const readServiceTime = async (session: Session): Promise<void> => {
  const askedAt = steadyNow()
  const query = { limit: 1 }
  const { now } = await dataOf(apiOf(session).v2.incidents.my_logs.$get({ query }))
  setServiceTime(now, askedAt)
}

/** The text of the agreement that is valid today, or null if there is none. */
export const readAgreement = async () => {
  try {
    return await dataOf(api().v2.agreements.current.$get())
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

export const readOwnClosings = async () =>
  (await dataOf(api().v2.incidents.my_closings.$get({ query: {} }))).closings
