import type { Hono } from 'hono'
import { type ClientRequestOptions, type ClientResponse, hc } from 'hono/client'
import type { StatusCode } from 'hono/utils/http-status'
import type { ApiOperations, ErrorDetails } from './api-types.ts'

export type * from './api-types.ts'

interface Operation {
  input: object
  responses: object
}

/** The input of an operation. A query parameter may be undefined, and is then left out. */
type InputOf<Input> = {
  [Part in keyof Input]: Part extends 'query' ? OrUndefined<NonNullable<Input[Part]>> : Input[Part]
}

type OrUndefined<Query> = { [Name in keyof Query]: Query[Name] | undefined }

/** An operation as Hono's client types it: a union with one endpoint per status. */
type EndpointsOf<Op extends Operation> = {
  [Status in keyof Op['responses']]: {
    input: InputOf<Op['input']>
    output: Op['responses'][Status]
    outputFormat: Op['responses'][Status] extends string ? 'text' : 'json'
    status: Status extends `${infer Code extends StatusCode}` ? Code : never
  }
}[keyof Op['responses']]

type ApiSchema = {
  [Path in keyof ApiOperations]: {
    [Method in keyof ApiOperations[Path]]: ApiOperations[Path][Method] extends Operation
      ? EndpointsOf<ApiOperations[Path][Method]>
      : never
  }
}

export interface ClientOptions extends ClientRequestOptions {
  /** The access token, or a function that returns the current one. */
  token?: string | undefined | (() => string | undefined)
}

/**
 * Creates a typed client of the API. It needs only `fetch`, so it runs in browsers, React Native
 * and Node. Its types come from the OpenAPI document. The status narrows the type of the body.
 * @param origin the service's origin, without `/api`: `https://checada.example.com`
 */
export const createClient = (origin: string, { token, headers, ...options }: ClientOptions = {}) =>
  hc<Hono<object, ApiSchema, '/'>>(origin, {
    ...options,
    headers: async () => {
      const bearer = typeof token === 'function' ? token() : token
      const custom = typeof headers === 'function' ? await headers() : headers
      return { ...custom, ...(bearer && { Authorization: `Bearer ${bearer}` }) }
    },
  }).api

interface FailedBody {
  success?: boolean
  message?: string
  data?: unknown
  errors?: Record<string, string[]>
  code?: string
  details?: ErrorDetails
  current?: unknown
}

/** Two failures of the contract, a 401 and a 422, have only a message. Other servers answer so, too. */
const isFailure = ({ headers }: Response, { success, message, data }: FailedBody): boolean =>
  typeof message === 'string' &&
  (success === undefined ? headers.has('X-Request-Id') : success === false && data === null)

/** An error response, or the response of another server, such as a public network's sign-in page. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /**
   * Whether the service itself has answered. If not, another server has, such as a proxy: nothing
   * is known of the request, which may be sent again.
   */
  readonly isOwn: boolean
  /**
   * The constant of the error, such as `PENDING_LOGS`. Programs should compare it, and not the
   * message. Undefined in answers of other servers and of the six endpoints without codes.
   */
  readonly code: string | undefined
  /** The values in the message. Undefined if the message is always the same. */
  readonly details: ErrorDetails | undefined
  /** The messages by field name, of a 422 or of a 409 about fields. Otherwise empty. */
  readonly errors: Record<string, string[]>
  /**
   * The current record, for a 409 about a record that somebody has changed. Otherwise undefined.
   */
  readonly current: unknown
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** The seconds to wait before the next try, for a 429 or 503. Otherwise undefined. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: FailedBody) {
    const isOwn = isFailure(response, body)
    const own = isOwn ? body : {}
    super(own.message ?? `Another server responded with ${response.status}.`)
    this.status = response.status
    this.isOwn = isOwn
    const isCoded = typeof own.code === 'string'
    this.code = isCoded ? own.code : undefined
    this.details = isCoded ? own.details : undefined
    this.errors = own.errors ?? {}
    this.current = own.current
    this.requestId = response.headers.get('X-Request-Id') ?? undefined
    this.retryAfter = Number(response.headers.get('Retry-After')) || undefined
  }
}

type AnyResponse = ClientResponse<unknown, number, string>

/** Reads the JSON object of a response. Returns an empty object if there is none. */
const readBody = async (response: AnyResponse): Promise<object> => {
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const body: unknown = isJson ? await response.json().catch(() => null) : null
  return typeof body === 'object' && body !== null ? body : {}
}

/** The type of `data` in a successful response. */
export type DataOf<R> =
  R extends ClientResponse<infer Body, 200, 'json'>
    ? Body extends { data: infer Data }
      ? Data
      : never
    : never

/**
 * Returns the `data` of a successful response. Do not use it for files, which have no `data`.
 * @throws ApiError for any other response, with its status, message, field errors and request id
 */
export const dataOf = async <R extends AnyResponse>(
  request: R | Promise<R>,
): Promise<DataOf<R>> => {
  const response = await request
  const body = (await readBody(response)) as FailedBody & { data?: DataOf<R> }
  const isOwn = body.success === true && typeof body.message === 'string'
  if (response.ok && isOwn && body.data !== undefined) return body.data
  throw new ApiError(response as unknown as Response, body)
}

/**
 * Yields every page of a list: `for await (const { logs } of pagesOf((cursor) =>
 * api.v2.incidents.logs.$get({ query: { status: 'pending', cursor } })))`.
 * @throws ApiError if a page is not a successful response
 */
export async function* pagesOf<R extends AnyResponse>(
  request: (cursor: string | undefined) => Promise<R>,
): AsyncGenerator<DataOf<R>, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await dataOf(request(cursor))
    yield page
    cursor = (page as { next_cursor?: string | null }).next_cursor ?? undefined
  } while (cursor !== undefined)
}
