import { type ApplyGlobalResponse, type ClientRequestOptions, hc } from 'hono/client'
import type { app } from '../src/app.ts'
import type { failure } from '../src/http/envelope.ts'

type Failure = ReturnType<typeof failure>

/** The API's routes, with the failures that any of them may return. */
type Api = ApplyGlobalResponse<
  typeof app,
  {
    401: { json: Failure }
    403: { json: Failure }
    404: { json: Failure }
    413: { json: Failure }
    429: { json: Failure }
    500: { json: Failure }
  }
>

export interface ClientOptions extends ClientRequestOptions {
  /** The access token, or a function that returns the current one. */
  token?: string | (() => string | undefined)
}

/**
 * A typed client of the API, on `fetch` alone: browsers, React Native and Node.
 * @param origin the service's origin, without `/api`: `https://checada.example.com`
 */
export const createClient = (origin: string, { token, headers, ...options }: ClientOptions = {}) =>
  hc<Api>(origin, {
    ...options,
    headers: async () => {
      const bearer = typeof token === 'function' ? token() : token
      const custom = typeof headers === 'function' ? await headers() : headers
      return { ...custom, ...(bearer && { Authorization: `Bearer ${bearer}` }) }
    },
  }).api
