import type { Context } from 'hono'

/** Runs work for which the response does not wait. Cloudflare allows it 30 seconds. */
export const afterResponse = (
  c: Pick<Context, 'executionCtx'>,
  work: () => Promise<void>,
): void => {
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    await work()
  }
  c.executionCtx.waitUntil(run())
}
