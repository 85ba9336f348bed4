import { createClient } from '../../sdk/api-client.ts'
import { endsSession, storedToken } from './client.ts'
import { fetchInTime } from './fetch-in-time.ts'
import { session, waitForSignIn } from './session.ts'

const bearer = (): string => `Bearer ${storedToken.get()}`

/**
 * Whether the user has signed in again, or changed the password, since a request was sent. While
 * the dialog is open this is not known: somebody else may be signing in.
 */
const isOfOldToken = (headers: Headers): boolean =>
  session.get().ended === undefined &&
  storedToken.get() !== undefined &&
  headers.get('Authorization') !== bearer()

/**
 * Sends a request. If the session has ended, a sign-in dialog opens over the page. The request is
 * repeated after the sign-in, so that nothing that the user has typed is lost.
 */
const fetchSignedIn = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const headers = new Headers(init?.headers)
  for (;;) {
    const response = await fetchInTime(input, { ...init, headers })
    if (!(await endsSession(response))) return response
    if (!isOfOldToken(headers)) await waitForSignIn()
    headers.set('Authorization', bearer())
  }
}

/** Encodes the texts among a path's parameters, since the client does not encode them. */
export const encodePath = <Param extends Record<string, string | number>>(param: Param): Param =>
  Object.fromEntries(
    Object.entries(param).map(([name, value]) => [
      name,
      typeof value === 'string' ? encodeURIComponent(value) : value,
    ]),
  ) as Param

/** The query of a list's endpoint, without the fields `cursor` and `limit`. */
export type FilterOf<Get extends (input: never) => unknown> = Omit<
  NonNullable<Extract<Parameters<Get>[0], { query?: object }>['query']>,
  'cursor' | 'limit'
>

export const api = createClient(location.origin, { token: storedToken.get, fetch: fetchSignedIn })
