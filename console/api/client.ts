import { ApiError, createClient } from '../../sdk/api-client.ts'

const TOKEN = 'checada.token'

/** After this long an answer counts as lost. */
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

/** Whether nobody knows if the service did what was asked. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408

export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

/** The connection was lost before the service heard of what was asked. */
export class Interrupted extends Error {}

/** What to say of a failure; of the service's own, with the id that finds it in the log. */
export const messageOf = (error: unknown): string => {
  if (error instanceof Interrupted) return error.message
  if (!navigator.onLine) return 'No hay conexión.'
  if (!(error instanceof ApiError)) return 'El servicio no respondió.'
  const { message, status, requestId } = error
  return status >= 500 && requestId ? `${message} (${requestId})` : message
}
