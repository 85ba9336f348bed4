import { dataOf } from '../../sdk/api-client.ts'
import type { OwnClosingLines, RequestBody, SignatureBody } from '../../sdk/api-types.ts'
import { hasStatus } from '../api/client.ts'
import { sha256 } from '../sha256.ts'
import { dayOf, nightEndOf, type Period } from '../time.ts'
import { api } from './session.ts'

/** The zone of the phone: of what nobody but the phone knows, and of what a person types. */
export const phoneZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const phoneDay = (): string => dayOf(new Date().toISOString(), phoneZone())

/** The person's logs of the last 14 days, and what the installation lets them do here. */
export const readOwnLogs = () => dataOf(api().v2.incidents.my_logs.$get({ query: {} }))

/** The text that is valid today, or null if there is none. */
export const readAgreement = async () => {
  try {
    return await dataOf(api().v2.agreements.current.$get())
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

export type OwnAgreement = NonNullable<Awaited<ReturnType<typeof readAgreement>>>

/** What is signed is the hash of what is on the screen: the service refuses another one. */
const hashOf = (text: string): Promise<string> => sha256(new TextEncoder().encode(text))

export const acceptAgreement = async (agreement: OwnAgreement, password: string) => {
  const { title, valid_from, text } = agreement
  const json = { sha256: await hashOf(`${title}\n${valid_from}\n${text}`), password }
  const param = { id: agreement.id }
  return dataOf(api().v2.agreements[':id'].accept.$post({ param, json }))
}

export const requestLog = (json: RequestBody) =>
  dataOf(api().v2.incidents.my_requests.$post({ json }))

/** The own days of a period with their logs, the newest first. */
export const readOwnDays = async ({ from, to }: Period) => {
  const { my_days, my_logs } = api().v2.incidents
  const [{ days }, { logs, may_request }] = await Promise.all([
    dataOf(my_days.$get({ query: { from, to } })),
    dataOf(my_logs.$get({ query: { from, to: nightEndOf(to) } })),
  ])
  const dayOfLog = new Map(days.flatMap(({ day, log_ids }) => log_ids.map((id) => [id, day])))
  const dated = logs.map((log) => ({
    day: dayOfLog.get(log.log_id) ?? dayOf(log.local_at),
    log,
  }))
  const names = new Set([...days, ...dated].map(({ day }) => day).filter((day) => day <= to))
  const own = [...names].sort().reverse()
  return {
    may_request,
    days: own.map((day) => ({
      day,
      hours: days.filter((one) => one.day === day),
      logs: dated.filter((one) => one.day === day).map(({ log }) => log),
    })),
  }
}

export const readOwnClosings = async () =>
  (await dataOf(api().v2.incidents.my_closings.$get())).closings

export const readOwnClosing = (id: number) =>
  dataOf(api().v2.incidents.my_closings[':id'].$get({ param: { id } }))

export const signClosing = async (
  { id, lines }: OwnClosingLines,
  signature: Omit<SignatureBody, 'hash'>,
) => {
  const byDay = lines.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const texts = byDay.map((line) => `${JSON.stringify(line, Object.keys(line).sort())}\n`)
  const json = { ...signature, hash: await hashOf(texts.join('')) }
  return dataOf(api().v2.incidents.my_closings[':id'].sign.$post({ param: { id }, json }))
}
