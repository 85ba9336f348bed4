import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../errors.ts'
import { endpointOf } from './allowed-methods.ts'
import type { AppEnv } from './context.ts'
import { errorResponse } from './error-responses.ts'

const BODY_MAX = 64 * 1024

/** How much of an unread body is read and dropped. */
const DRAIN_MAX = 8 * 1024 * 1024

type Body = ReadableStream<Uint8Array>

/** Reads a body of no declared length into the request, unless it is too large. */
const bufferBody = async (c: Context, body: Body): Promise<boolean> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > BODY_MAX) return false
    chunks.push(chunk)
  }
  c.req.raw = new Request(c.req.raw, { body: await new Blob(chunks).arrayBuffer() })
  return true
}

/**
 * For the local runtime only: a response sent before the body is read completely can break the next
 * request on its connection (workers-sdk #15709). A body declared larger than the limit stays
 * unread.
 */
const drain = async (body: Body, declared: number): Promise<void> => {
  if (body.locked || declared > DRAIN_MAX) return
  let size = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > DRAIN_MAX) return
  }
}

type BodyState = 'READ' | 'BODY_TOO_LARGE' | 'BODY_INTERRUPTED' | 'BODY_TIMEOUT'

/** How long a body may take to arrive. */
const BODY_TIMEOUT_MS = 30_000

/** The state of a body once it is read, or once it breaks off or takes too long. */
const withTimeout = (reading: Promise<BodyState>): Promise<BodyState> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, BODY_TIMEOUT_MS, 'BODY_TIMEOUT')
    const end = (state: BodyState) => {
      clearTimeout(timer)
      resolve(state)
    }
    // Only the client's side of the connection can make the reading fail.
    reading.then(end, () => end('BODY_INTERRUPTED'))
  })

/**
 * 413 for a body over 64 KiB on an endpoint, whether its length is declared or it comes in chunks;
 * 404 and 405 come first. The body is read completely before authentication, so that a slow upload
 * cannot outlive its token: 408 after 30 seconds. hono/body-limit does neither. Then the request's
 * time is read.
 */
export const receiveBody = createMiddleware<AppEnv>(async (c, next) => {
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
    const fits = chunked ? await bufferBody(c, body) : declared <= BODY_MAX
    if (fits && endpoint) await c.req.arrayBuffer()
    return fits ? 'READ' : 'BODY_TOO_LARGE'
  }
  const state = await withTimeout(read())
  const response =
    state === 'READ' || !endpoint ? await handle() : errorResponse(c, new DomainError(state))
  await drain(body, declared)
  return response
})
