import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { endpointOf } from './allowed-methods.ts'
import type { AppEnv } from './context.ts'
import { errorResponse } from './errors.ts'

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

/**
 * 413 for a body over 64 KiB on an endpoint, whether its length is declared or it comes in chunks;
 * 404 and 405 come first. The body is read completely before authentication, so that a slow upload
 * cannot outlive its token. hono/body-limit does neither.
 */
export const bodyLimit = createMiddleware<AppEnv>(async (c, next) => {
  const { body, headers } = c.req.raw
  if (!body) return next()

  const chunked = headers.has('Transfer-Encoding') || !headers.has('Content-Length')
  const declared = chunked ? 0 : Number(headers.get('Content-Length'))
  const fits = chunked ? await bufferBody(c, body) : declared <= BODY_MAX

  const endpoint = endpointOf(c)
  if (fits && endpoint) await c.req.arrayBuffer()
  const response = !fits && endpoint ? errorResponse(c, 'BODY_TOO_LARGE') : await next()
  await drain(body, declared)
  return response
})
