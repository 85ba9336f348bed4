import { type ApplyGlobalResponse, type ClientRequestOptions, hc } from 'hono/client'
import type { app } from '../src/app.ts'
import type { failure } from '../src/http/envelope.ts'

/** A refusal or an error, in the contract's envelope. */
type Failure = ReturnType<typeof failure>

/** What the service may answer beside what each route tells: refusals are typed for every status. */
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
  /** The access token, or a function that knows the current one. */
  token?: string | (() => string | undefined)
}

/**
 * A typed client of the API, on fetch alone: browsers, React Native and Node.
 * @param origin where the service lives, without `/api`: `https://checada.example.com`
 */
export const createClient = (origin: string, { token, headers, ...options }: ClientOptions = {}) =>
  hc<Api>(origin, {
    ...options,
    headers: async () => {
      const bearer = typeof token === 'function' ? token() : token
      const own = typeof headers === 'function' ? await headers() : headers
      return { ...own, ...(bearer && { Authorization: `Bearer ${bearer}` }) }
    },
  }).api
