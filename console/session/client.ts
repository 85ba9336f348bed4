import type { ClientResponse } from 'hono/client'
import { ApiError, createClient, dataOf } from '../../sdk/api-client.ts'
import { fetchInTime } from './fetch-in-time.ts'
import { tabStorage } from './storage.ts'

const TOKEN = 'checada.token'

/** The user's token, kept until the tab is closed. */
export const storedToken = {
  get: () => tabStorage.getItem(TOKEN) ?? undefined,
  set: (value: string) => tabStorage.setItem(TOKEN, value),
  clear: () => tabStorage.removeItem(TOKEN),
}

/**
 * The client for signing in and out, and for invitations. Unlike `api` of `api.ts`, it opens no
 * sign-in dialog after a 401.
 */
export const sessionApi = createClient(location.origin, {
  token: storedToken.get,
  fetch: fetchInTime,
})

/** Revokes a token in the background. The browser sends the request even if the page is left. */
export const endToken = (token: string): void => {
  const send = (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(input, { ...init, keepalive: true })
  const { auth } = createClient(location.origin, { token, fetch: send })
  void auth.logout.$post().catch(() => {})
}

/** Whether the service may have carried out the request in spite of the error. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || !error.isOwn || error.status >= 500 || error.status === 408

/** Whether the service itself has answered with this status. */
export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.isOwn && error.status === status

/** Whether the service itself says that the request's token has ended. */
export const endsSession = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false
  const error = await dataOf(response.clone() as ClientResponse<unknown>).catch((thrown) => thrown)
  return hasStatus(error, 401) && error.code === 'UNAUTHENTICATED'
}

/** An error whose message the console wrote, not the service. */
export class ConsoleError extends Error {}

interface ItemFault {
  position: number
  field: string
  text: string
}

/**
 * The faults that the service has found in a list of the request. The response names them by their
 * position in the list, such as `employees.3.rfc` or `employee_ids.3`.
 */
export const itemFaults = (error: unknown): ItemFault[] =>
  Object.entries(error instanceof ApiError ? error.errors : {}).flatMap(([name, texts]) => {
    const [, position, field = ''] = /^\w+\.(\d+)(?:\.(\w+))?$/.exec(name) ?? []
    return position ? [{ position: Number(position), field, text: texts.join(' ') }] : []
  })

const NO_ANSWER = 'El servicio no respondió.'
export const OTHER_ANSWER =
  'Contestó la red, y no el servicio: quizá pide que abras su página para conectarte.'

/**
 * The message of an error. If the service has failed (500 or more), the message ends with the
 * request id, which finds the request in the service's log.
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof ConsoleError) return error.message
  if (!navigator.onLine) return 'No hay conexión.'
  if (!(error instanceof ApiError)) return NO_ANSWER
  const { message, status, requestId, isOwn } = error
  if (!isOwn) return status >= 500 ? NO_ANSWER : OTHER_ANSWER
  return status >= 500 && requestId ? `${message} (${requestId})` : message
}
