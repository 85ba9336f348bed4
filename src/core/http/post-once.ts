const TIMEOUT_MS = 10_000

interface PostOutcome {
  /** Undefined if there was no response. */
  status?: number
  /** Why the message was not accepted. Undefined if the response was a 2xx. */
  error?: string
}

/**
 * Posts a message to another service, once. Redirects are not followed, and the response's body is
 * not read.
 */
export const postOnce = async (
  url: string,
  message: { headers: Record<string, string>; body: BodyInit },
): Promise<PostOutcome> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const init = { method: 'POST', ...message, signal, redirect: 'manual' } as const
    const { status, ok, body } = await fetch(url, init)
    await body?.cancel().catch(() => {})
    return ok ? { status } : { status, error: `HTTP ${status}` }
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError'
    return { error: isLate ? `no response in ${TIMEOUT_MS / 1000} s` : 'unreachable' }
  }
}
