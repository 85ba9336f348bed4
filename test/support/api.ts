import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import service from '../../src/index.ts'
import { expectCode } from './failures.ts'
import { expectDocumented } from './openapi.ts'

export interface CallOptions {
  /** The body. Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown
  token?: string
  headers?: Record<string, string>
  /** Settings or bindings that replace those of the test environment. */
  env?: Partial<Env>
}

export interface TestResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert its shape
  body: any
}

/**
 * Sends one request. Expects that the OpenAPI document describes the response, and that a failure has
 * its code.
 */
export const call = async (
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> => {
  const headers = new Headers({ 'Content-Type': 'application/json', ...options.headers })
  if (options.token !== undefined) headers.set('Authorization', `Bearer ${options.token}`)
  const init: RequestInit<IncomingRequestCfProperties> = { method, headers }
  if (options.body !== undefined) {
    const raw = typeof options.body === 'string' || options.body instanceof Uint8Array
    init.body = raw ? (options.body as BodyInit) : JSON.stringify(options.body)
  }

  const request = new Request<unknown, IncomingRequestCfProperties>(
    `http://localhost/api${path}`,
    init,
  )
  // The service checks its settings once for each `env`.
  const ownEnv = options.env ? { ...env, ...options.env } : env
  const res = await service.fetch(request, ownEnv, createExecutionContext())
  const text = new TextDecoder().decode(await res.arrayBuffer())
  const [pathname = ''] = path.split('?')
  expectDocumented(method, pathname, { status: res.status, headers: res.headers, text })
  const isJson =
    text !== '' && res.headers.get('Content-Type') === 'application/json; charset=utf-8'
  if (isJson) expectCode(pathname, { status: res.status, text })
  return { status: res.status, headers: res.headers, text, body: isJson ? JSON.parse(text) : null }
}

export const get = (path: string, options?: CallOptions) => call('GET', path, options)
export const post = (path: string, body?: unknown, options?: CallOptions) =>
  call('POST', path, { body, ...options })

export const isValid = async (token: string) => (await get('/auth/me', { token })).status === 200

/** A failure of the contract's endpoints. `failureOf` makes the others. */
export const failure = (message: string, errors?: Record<string, string[]>) => ({
  success: false,
  message,
  data: null,
  ...(errors && { errors }),
})

export const expectSuccess = (res: TestResponse, message: string, data: unknown) =>
  expect([res.status, res.body]).toEqual([200, { success: true, message, data }])

/** Expects these texts. `call` has checked the code and the details. */
export const expectFailure = (
  res: TestResponse,
  status: number,
  message: string,
  errors?: Record<string, string[]>,
) => {
  const { code: _, details: __, ...texts } = res.body
  expect([res.status, texts]).toEqual([status, failure(message, errors)])
}

/** Expects that the input is rejected because of these fields, in this order. */
export const expectRejectedFields = (res: TestResponse, status: 409 | 422, fields: string[]) =>
  expect([res.status, Object.keys(res.body.errors ?? {})]).toEqual([status, fields])

export const expectInvalid = (res: TestResponse, field: string, message: string) =>
  expectFailure(res, 422, message, { [field]: [message] })
