import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../errors.ts'
import { type AppEnv, endpointOf } from './context.ts'
import { errorResponse } from './error-responses.ts'

/** The largest body of a route, and of a route that takes a list or a file. */
export const BODY_MAX = 64 * 1024
export const LARGE_BODY_MAX = 512 * 1024

/** A body that the app has not read is read and dropped up to this size. */
const DRAIN_MAX = 8 * 1024 * 1024

type Body = ReadableStream<Uint8Array>

/** Reads a body of unknown length. Returns undefined if it is too large. */
export const readBytes = async (body: Body, bytesMax: number): Promise<ArrayBuffer | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > bytesMax) return undefined
    chunks.push(chunk)
  }
  return new Blob(chunks).arrayBuffer()
}

/** Reads a body of unknown length into the request. Returns false if it is too large. */
const bufferBody = async (c: Context, body: Body, bytesMax: number): Promise<boolean> => {
  const bytes = await readBytes(body, bytesMax)
  if (bytes) c.req.raw = new Request(c.req.raw, { body: bytes })
  return bytes !== undefined
}

/**
 * Reads and drops the rest of the body. Only the local runtime needs this. There, a response that
 * is sent before the body is read completely can break the next request on the same connection
 * (workers-sdk #15709). A body that is declared larger than DRAIN_MAX stays unread.
 */
const drain = async (body: Body, declared: number): Promise<void> => {
  if (body.locked || declared > DRAIN_MAX) return
  let size = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > DRAIN_MAX) return
  }
}

/** Cloudflare's edge sets this header. */
const isLocal = (headers: Headers): boolean => !headers.has('CF-Connecting-IP')

type BodyState = 'READ' | 'BODY_TOO_LARGE' | 'BODY_INTERRUPTED' | 'BODY_TIMEOUT'

/** For the whole body, however many chunks it has. */
const BODY_TIMEOUT_MS = 30_000

/** Adds a timeout to the reading of a body, and turns its failure into a state. */
const withTimeout = (reading: Promise<BodyState>): Promise<BodyState> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, BODY_TIMEOUT_MS, 'BODY_TIMEOUT')
    const end = (state: BodyState) => {
      clearTimeout(timer)
      resolve(state)
    }
    // Reading can only fail because of the client's side of the connection.
    reading.then(end, () => end('BODY_INTERRUPTED'))
  })

/**
 * Reads the body within limits of size and time, which hono/body-limit does not do. An endpoint
 * responds with 413 if the body is too large, with 408 if it takes more than 30 seconds, and with
 * 400 if it is interrupted. 404 and 405 take precedence. The body is read before authentication.
 * The request's time is set after the body has been read, so a token that expires during a slow
 * upload is rejected. Of two such middlewares on a route, the first one counts.
 */
export const receiveBody = (bytesMax: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.get('now')) return next()
    const handle = () => {
      c.set('now', new Date())
      return next()
    }
    const { body, headers } = c.req.raw
    if (!body) return handle()

    const chunked = headers.has('Transfer-Encoding') || !headers.has('Content-Length')
    const declared = chunked ? 0 : Number(headers.get('Content-Length'))
    const endpoint = endpointOf(c)
    const read = async (): Promise<BodyState> => {
      const fits = chunked ? await bufferBody(c, body, bytesMax) : declared <= bytesMax
      if (fits && endpoint) await c.req.arrayBuffer()
      return fits ? 'READ' : 'BODY_TOO_LARGE'
    }
    const state = await withTimeout(read())
    const response =
      state === 'READ' || !endpoint ? await handle() : errorResponse(c, new DomainError(state))
    if (isLocal(headers)) await drain(body, declared)
    return response
  })

/** Drops the body if the handler has not read it. For routes that read their bodies themselves. */
export const dropUnreadBody = createMiddleware<AppEnv>(async (c, next) => {
  const { body, headers } = c.req.raw
  await next()
  if (body && isLocal(headers)) await drain(body, 0)
})
