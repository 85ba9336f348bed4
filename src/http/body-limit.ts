import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { endpointOf } from './allowed-methods.ts'
import type { AppEnv } from './context.ts'
import { refuse } from './errors.ts'

const BODY_MAX = 64 * 1024

/** How much of an unread body is read and thrown away for the sake of the next request. */
const DRAIN_MAX = 8 * 1024 * 1024

type Body = ReadableStream<Uint8Array>

/** Reads a body of no declared length into the request, unless it is too large. */
const keepWhole = async (c: Context, body: Body): Promise<boolean> => {
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
 * An answer over an unread body can break the connection's next request, on the local runtime at
 * least. A body left half read breaks it as well, so one declared larger is left as it came.
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
 * Refuses a body over 64 KiB, of a declared length or chunked, where an endpoint would read it: a
 * path or a method that is not ours is told first. What fits is here whole before anything is
 * judged: who sends a body slowly is asked for the token when it has come, not when it began.
 */
export const limitBody = createMiddleware<AppEnv>(async (c, next) => {
  const { body, headers } = c.req.raw
  if (!body) return next()

  const chunked = headers.has('Transfer-Encoding') || !headers.has('Content-Length')
  const declared = chunked ? 0 : Number(headers.get('Content-Length'))
  const fits = chunked ? await keepWhole(c, body) : declared <= BODY_MAX

  const endpoint = endpointOf(c)
  if (fits && endpoint) await c.req.arrayBuffer()
  const refusal = !fits && endpoint ? refuse(c, 'BODY_TOO_LARGE') : await next()
  await drain(body, declared)
  return refusal
})
