import { ApiError, createClient } from '../../sdk/api-client.ts'

const TOKEN = 'checada.token'

/** After this time a response counts as lost. */
const TIMEOUT_MS = 20_000

/** The token lives as long as the tab. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? undefined,
  set: (value: string) => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.removeItem(TOKEN),
}

export const fetchInTime = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })

/** The client of the session itself: `api` of `api.ts` asks to sign in again after a 401. */
export const sessionApi = createClient(location.origin, { token: token.get, fetch: fetchInTime })

/** Whether the service may or may not have done what was requested. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408

export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

/** An error with a message of the console's own. */
export class ConsoleError extends Error {}

/** The message of an error. One of the service has the id that finds it in the log. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ConsoleError) return error.message
  if (!navigator.onLine) return 'No hay conexión.'
  if (!(error instanceof ApiError)) return 'El servicio no respondió.'
  const { message, status, requestId } = error
  return status >= 500 && requestId ? `${message} (${requestId})` : message
}
